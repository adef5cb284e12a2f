// `pliant check`: do these meshes intersect, themselves or each other, and where exactly?
#include <filesystem>

#include "app/arguments.h"
#include "app/check_report.h"
#include "app/commands.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/split.h"

namespace pliant::app {
namespace {

struct CheckOptions {
  std::vector<std::string> meshes;
  bool no_self = false;
  bool no_weld = false;
  bool split = false;
  std::string method = "bvh";
  std::string mode = "safe";
  std::string budget;
  std::string pairs;
  std::optional<std::uint64_t> limit;
  std::string json;
  int threads = 0;
  bool quiet = false;
};

DetectorSettings detector_settings(const CheckOptions& options) {
  DetectorSettings settings;
  settings.mode = options.mode == "paper" ? Mode::paper : Mode::safe;
  settings.self = !options.no_self;
  settings.weld = !options.no_weld;
  settings.threads = {options.threads};
  return settings;
}

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::vector<CheckBody> read_bodies(const CheckOptions& options) {
  std::vector<CheckBody> bodies;
  ProgressBar bar("reading", options.quiet);
  for (std::size_t i = 0; i < options.meshes.size(); ++i) {
    bar.show(static_cast<double>(i) / static_cast<double>(options.meshes.size()));
    const std::string& path = options.meshes[i];
    const MeshFile file = read_mesh_file(path);
    if (!options.quiet)
      for (const std::string& warning : file.warnings) fmt::print(stderr, "pliant: {}: {}\n", path, warning);
    if (!options.split || file.mesh->origin().parts.empty()) {
      bodies.push_back(make_check_body(name_of(path), file.mesh));
      continue;
    }
    for (const NamedMesh& part : split_parts(*file.mesh))
      bodies.push_back(make_check_body(name_of(path) + "/" + part.name, part.mesh));
  }
  return bodies;
}

// `make_detector` names the method; this adds what only the command line knows.
std::unique_ptr<Detector> make_checked_detector(const CheckOptions& options, const std::vector<CheckBody>& bodies) {
  auto detector = make_detector(options.method, detector_settings(options));
  if (options.mode == "paper" && !detector->info().has_paper_mode)
    throw Error("method '" + options.method + "' has no paper mode: it is what it was published as",
                "leave out --mode");
  std::vector<std::string> names;
  for (const CheckBody& body : bodies) {
    detector->add_body(body.mesh);
    names.push_back(body.name);
  }
  if (!options.pairs.empty()) detector->set_filter(parse_pairs(options.pairs, names));
  return detector;
}

int run_check(const CheckOptions& options) {
  Stopwatch watch;
  CheckRun run;
  run.method = options.method;
  run.mode = options.mode;
  run.bodies = read_bodies(options);
  const auto detector = make_checked_detector(options, run.bodies);
  run.seconds.emplace_back("read", watch.lap());

  // Results go to the table and, as they come, to the JSON file: it appears when it is complete, or not at all.
  std::unique_ptr<OutputFile> file;
  if (!options.json.empty() && options.json != "-") file = std::make_unique<OutputFile>(options.json);
  const bool json_to_stdout = options.json == "-";
  CheckJson json(options.json.empty() ? JsonWriter::Output{} : [&](std::string_view text) {
    if (file) file->write(text);
    else std::fwrite(text.data(), 1, text.size(), stdout);
  }, run, *detector, options.limit);

  ProgressBar bar("checking", options.quiet);
  Budget budget = Budget{}.with_progress([&](double share) { bar.show(share); });
  if (!options.budget.empty()) budget = budget & Budget::within(parse_duration(options.budget));
  CheckTally tally(json, options.limit);
  run.report = detector->detect(Interval::instant(0), budget, &tally);
  run.seconds.emplace_back("detect", watch.lap());
  json.finish(tally);
  if (file) file->commit();
  if (!json_to_stdout && !options.quiet) print_check(run, tally, *detector);
  return exit_code(run, tally);
}

void add_options(CLI::App& command, CheckOptions& options) {
  command.add_option("mesh", options.meshes, "Mesh files: OBJ, PLY, STL, OFF")->required()->type_name("MESH");
  command.add_flag("--no-self", options.no_self, "Only collisions between bodies, none within one");
  command.add_flag("--split", options.split, "Every group or object of a file is a body of its own");
  command.add_flag("--no-weld", options.no_weld,
                   "Vertices at bit-equal positions stay separate: triangles that meet there touch");
  command.add_option("--method", options.method, "Which method (see `pliant methods`)")->capture_default_str();
  command.add_option("--mode", options.mode, "safe: nothing missed; paper: as the method was published")
      ->check(CLI::IsMember({"safe", "paper"}))
      ->capture_default_str();
  command.add_option("--budget", options.budget, "Stop after this time, with what is known then (2ms, 1.5s)");
  command.add_option("--pairs", options.pairs,
                     "Only these pairs of bodies, by number or name: 0:1,shirt.obj:shirt.obj");
  command.add_option("--limit", options.limit, "List at most this many contacts (all are counted)");
  command.add_option("--json", options.json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command.add_option("--threads", options.threads, "Threads to use; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_flag("--quiet,-q", options.quiet, "No table, no progress, no warnings: the exit status says it all");
}

}  // namespace

void add_check(CLI::App& app, Status& status) {
  CLI::App* command = app.add_subcommand("check", "Find where meshes intersect themselves and each other");
  const auto options = std::make_shared<CheckOptions>();
  add_options(*command, *options);
  command->footer(
      "Indices in reports are those of the file, counted from 0.\n\n"
      "Examples:\n"
      "  pliant check shirt.obj                      does it intersect itself?\n"
      "  pliant check shirt.obj body.ply --no-self   does the shirt intersect the body?\n"
      "  pliant check scene.obj --split --pairs 0:1  two groups of one file\n"
      "  pliant check scan.stl --json contacts.json  every contact, for a program\n\n"
      "Exit status: 0 nothing collides, 1 collisions found, 2 bad usage or input, 3 could not finish.");
  command->callback([options, &status] { status = run_check(*options); });
}

}  // namespace pliant::app
