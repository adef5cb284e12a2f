// `pliant man`: the manual page, in the words of the help.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/report_file.h"
#include "pliant/version.h"

namespace pliant::app {
namespace {

// Text as it is: backslashes, and signs at the start of a line, mean something to roff; a dash is to be pasted as one.
std::string plain(std::string_view text) {
  std::string out;
  bool starts_line = true;
  for (const char c : text) {
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    starts_line = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string slanted(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

// The words to choose from where they are few, else what the help calls the value.
std::string value_of(const OptionText& option) {
  if (option.value != "TEXT" || option.words.empty()) return slanted(option.value);
  return option.words.size() <= 4 ? bold(fmt::format("{}", fmt::join(option.words, "|"))) : slanted("NAME");
}

std::string names_of(const OptionText& option) {
  if (option.is_positional()) return slanted(option.value.empty() ? option.names.front() : option.value);
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
  return option.value.empty() ? names : names + " " + value_of(option);
}

std::string entry(const OptionText& option) {
  std::string text = ".TP\n" + names_of(option) + "\n" + plain(option.help);
  if (!option.standard.empty()) text += plain(" (default: " + option.standard + ")");
  return text + "\n";
}

// Options in the order of the help: those without a heading, then heading by heading.
std::string entries(const std::vector<OptionText>& options) {
  std::vector<std::string> headings{""};
  for (const OptionText& option : options)
    if (std::find(headings.begin(), headings.end(), option.heading) == headings.end())
      headings.push_back(option.heading);
  std::string text;
  for (const std::string& heading : headings) {
    if (!heading.empty()) text += ".PP\n" + plain(heading) + ":\n";
    for (const OptionText& option : options)
      if (option.heading == heading) text += entry(option);
  }
  return text;
}

// What the footer of a help says, line by line as it stands: tables and examples are aligned by spaces.
std::string verbatim(const std::string& text) { return text.empty() ? "" : ".PP\n.nf\n" + plain(text) + "\n.fi\n"; }

std::string synopsis(const std::string& name, const CommandText& command) {
  std::string text = ".SS " + bold(name);
  if (!command.options.empty()) text += " [" + slanted("OPTIONS") + "]";
  for (const OptionText& option : command.options)
    if (option.is_positional()) text += " " + names_of(option);
  return text + "\n";
}

std::string section(const std::string& prefix, const CommandText& command) {
  const std::string name = prefix + " " + command.name;
  std::string text = synopsis(name, command) + plain(command.description) + ".\n";
  text += entries(command.options) + verbatim(command.footer);
  for (const CommandText& subcommand : command.subcommands) text += section(name, subcommand);
  return text;
}

constexpr const char* kEnvironment =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBPLIANT_ASSETS\\fR\nA folder in which scenes look for meshes that they know by name.\n"
    ".TP\n\\fBPLIANT_VIEW\\fR\nThe built page that \\fBview\\fR and \\fB\\-\\-html\\fR put data into.\n"
    ".TP\n\\fBPLIANT_NETGEN\\fR\nThe helper that makes tetrahedra by Netgen, if it is not beside the command.\n"
    ".TP\n\\fBPLIANT_NO_AVX2\\fR\nIf it is set, processors count as without AVX2. Results are the same.\n";

std::string man_page(const CommandText& program) {
  std::string text = fmt::format(".TH PLIANT 1 \"\" \"pliant {}\" \"User commands\"\n.nh\n", PLIANT_VERSION);
  text += ".SH NAME\npliant \\- collisions between bodies that bend: found, and answered\n";
  text += ".SH SYNOPSIS\n" + bold("pliant") + " " + slanted("COMMAND") + " [" + slanted("OPTIONS") + "] ...\n";
  text += ".SH DESCRIPTION\n" + plain(program.description) + "\n" + verbatim(program.footer);
  text += ".SH COMMANDS\n";
  for (const CommandText& command : program.subcommands) text += section(program.name, command);
  return text + kEnvironment;
}

}  // namespace

void add_man(Command& app, Status&) {
  Command* command = app.add_subcommand("man", "Print the manual page");
  command->footer(
      "Examples:\n  pliant man | man -l -                      read it\n"
      "  pliant man > ~/.local/share/man/man1/pliant.1   keep it (`make install` does)");
  command->callback([&app] { write_standard_output(man_page(app.text())); });
}

}  // namespace pliant::app
