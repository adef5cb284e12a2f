// The command line: options, subcommands, help. The parser behind it (CLI11) takes a compiler seconds in every file
// that sees it; here only command_line.cpp does.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command_text.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace pliant::app {

// Says in words what is wrong with the text of a value; "" if nothing is.
using Check = std::function<std::string(const std::string& text)>;

// A flag or option of a Command, which owns it. The calls below say more about it and return it again.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(option) {}

  Option* required();
  // What the help calls its value: "FILE".
  Option* type_name(const std::string& name);
  // Under which heading the help lists it.
  Option* group(const std::string& heading);
  // The help shows the value that its variable has now.
  Option* capture_default_str();
  Option* check(Check is_good);
  // Only one of these words.
  Option* one_of(std::initializer_list<const char*> words);
  // What a shell completes its value with, among what else it may be.
  Option* offers(std::vector<std::string> words);
  // Only numbers from `low` to `high`.
  Option* range(int low, int high);
  Option* range(double low, double high);
  // Several values in one word: a,b,c.
  Option* delimiter(char separator);
  // false: every value needs the option's name before it.
  Option* allow_extra_args(bool allowed);

  OptionText text() const;

 private:
  CLI::Option& option_;
  std::vector<std::string> words_;
};

// A subcommand, or the program itself. Variables that options fill must live until parsing is over.
class Command {
 public:
  explicit Command(CLI::App& command);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  // A flag that may say more: --split gives `value` the word `alone`, --split=components the word after the sign.
  Option* add_flag(const std::string& name, const std::string& alone, std::string& value, const std::string& help);
  // Names: "--out,-o", or "mesh" for what is given without a name.
  Option* add_option(const std::string& names, std::string& value, const std::string& help);
  Option* add_option(const std::string& names, int& value, const std::string& help);
  Option* add_option(const std::string& names, std::uint64_t& value, const std::string& help);
  Option* add_option(const std::string& names, double& value, const std::string& help);
  Option* add_option(const std::string& names, std::optional<std::string>& value, const std::string& help);
  Option* add_option(const std::string& names, std::optional<int>& value, const std::string& help);
  Option* add_option(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help);
  Option* add_option(const std::string& names, std::optional<double>& value, const std::string& help);
  Option* add_option(const std::string& names, std::vector<std::string>& value, const std::string& help);
  Option* add_option(const std::string& names, std::vector<int>& value, const std::string& help);
  Option* add_option(const std::string& names, std::vector<std::uint64_t>& value, const std::string& help);
  Option* add_option(const std::string& names, std::vector<double>& value, const std::string& help);

  Command* add_subcommand(const std::string& name, const std::string& description);
  // How many of its subcommands must be chosen at least, and may be at most.
  void require_subcommand(std::size_t least, std::size_t most);
  std::vector<std::string> subcommand_names() const;
  // All that it says of itself, with its subcommands as they are added by now.
  CommandText text() const;
  // While parsing is done and callbacks are called: is one of its subcommands chosen?
  bool has_chosen_subcommand() const;

  // The end of the help.
  void footer(const std::string& text);
  // Called if it is chosen, after everything is parsed.
  void callback(std::function<void()> action);
  // The names of what was given, as often as it was, in the order of the command line: {"mesh", "--motion", "mesh"}.
  std::vector<std::string> parse_order() const;

 protected:
  CLI::App& command_;

 private:
  template <class T>
  Option* add(const std::string& names, T& value, const std::string& help);

  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<Command>> subcommands_;
};

// The whole of it.
class CommandLine : public Command {
 public:
  CommandLine(const std::string& description, const std::string& name);
  ~CommandLine();

  // What --version prints.
  void set_version(const std::string& text);
  // Runs the callback of what is chosen, and lets through what that throws. Help is printed. Throws Error for words
  // that make no sense.
  void parse(int argc, char** argv);

 private:
  explicit CommandLine(std::unique_ptr<CLI::App> app);
  std::unique_ptr<CLI::App> app_;
};

}  // namespace pliant::app
