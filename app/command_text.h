// What the command line says of itself, as data: manual page and shell completions are written from it.
#pragma once

#include <string>
#include <vector>

namespace pliant::app {

struct OptionText {
  std::vector<std::string> names;  // long ones first, with their dashes; of what is given without a name, just that
  std::string value;               // what the help calls its value; empty: a flag
  std::string standard;            // the value that it has if it is not given, where the help shows it
  std::string help;
  std::string heading;             // under which the help lists it; empty: the usual one
  std::vector<std::string> words;  // what a shell completes the value with; none: file names

  bool is_positional() const { return names.front().front() != '-'; }
};

struct CommandText {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<OptionText> options;
  std::vector<CommandText> subcommands;
};

}  // namespace pliant::app
