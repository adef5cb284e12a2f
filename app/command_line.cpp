#include "app/command_line.h"

#include <CLI/CLI.hpp>

#include "pliant/core/error.h"

namespace pliant::app {

namespace {

// With the subcommands that were given: "pliant bench ccd".
std::string chosen_name(const CLI::App& command) {
  std::string name = command.get_name();
  for (const CLI::App* chosen : command.get_subcommands()) name += " " + chosen_name(*chosen);
  return name;
}

}  // namespace

Option* Option::required() {
  option_.required();
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_.type_name(name);
  return this;
}

Option* Option::group(const std::string& heading) {
  option_.group(heading);
  return this;
}

Option* Option::capture_default_str() {
  option_.capture_default_str();
  return this;
}

Option* Option::check(Check is_good) {
  // Without a description of its own: the help would print it after the type's name.
  option_.check(CLI::Validator([is_good = std::move(is_good)](std::string& text) { return is_good(text); }, ""));
  return this;
}

Option* Option::one_of(std::initializer_list<const char*> words) {
  words_.assign(words.begin(), words.end());
  option_.check(CLI::IsMember(words_));
  return this;
}

Option* Option::offers(std::vector<std::string> words) {
  words_ = std::move(words);
  return this;
}

Option* Option::range(int low, int high) {
  option_.check(CLI::Range(low, high));
  return this;
}

Option* Option::range(double low, double high) {
  option_.check(CLI::Range(low, high));
  return this;
}

Option* Option::delimiter(char separator) {
  option_.delimiter(separator);
  return this;
}

Option* Option::allow_extra_args(bool allowed) {
  option_.allow_extra_args(allowed);
  return this;
}

OptionText Option::text() const {
  OptionText text{.help = option_.get_description(), .words = words_};
  for (const std::string& name : option_.get_lnames()) text.names.push_back("--" + name);
  for (const std::string& name : option_.get_snames()) text.names.push_back("-" + name);
  if (text.names.empty()) text.names.push_back(option_.get_name(true));
  const std::string type = option_.get_type_name();  // with what checks say of themselves behind a colon
  if (option_.get_expected_max() > 0) text.value = type.substr(0, type.find(':'));
  text.standard = option_.get_default_str();
  if (option_.get_group() != "Options") text.heading = option_.get_group();
  return text;
}

Command::Command(CLI::App& command) : command_(command) {}
Command::~Command() = default;

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return options_.emplace_back(std::make_unique<Option>(*command_.add_flag(names, value, help))).get();
}

Option* Command::add_flag(const std::string& name, const std::string& alone, std::string& value,
                          const std::string& help) {
  CLI::Option* flag = command_.add_flag(name + "{" + alone + "}", value, help);
  return options_.emplace_back(std::make_unique<Option>(*flag)).get();
}

template <class T>
Option* Command::add(const std::string& names, T& value, const std::string& help) {
  return options_.emplace_back(std::make_unique<Option>(*command_.add_option(names, value, help))).get();
}

Option* Command::add_option(const std::string& names, std::string& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, int& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::uint64_t& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, double& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::optional<std::string>& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::optional<int>& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::optional<double>& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::vector<std::string>& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::vector<int>& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::vector<std::uint64_t>& value, const std::string& help) {
  return add(names, value, help);
}
Option* Command::add_option(const std::string& names, std::vector<double>& value, const std::string& help) {
  return add(names, value, help);
}

Command* Command::add_subcommand(const std::string& name, const std::string& description) {
  return subcommands_.emplace_back(std::make_unique<Command>(*command_.add_subcommand(name, description))).get();
}

void Command::require_subcommand(std::size_t least, std::size_t most) { command_.require_subcommand(least, most); }

std::vector<std::string> Command::subcommand_names() const {
  std::vector<std::string> names;
  for (const auto& command : subcommands_) names.push_back(command->command_.get_name());
  return names;
}

CommandText Command::text() const {
  CommandText text{
      .name = command_.get_name(), .description = command_.get_description(), .footer = command_.get_footer()};
  for (const auto& option : options_) text.options.push_back(option->text());
  for (const auto& command : subcommands_) text.subcommands.push_back(command->text());
  return text;
}

bool Command::has_chosen_subcommand() const { return !command_.get_subcommands().empty(); }

void Command::footer(const std::string& text) { command_.footer(text); }

void Command::callback(std::function<void()> action) { command_.callback(std::move(action)); }

std::vector<std::string> Command::parse_order() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : command_.parse_order()) names.push_back(option->get_name());
  return names;
}

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : CommandLine(std::make_unique<CLI::App>(description, name)) {}

CommandLine::CommandLine(std::unique_ptr<CLI::App> app) : Command(*app), app_(std::move(app)) {}

CommandLine::~CommandLine() = default;

void CommandLine::set_version(const std::string& text) { command_.set_version_flag("--version", text); }

void CommandLine::parse(int argc, char** argv) {
  try {
    command_.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw Error(error.what(), "see " + chosen_name(command_) + " --help");
    command_.exit(error);  // prints what was asked for
  }
}

}  // namespace pliant::app
