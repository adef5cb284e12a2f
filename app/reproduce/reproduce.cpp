// `pliant reproduce`: what the papers claim, measured again.
#include <algorithm>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/outputs.h"
#include "app/reproduce/study_report.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/core/suggest.h"
#include "pliant/scene/scene_builder.h"

namespace pliant::app {
namespace {

struct ReproduceOptions {
  std::vector<std::string> methods;
  std::vector<std::string> meshes;  // NAME=FILE
  std::string json, html, docs;
  bool quick = false;
  bool quiet = false;
};

std::vector<StudyInfo> chosen(const std::vector<std::string>& names) {
  std::vector<StudyInfo> infos;
  for (const StudyInfo& info : studies())
    if (names.empty() ||
        std::any_of(names.begin(), names.end(), [&](const std::string& n) { return n == "all" || n == info.method; }))
      infos.push_back(info);
  std::vector<std::string_view> known{"all"};
  for (const StudyInfo& info : studies()) known.emplace_back(info.method);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error("there is no study of '" + name + "'", suggestion(name, known));
  return infos;
}

std::map<std::string, std::string> mesh_files(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> files;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
      throw Error("--mesh " + text + " names no file", "write bunny=FILE or dragon=FILE");
    files[text.substr(0, sign)] = text.substr(sign + 1);
  }
  return files;
}

int run(const ReproduceOptions& options) {
  const std::vector<StudyInfo> infos = chosen(options.methods);
  StudySettings settings{.quick = options.quick, .meshes = mesh_files(options.meshes), .note = {}};
  std::vector<std::string> inputs;
  for (const auto& [name, file] : settings.meshes) inputs.push_back(file);
  require_outputs_apart({options.json, options.html}, inputs);
  ReportFile report(options.json);
  const StopSignals signals;
  std::vector<Study> done;
  for (const StudyInfo& info : infos) {
    settings.note = [&](const std::string& what) {
      signals.throw_if_stopped();
      if (!options.quiet) fmt::print(stderr, "{}: {}\n", info.method, what);
    };
    done.push_back(info.make(settings));
  }
  JsonWriter json(report.output());
  write_json(json, done, options.quick);
  json.flush();
  report.commit();
  if (!options.html.empty()) {
    OutputFile page(options.html);
    page.write(studies_html(done, options.quick));
    page.commit();
  }
  if (!options.docs.empty()) write_docs(options.docs, done, options.quick);
  if (!report.is_standard_output() && !options.quiet) print_studies(done);
  return kDone;
}

}  // namespace

void add_reproduce(Command& app, Status& status) {
  Command* command = app.add_subcommand("reproduce", "Measure what the papers claim, and judge it");
  const auto options = std::make_shared<ReproduceOptions>();
  std::vector<std::string> names{"all"};
  for (const StudyInfo& info : studies()) names.emplace_back(info.method);
  command->add_option("method", options->methods, "Claims about these methods, or all (default)")->offers(names);
  command->add_flag("--quick", options->quick, "Small scenes and few frames: half a minute instead of up to an hour");
  command
      ->add_option("--mesh", options->meshes, "The file of a mesh that a paper used: bunny=scan.ply, dragon=scan.ply")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  command
      ->add_option("--json", options->json, "Write rows and figures as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command->add_option("--html", options->html, "Write a page with the plots")->type_name("FILE");
  command->add_option("--docs", options->docs, "Write reproduction.md and its plots into this folder")
      ->type_name("DIR");
  command->add_flag("--quiet,-q", options->quiet, "Print no table or progress");
  command->footer(
      "Every row is a claim, what was published, what is measured here and under which conditions, and a verdict: "
      "holds,\n"
      "does not hold, not comparable (what was published depends on what is not known) or not covered.\n\n"
      "Examples:\n"
      "  pliant reproduce --quick                        everything, small\n"
      "  pliant reproduce kinetic --html kinetic.html    figures 10 to 12 of that paper, as a page\n"
      "  pliant reproduce all --json - --quiet           rows for a program\n\n"
      "Exit status: 0 done, whatever the verdicts; 2 bad usage or input, 3 could not finish.");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace pliant::app
