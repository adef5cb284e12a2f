// `pliant methods`: what each method answers and guarantees.
#include "app/commands.h"
#include "app/report_file.h"
#include "app/terminal.h"
#include "pliant/detect/registry.h"
#include "pliant/io/json_writer.h"

namespace pliant::app {
namespace {

void print_json() {
  JsonWriter json(write_standard_output);
  json.begin_object().field("schema", "pliant.methods/1").key("methods").begin_array();
  for (const MethodInfo* method : methods()) {
    json.begin_object().field("name", method->name).field("answers", method->answers);
    json.field("guarantee", method->guarantee).field("paper", method->paper);
    json.field("still", method->still).field("moving", method->moving).end_object();
  }
  json.end_array().end_object().new_line().flush();
}

void print_table() {
  Table table({"name", "meshes", "answers", "guarantee", "paper"});
  for (const MethodInfo* method : methods()) {
    const char* meshes = method->still && method->moving ? "still, moving" : method->moving ? "moving" : "still";
    table.add_row({std::string(method->name), meshes, std::string(method->answers), std::string(method->guarantee),
                   std::string(method->paper)});
  }
  table.print(stdout);
}

}  // namespace

void add_methods(Command& app, Status&) {
  Command* command = app.add_subcommand("methods", "List the methods: what each answers, its guarantee, its paper");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON instead of a table");
  command->footer("Example:\n  pliant methods");
  command->callback([json] { *json ? print_json() : print_table(); });
}

}  // namespace pliant::app
