// `pliant bench run`: what a frame of simulation costs, stage by stage, with nothing recorded.
#include <ctime>
#include <numeric>

#include "app/arguments.h"
#include "app/bench.h"
#include "app/outputs.h"
#include "app/run_report.h"
#include "app/spread.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/scene/run_scene.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"

namespace pliant::app {
namespace {

struct RunBenchOptions {
  std::vector<std::string> scenes;
  std::string method, mode, response;
  std::vector<std::string> settings;  // --set
  std::optional<std::string> search_budget;
  std::optional<int> frames;
  int threads = 1;
  int repeat = 1;
  std::string json;
  bool quiet = false;
};

struct FrameCost {
  StageSeconds stages;
  double cpu = 0;  // s, of all threads
};

struct RunBenchRow {
  const SceneDescription* scene = nullptr;
  std::string method;
  std::size_t vertices = 0, triangles = 0;  // of bodies that give way
  std::vector<FrameCost> frames;
  std::size_t contacts = 0, searches = 0, zones = 0, halvings = 0, asleep = 0;
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool gives_way(const BodyModel& body) {
  const std::span<const double> masses = body.masses();
  return std::any_of(masses.begin(), masses.end(), [](double m) { return !std::isinf(m); });
}

// The same frame costs more at times, never less: what it costs is the least of several runs.
void keep_least(FrameCost& least, const FrameCost& cost) {
  least.stages.predict = std::min(least.stages.predict, cost.stages.predict);
  least.stages.detect = std::min(least.stages.detect, cost.stages.detect);
  least.stages.respond = std::min(least.stages.respond, cost.stages.respond);
  least.stages.commit = std::min(least.stages.commit, cost.stages.commit);
  least.cpu = std::min(least.cpu, cost.cpu);
}

void count_bodies(const World& world, RunBenchRow& row) {
  for (std::size_t b = 0; b < world.body_count(); ++b) {
    const BodyModel& body = world.body(BodyId(b));
    if (!gives_way(body)) continue;
    row.vertices += body.mesh()->vertex_count();
    row.triangles += body.mesh()->face_count();
  }
}

// One run from the start to the end.
RunBenchRow run_once(const SceneDescription& scene, int frames, int threads, ProgressBar& bar) {
  BuiltScene built = build_world(scene, {.threads = {threads}, .mesh_folders = asset_folders()});
  RunBenchRow row{.scene = &scene};
  count_bodies(built.world, row);
  for (int frame = 0; frame < frames; ++frame) {
    const double before = cpu_seconds();
    const FrameReport report = built.world.step();
    row.frames.push_back({report.seconds, cpu_seconds() - before});
    if (!report.ok()) throw Error("the scene '" + scene.name + "': " + report.message);
    row.contacts += report.impacts;
    row.searches += report.searches;
    row.zones += report.zones;
    row.halvings += report.halvings;
    row.asleep = report.asleep;
    bar.show(static_cast<double>(frame + 1) / frames);
  }
  // Where nothing is proved, no proving method was chosen.
  row.method = built.world.method_in_use() == "auto" ? scene.world.method : built.world.method_in_use();
  return row;
}

RunBenchRow measure_run(const SceneDescription& scene, const RunBenchOptions& options) {
  if (scene.replay)
    throw Error("the scene '" + scene.name + "' is a replay: nothing of it is simulated",
                "name another, or measure methods on it: pliant bench " + scene.name);
  const int frames = scene.frames;
  ProgressBar bar("simulating " + scene.name, options.quiet);
  RunBenchRow row = run_once(scene, frames, options.threads, bar);
  for (int again = 1; again < options.repeat; ++again) {
    const RunBenchRow other = run_once(scene, frames, options.threads, bar);
    for (std::size_t i = 0; i < row.frames.size(); ++i) keep_least(row.frames[i], other.frames[i]);
  }
  return row;
}

template <class Seconds>
Spread ms_of(const RunBenchRow& row, Seconds&& seconds) {
  std::vector<double> ms;
  for (const FrameCost& frame : row.frames) ms.push_back(1e3 * seconds(frame));
  return spread_of(std::move(ms));
}

constexpr std::pair<const char*, double StageSeconds::*> kStages[] = {{"predict", &StageSeconds::predict},
                                                                      {"detect", &StageSeconds::detect},
                                                                      {"respond", &StageSeconds::respond},
                                                                      {"commit", &StageSeconds::commit}};

Spread total_ms(const RunBenchRow& row) {
  return ms_of(row, [](const FrameCost& frame) { return frame.stages.total(); });
}
Spread cpu_ms(const RunBenchRow& row) {
  return ms_of(row, [](const FrameCost& frame) { return frame.cpu; });
}
Spread stage_ms(const RunBenchRow& row, double StageSeconds::*stage) {
  return ms_of(row, [stage](const FrameCost& frame) { return frame.stages.*stage; });
}

void write_row(JsonWriter& json, const RunBenchRow& row, const RunBenchOptions& options) {
  const WorldSettings& world = row.scene->world;
  json.new_line().begin_object().field("scene", row.scene->name).field("method", row.method);
  json.field("mode", world.mode == Mode::paper ? "paper" : "safe").field("response", to_string(world.response.kind));
  if (world.search_seconds) json.field("search_seconds", *world.search_seconds);
  json.field("vertices", row.vertices).field("triangles", row.triangles).field("frames", row.frames.size());
  json.field("frame_seconds", row.scene->world.frame_seconds).field("threads", options.threads);
  json.field("repeat", options.repeat).field("frames_per_second", 1e3 / total_ms(row).mean);
  write_json(json, "ms_per_frame", total_ms(row));
  write_json(json, "cpu_ms_per_frame", cpu_ms(row));
  json.key("ms_by_stage").begin_object();
  for (const auto& [name, stage] : kStages) write_json(json, name, stage_ms(row, stage));
  json.end_object().field("contacts", row.contacts).field("searches", row.searches);
  json.field("zones", row.zones).field("halvings", row.halvings).field("asleep", row.asleep).end_object();
}

void add_row(Table& table, const RunBenchRow& row) {
  const Spread total = total_ms(row);
  std::vector<std::string> cells{row.scene->name, grouped(row.vertices), grouped(row.triangles),
                                 std::to_string(row.frames.size()), fmt::format("{:.1f}", 1e3 / total.mean)};
  for (const double ms : {total.mean, total.p99, cpu_ms(row).mean}) cells.push_back(fmt::format("{:.2f}", ms));
  for (const auto& [name, stage] : kStages) cells.push_back(fmt::format("{:.2f}", stage_ms(row, stage).mean));
  table.add_row(std::move(cells));
}

// In place of what scenes say.
RunSceneSettings changes_of(const RunBenchOptions& options) {
  RunSceneSettings changes;
  changes.frames = options.frames;
  changes.method = options.method;
  changes.mode = options.mode;
  changes.response = options.response;
  changes.method_settings = options.settings;
  if (options.search_budget)
    changes.search_seconds = std::chrono::duration<double>(parse_duration(*options.search_budget)).count();
  return changes;
}

int run_run_bench(const RunBenchOptions& options) {
  std::vector<SceneDescription> scenes;
  for (const std::string& name : options.scenes) {
    scenes.push_back(find_scene(name));
    apply(changes_of(options), scenes.back());
    require_outputs_apart({options.json}, files_read_for(scenes.back(), {.mesh_folders = asset_folders()}));
  }
  ReportFile report(options.json);
  JsonWriter json(report.output());
  json.begin_object().field("schema", "pliant.bench.run/1");
  write_machine(json);
  json.new_line().key("rows").begin_array();
  Table table({"scene", "vertices", "triangles", "frames", "frames/s", "mean ms", "p99", "cpu ms", "predict", "detect",
               "respond", "commit"});
  for (const SceneDescription& scene : scenes) {
    const RunBenchRow row = measure_run(scene, options);
    write_row(json, row, options);
    add_row(table, row);
  }
  json.end_array().end_object().new_line();
  json.flush();
  report.commit();
  if (!report.is_standard_output() && !options.quiet) table.print(stdout);
  return kDone;
}

}  // namespace

void add_bench_run(Command& bench, Status& status) {
  Command* command = bench.add_subcommand("run", "Measure the frames of simulated scenes, with nothing recorded");
  const auto options = std::make_shared<RunBenchOptions>();
  command->add_option("scene", options->scenes, "Scenes by name (pliant run --list), or scene files")
      ->required()
      ->offers(scene_names());
  command->add_option("--frames", options->frames, "Frames to simulate (default: what the scene says)")
      ->check(above_zero());
  command->add_option("--method", options->method, "Find collisions by this method of `pliant methods`")
      ->offers(method_names());
  command->add_option("--mode", options->mode, "Methods and responses as they are (safe), or as published (paper)")
      ->one_of({"safe", "paper"})
      ->type_name("MODE");
  command->add_option("--response", options->response, "Answer contacts by proof, penalty or pull-back")
      ->type_name("KIND")
      ->offers(response_names());
  add_method_settings(*command, options->settings);
  command->add_option("--search-budget", options->search_budget, "Time for each search alone (200us)");
  add_threads(*command, options->threads);
  command->add_option("--repeat", options->repeat, "Runs; of each frame and stage the fastest counts")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("--json", options->json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command->add_flag("--quiet,-q", options->quiet, "No table, no progress");
  command->footer(
      "Stages of a frame: predict (bodies move), detect (what is in the way, and the proof), respond (contacts are\n"
      "answered), commit. Vertices and triangles are of bodies that give way. cpu: of all threads, without waiting.\n\n"
      "Examples:\n"
      "  pliant bench run cloth_on_ball fem_2000 --repeat 3 --json runs.json\n"
      "  pliant bench run bunnies --method anytime --response penalty --search-budget 1ms");
  command->callback([options, &status] { status = run_run_bench(*options); });
}

}  // namespace pliant::app
