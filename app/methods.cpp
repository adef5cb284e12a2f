// `pliant methods`: what each method answers and guarantees, and what it lets one choose.
#include "app/arguments.h"
#include "app/commands.h"
#include "app/report_file.h"
#include "app/terminal.h"
#include "pliant/detect/registry.h"
#include "pliant/io/json_writer.h"

namespace pliant::app {
namespace {

std::string what_it_answers(const MethodInfo& method) {
  return method.still && method.moving ? "still, moving" : method.moving ? "moving" : "still";
}

std::string modes_of(const MethodInfo& method) { return method.has_paper_mode ? "safe, paper" : "safe"; }

void write_number(JsonWriter& json, const SettingInfo& setting, double number) {
  if (setting.type == SettingType::whole) json.value(static_cast<std::int64_t>(number));
  else json.value(number);
}

void write_setting(JsonWriter& json, const SettingInfo& setting) {
  json.begin_object().field("name", setting.name).field("type", to_string(setting.type)).field("unit", setting.unit);
  json.key("default");
  std::visit([&](auto value) { json.value(value); }, setting.standard);
  if (setting.type != SettingType::flag) {
    write_number(json.key("least"), setting, setting.least);
    write_number(json.key("most"), setting, setting.most);
  }
  json.field("effect", setting.effect).end_object();
}

void write_method(JsonWriter& json, const MethodInfo& method) {
  json.begin_object().field("name", method.name).field("answers", method.answers);
  json.field("guarantee", method.guarantee).field("paper", method.paper);
  json.field("still", method.still).field("moving", method.moving).field("paper_mode", method.has_paper_mode);
  json.key("settings").begin_array();
  for (const SettingInfo& setting : method.settings) write_setting(json, setting);
  json.end_array().end_object();
}

void print_json(std::span<const MethodInfo* const> chosen) {
  JsonWriter json(write_standard_output);
  json.begin_object().field("schema", "pliant.methods/1").key("methods").begin_array();
  for (const MethodInfo* method : chosen) write_method(json, *method);
  json.end_array().end_object().new_line().flush();
}

void print_list() {
  Table table({"name", "meshes", "answers", "guarantee", "paper"});
  for (const MethodInfo* method : methods())
    table.add_row({std::string(method->name), what_it_answers(*method), std::string(method->answers),
                   std::string(method->guarantee), std::string(method->paper)});
  table.print(stdout);
}

void print_method(const MethodInfo& method) {
  fmt::print("{}: {}\n", method.name, method.answers);
  fmt::print("  meshes     {}\n  guarantee  {}\n  modes      {}\n  paper      {}\n\n", what_it_answers(method),
             method.guarantee, modes_of(method), method.paper);
  if (method.settings.empty()) {
    fmt::print("It has no settings.\n");
    return;
  }
  Table table({"setting", "type", "default", "range", "unit", "effect"});
  for (const SettingInfo& setting : method.settings)
    table.add_row({std::string(setting.name), std::string(to_string(setting.type)), to_string(setting.standard),
                   range_of(setting), std::string(setting.unit), std::string(setting.effect)});
  table.print(stdout);
  if (method.guarantee.starts_with("exact"))
    fmt::print("\nNone of them changes what is found{}.\n", method.has_paper_mode ? " in safe mode" : "");
  fmt::print("On the command line: --set {}={}; in a scene: [method.{}].\n", method.settings[0].name,
             to_string(method.settings[0].standard), method.name);
}

struct MethodsOptions {
  std::string name;
  bool json = false;
};

void run(const MethodsOptions& options) {
  const MethodInfo* one = options.name.empty() ? nullptr : &method_info(options.name);
  if (options.json) print_json(one ? std::span(&one, 1) : methods());
  else if (one) print_method(*one);
  else print_list();
}

}  // namespace

void add_methods(Command& app, Status&) {
  Command* command = app.add_subcommand("methods", "List the methods: what each answers, its guarantee, its paper");
  const auto options = std::make_shared<MethodsOptions>();
  command->add_option("name", options->name, "Describe this method and its settings")->offers(method_names());
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->footer(
      "Examples:\n  pliant methods            all of them\n  pliant methods kinetic    one of them, and its settings");
  command->callback([options] { run(*options); });
}

}  // namespace pliant::app
