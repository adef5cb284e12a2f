// `pliant completion SHELL`: what a shell needs to complete this command's words.
#include <fmt/format.h>

#include <functional>

#include "app/commands.h"
#include "app/report_file.h"

namespace pliant::app {
namespace {

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<std::string> names_of(const std::vector<CommandText>& commands) {
  std::vector<std::string> names;
  for (const CommandText& command : commands) names.push_back(command.name);
  return names;
}

// Calls `visit` for the command and everything below it, with the words that lead to each: {"bench", "ccd"}.
using Visit = std::function<void(const std::vector<std::string>& path, const CommandText& command)>;
void walk(const CommandText& command, std::vector<std::string>& path, const Visit& visit) {
  visit(path, command);
  for (const CommandText& subcommand : command.subcommands) {
    path.push_back(subcommand.name);
    walk(subcommand, path, visit);
    path.pop_back();
  }
}
void walk(const CommandText& program, const Visit& visit) {
  std::vector<std::string> path;
  walk(program, path, visit);
}

// Text between single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The first sentence of a help: lists of words to choose from have little room.
std::string first_clause(const std::string& help) { return help.substr(0, help.find_first_of(":;(")); }

// --- bash: one function that knows, for each chain of subcommands, its words, and for each option its values. ---

// The commands that are chosen as a path: "/bench/ccd".
std::string bash_path(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& word : path) text += "/" + word;
  return text;
}

std::string bash_words(const CommandText& command) {
  std::vector<std::string> words = names_of(command.subcommands);
  for (const OptionText& option : command.options) {
    const std::vector<std::string>& offered = option.is_positional() ? option.words : option.names;
    words.insert(words.end(), offered.begin(), offered.end());
  }
  words.emplace_back("--help");
  return joined(words);
}

std::string bash_values(const std::vector<std::string>& path, const OptionText& option) {
  if (option.is_positional() || option.value.empty()) return "";
  std::string cases;
  for (const std::string& name : option.names) cases += (cases.empty() ? "" : "|") + bash_path(path) + ":" + name;
  return fmt::format("    {}) words=\"{}\"; is_value=1 ;;\n", cases, joined(option.words));
}

std::string bash_completion(const CommandText& program) {
  std::string paths, values, words;
  walk(program, [&](const std::vector<std::string>& path, const CommandText& command) {
    if (!path.empty()) paths += (paths.empty() ? "" : "|") + bash_path(path);
    for (const OptionText& option : command.options) values += bash_values(path, option);
    words += fmt::format("    \"{}\") words=\"{}\" ;;\n", bash_path(path), bash_words(command));
  });
  return fmt::format(R"(# bash completion of pliant, written by `pliant completion bash`
_pliant() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" path="" words="" is_value="" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path/${{COMP_WORDS[i]}}" in {}) path="$path/${{COMP_WORDS[i]}}" ;; esac
  done
  case "$path:$before" in
{}  esac
  [ -n "$is_value" ] || case "$path" in
{}  esac
  # Options only where one is begun.
  local without="-*"
  [[ $word == -* ]] && without=""
  COMPREPLY=($(compgen -W "$words" -X "$without" -- "$word"))
}}
complete -o bashdefault -o default -F _pliant pliant
)",
                     paths, values, words);
}

// --- zsh: a function per command for _arguments. ---

// Within '...[...]' and before colons of a specification.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const OptionText& option) {
  return option.words.empty() ? "_files" : "(" + joined(option.words) + ")";
}

std::string zsh_specification(const OptionText& option) {
  const std::string value = ":" + zsh_text(option.value.empty() ? option.names.front() : option.value) + ":";
  // What has a list of words, a scene or a method, may be a file all the same.
  if (option.is_positional())
    return "    " +
           quoted("*" + value +
                  (option.words.empty()
                       ? "_files"
                       : " _alternative \"words\\:word\\:(" + joined(option.words) + ")\" \"files\\:file\\:_files\"")) +
           " \\\n";
  std::string text;
  for (const std::string& name : option.names)
    text += "    " +
            quoted("*" + name + "[" + zsh_text(first_clause(option.help)) + "]" +
                   (option.value.empty() ? "" : value + zsh_action(option))) +
            " \\\n";
  return text;
}

std::string zsh_name(const std::vector<std::string>& path) {
  std::string name = "_pliant";
  for (const std::string& word : path) name += "_" + word;
  return name;
}

// Its options, and, if it has subcommands, one of them and what comes after that.
std::string zsh_function(const std::vector<std::string>& path, const CommandText& command) {
  std::string text = zsh_name(path) + "() {\n";
  std::string specifications;
  for (const OptionText& option : command.options) specifications += zsh_specification(option);
  const std::string help = "    '--help[Print the help]'";
  if (command.subcommands.empty()) return text + "  _arguments -s \\\n" + specifications + help + "\n}\n\n";
  text += "  local -a commands=(\n";
  for (const CommandText& subcommand : command.subcommands)
    text += "    " + quoted(zsh_text(subcommand.name) + ":" + first_clause(subcommand.description)) + "\n";
  text += "  )\n  if (( CURRENT > 2 )) && [[ \" " + joined(names_of(command.subcommands)) +
          " \" == *\" $words[2] \"* ]]; then\n";
  text += "    local chosen=\"" + zsh_name(path) +
          "_$words[2]\"\n    shift words; (( CURRENT-- )); $chosen; return\n  fi\n";
  text += "  (( CURRENT == 2 )) && _describe command commands\n";
  return text + "  _arguments -s \\\n" + specifications + help + "\n}\n\n";
}

std::string zsh_completion(const CommandText& program) {
  std::string text = "#compdef pliant\n# written by `pliant completion zsh`\n";
  walk(program,
       [&](const std::vector<std::string>& path, const CommandText& command) { text += zsh_function(path, command); });
  return text + "_pliant \"$@\"\n";
}

// --- fish: a line per word. ---

std::string fish_condition(const std::vector<std::string>& path, const CommandText& command) {
  std::string condition = path.empty() ? "__fish_use_subcommand" : "";
  for (const std::string& word : path)
    condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  if (!path.empty() && !command.subcommands.empty())
    condition += "; and not __fish_seen_subcommand_from " + joined(names_of(command.subcommands));
  return condition;
}

std::string fish_option(const OptionText& option) {
  if (option.is_positional()) return option.words.empty() ? "" : " -a " + quoted(joined(option.words));
  std::string text;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) text += option.words.empty() ? " -r" : " -x -a " + quoted(joined(option.words));
  return text + " -d " + quoted(first_clause(option.help));
}

std::string fish_completion(const CommandText& program) {
  std::string text = "# fish completion of pliant, written by `pliant completion fish`\n";
  walk(program, [&](const std::vector<std::string>& path, const CommandText& command) {
    const std::string start = "complete -c pliant -n " + quoted(fish_condition(path, command));
    for (const CommandText& subcommand : command.subcommands)
      text += start + " -a " + subcommand.name + " -d " + quoted(first_clause(subcommand.description)) + "\n";
    for (const OptionText& option : command.options)
      if (const std::string words = fish_option(option); !words.empty()) text += start + words + "\n";
  });
  return text;
}

std::string completion(const std::string& shell, const CommandText& program) {
  if (shell == "bash") return bash_completion(program);
  return shell == "zsh" ? zsh_completion(program) : fish_completion(program);
}

}  // namespace

void add_completion(Command& app, Status&) {
  Command* command =
      app.add_subcommand("completion", "Print what bash, zsh or fish need to complete the command's words");
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "Your shell")->one_of({"bash", "zsh", "fish"})->required()->type_name("SHELL");
  command->footer(
      "Examples (`make install` puts all three where shells look for them):\n"
      "  source <(pliant completion bash)                             in this shell, from now on\n"
      "  pliant completion zsh > ~/.zfunc/_pliant                     a folder of $fpath\n"
      "  pliant completion fish > ~/.config/fish/completions/pliant.fish");
  command->callback([&app, shell] { write_standard_output(completion(*shell, app.text())); });
}

}  // namespace pliant::app
