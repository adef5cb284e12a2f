// `pliant bench`: methods on the built-in scenes, side by side.
#include "app/bench.h"

#include <algorithm>
#include <set>

#include "app/arguments.h"
#include "app/bench_measure.h"
#include "app/outputs.h"
#include "app/run_report.h"
#include "app/scene_list.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/contact_json.h"
#include "pliant/scene/run_scene.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"

namespace pliant::app {

namespace {

struct BenchOptions {
  std::vector<std::string> scenes;
  std::vector<std::string> methods{"swept-classical", "swept-bvh", "kinetic"};
  std::vector<std::string> settings;   // --set, for those of the methods that have it
  std::string mode = "safe";           // of the methods that have a paper mode
  std::vector<std::size_t> triangles;  // none: the scenes' own sizes
  std::vector<std::size_t> inbetweens{1};
  std::vector<int> threads{1};
  std::size_t frames = 20;
  std::size_t first = 0;  // keyframe with which measuring begins
  std::uint64_t seed = 1;
  bool no_self = false;
  bool boxes = false;
  bool earliest = false;
  std::string oracle = "auto";
  std::string json;
  bool quiet = false;
};

// What the oracle finds, over whole keyframe intervals; nothing if that would take too long.
std::optional<std::set<Meeting>> oracle_meetings(const BenchOptions& options, const MovingScene& scene, bool still) {
  constexpr std::size_t kAffordable = 3'000;  // triangles
  if (options.oracle == "off" || options.earliest) return std::nullopt;
  if (options.oracle == "auto" && scene.triangle_count() > kAffordable) return std::nullopt;
  BenchCase bench{&scene, options.oracle == "auto" ? "brute-force" : options.oracle, 1, options.first, {}};
  bench.settings.self = !options.no_self;
  return find_meetings(bench, still);
}

double per_frame(const BenchRow& row, std::initializer_list<const char*> names) {
  std::uint64_t sum = 0;
  for (const char* name : names) sum += row.counters[name];
  return static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(1, row.frames));
}

double events_per_frame(const BenchRow& row) {
  return per_frame(row,
                   {"leaf_events", "tree_events", "overlap_events", "fathers_apart_events", "leaves_apart_events"});
}

double tests_per_frame(const BenchRow& row) { return per_frame(row, {"pair_tests", "triangle_tests"}); }

void write_optional(JsonWriter& json, const char* name, const std::optional<double>& value) {
  json.key(name);
  if (value) json.value(*value);
  else json.null();
}

void write_row(JsonWriter& json, const BenchRow& row, const BenchOptions& options) {
  json.new_line().begin_object().field("scene", row.scene).field("method", row.method->name);
  json.field("mode", row.mode == Mode::paper ? "paper" : "safe");
  json.field("triangles", row.triangles).field("frames", row.frames).field("inbetweens", row.inbetweens);
  json.field("first", options.first)
      .field("threads", row.threads)
      .field("self", !options.no_self)
      .field("earliest", options.earliest);
  json.field("setup_ms", row.setup_ms);
  write_json(json, "ms_per_frame", row.ms);
  if (row.box_ms) write_json(json, "ms_per_frame_boxes", *row.box_ms);
  json.field("contacts", row.meetings.size());
  write_optional(json, "recall", row.recall);
  write_optional(json, "precision", row.precision);
  json.field("events_per_frame", events_per_frame(row)).field("tests_per_frame", tests_per_frame(row));
  json.field("bytes", row.bytes).field("guarantee", to_string(row.guarantee)).key("counters");
  write_json(json, row.counters);
  json.end_object();
}

std::string fraction_text(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.3g}", *fraction) : "-";
}

// `baseline`: the first method's row in the same setting.
void add_row(Table& table, const BenchRow& row, const BenchRow& baseline, bool boxes) {
  std::vector<std::string> cells{row.scene,
                                 grouped(row.triangles),
                                 std::to_string(row.inbetweens),
                                 std::to_string(row.threads),
                                 std::string(row.method->name) + (row.mode == Mode::paper ? " (paper)" : ""),
                                 fmt::format("{:.3f}", row.ms.mean),
                                 fmt::format("{:.3f}", row.ms.median),
                                 fmt::format("{:.3f}", row.ms.p99),
                                 fmt::format("{:.3f}", row.ms.max),
                                 fmt::format("{:.2f}x", baseline.ms.mean / row.ms.mean)};
  if (boxes) cells.push_back(row.box_ms ? fmt::format("{:.3f}", row.box_ms->mean) : "-");
  for (std::string cell :
       {grouped(row.meetings.size()), fraction_text(row.recall), fraction_text(row.precision),
        fmt::format("{:.0f}", events_per_frame(row)), fmt::format("{:.0f}", tests_per_frame(row)),
        fmt::format("{:.2f}", static_cast<double>(row.bytes) / 1e6), std::string(to_string(row.guarantee))})
    cells.push_back(std::move(cell));
  table.add_row(std::move(cells));
}

Table make_table(const BenchOptions& options) {
  std::vector<std::string> header{"scene", "triangles", "l", "threads", "method", "mean ms", "median", "p99", "max"};
  header.push_back("speed to " + options.methods.front());
  if (options.boxes) header.emplace_back("boxes ms");
  for (const char* name : {"contacts", "recall", "precision", "events/frame", "tests/frame", "MB", "guarantee"})
    header.emplace_back(name);
  return Table(std::move(header));
}

void require_known(const BenchOptions& options) {
  for (const std::string& method : options.methods) method_info(method);
  if (options.oracle != "auto" && options.oracle != "off") method_info(options.oracle);
  if (options.frames < 2) throw Error("--frames is too small", "a motion has two frames or more");
  if (options.first + 1 >= options.frames)
    throw Error("--first leaves no frame to measure", "it must be below --frames - 1");
}

class Bench {
 public:
  explicit Bench(const BenchOptions& options)
      : options_(options),
        chosen_(method_settings(options.settings, options.methods)),
        table_(make_table(options)),
        report_(options.json),
        json_(report_.output()),
        bar_("measuring", options.quiet) {
    for (const std::string& name : options.scenes) scenes_.push_back(find_scene(name));
  }

  void run() {
    json_.begin_object().field("schema", "pliant.bench/1");
    write_machine(json_);
    json_.new_line().key("rows").begin_array();
    for (const SceneDescription& scene : scenes_)
      for (const auto& triangles : sizes_of(scene)) measure_scene(moving(scene, triangles));
    json_.end_array().end_object().new_line();
    json_.flush();
    report_.commit();
  }

  void print() const {
    if (!report_.is_standard_output() && !options_.quiet) table_.print(stdout);
  }

 private:
  using Size = std::optional<std::size_t>;  // triangles; nothing: the scene's own

  std::vector<Size> sizes_of(const SceneDescription& scene) const {
    if (!scene.replay || options_.triangles.empty()) return {std::nullopt};
    return {options_.triangles.begin(), options_.triangles.end()};
  }

  // What is to be simulated is simulated once, before anything is measured.
  MovingScene moving(const SceneDescription& scene, const Size& triangles) const {
    if (!scene.replay && !options_.triangles.empty() && !options_.quiet)
      fmt::print(stderr, "pliant: {} has one size: --triangles does not change it\n", scene.name);
    MovingSceneSettings settings{.frames = options_.frames, .triangles = triangles, .seed = options_.seed};
    settings.build.mesh_folders = asset_folders();
    ProgressBar bar("simulating " + scene.name, options_.quiet);
    settings.budget = Budget().with_progress([&bar](double fraction) { bar.show(fraction); });
    return moving_scene(scene, settings);
  }

  void measure_scene(const MovingScene& scene) {
    std::array<std::optional<std::set<Meeting>>, 2> oracle;  // for moving and for still methods
    std::array<bool, 2> asked{};
    for (const std::size_t inbetweens : options_.inbetweens)
      for (const int threads : options_.threads) {
        std::optional<BenchRow> baseline;
        for (const std::string& method : options_.methods) {
          BenchCase bench{&scene, method, inbetweens, options_.first, {}};
          bench.settings.self = !options_.no_self;
          bench.settings.earliest = options_.earliest;
          bench.settings.threads = {threads};
          if (options_.mode == "paper" && method_info(method).has_paper_mode) bench.settings.mode = Mode::paper;
          if (const auto chosen = chosen_.find(method); chosen != chosen_.end()) bench.settings.method = chosen->second;
          BenchRow row = measure(bench);
          if (options_.boxes) row.box_ms = measure_boxes(bench);
          const bool still = !row.method->moving;
          if (!asked[still]) oracle[still] = oracle_meetings(options_, scene, still);
          asked[still] = true;
          // A still method between keyframes answers what the oracle was not asked.
          if (oracle[still] && !(still && inbetweens > 1)) {
            row.recall = fraction_found(*oracle[still], row.meetings);
            row.precision = fraction_found(row.meetings, *oracle[still]);
          }
          if (!baseline) baseline = row;
          write_row(json_, row, options_);
          add_row(table_, row, *baseline, options_.boxes);
          bar_.show(static_cast<double>(++done_) / static_cast<double>(rows()));
        }
      }
  }

  std::size_t rows() const {
    std::size_t sizes = 0;
    for (const SceneDescription& scene : scenes_) sizes += sizes_of(scene).size();
    return sizes * options_.inbetweens.size() * options_.threads.size() * options_.methods.size();
  }

  const BenchOptions& options_;
  std::vector<SceneDescription> scenes_;
  MethodSettingsByName chosen_;
  Table table_;
  ReportFile report_;
  JsonWriter json_;
  ProgressBar bar_;
  std::size_t done_ = 0;
};

int run_bench(BenchOptions options) {
  if (options.scenes.empty()) options.scenes = {"tablecloth", "swirl"};
  require_known(options);
  for (const std::string& name : options.scenes)
    require_outputs_apart({options.json}, files_read_for(find_scene(name), {.mesh_folders = asset_folders()}));
  Bench bench(options);
  bench.run();
  bench.print();
  return kDone;
}

void add_options(Command& command, BenchOptions& options) {
  command
      .add_option("scene", options.scenes, "Scenes by name, listed below, or scene files (default: tablecloth swirl)")
      ->offers(scene_names());
  command.add_option("--methods", options.methods, "Methods; the first is what the others are compared with")
      ->offers(method_names())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  add_method_settings(command, options.settings);
  command.add_option("--mode", options.mode, "Of the methods that have a paper mode; others are always safe")
      ->one_of({"safe", "paper"})
      ->capture_default_str();
  command
      .add_option("--triangles", options.triangles,
                  "Sizes of the scenes whose motion is made (default: 16000); simulated ones have one size")
      ->check(above_zero())
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--inbetweens", options.inbetweens,
                  "Frames per keyframe interval (l): how often each linear piece of the motion is sampled")
      ->check(above_zero())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command.add_option("--threads", options.threads, "Numbers of threads; 0: all")
      ->check(at_least_zero())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command.add_option("--frames", options.frames, "Keyframes of the scenes")->check(above_zero())->capture_default_str();
  command.add_option("--first", options.first, "Keyframe to begin with: bodies may meet only later")
      ->check(at_least_zero())
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Seed of the scenes")->check(at_least_zero())->capture_default_str();
  command.add_flag("--no-self", options.no_self, "Only collisions between bodies");
  command.add_flag("--earliest", options.earliest, "Only the first contact of every frame");
  command.add_flag("--boxes", options.boxes,
                   "Also measure each moving method's work on boxes alone: what comes before elementary tests");
  command
      .add_option(
          "--oracle", options.oracle,
          "What recall and precision are measured against: a method, off, or auto (brute-force for small scenes)")
      ->capture_default_str();
  command.add_option("--json", options.json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command.add_flag("--quiet,-q", options.quiet, "Print no table or progress");
}

}  // namespace

void add_bench(Command& app, Status& status) {
  Command* command = app.add_subcommand("bench", "Measure methods side by side on the built-in scenes");
  const auto options = std::make_shared<BenchOptions>();
  add_options(*command, *options);
  add_bench_budgets(*command, status);
  add_bench_ccd(*command, status);
  add_bench_run(*command, status);
  command->require_subcommand(0, 1);
  command->footer(
      "Scenes:\n" + scene_list() +
      "\nTimes are of single frames; ratios are of means, because some methods work in bursts. A contact is\n"
      "a pair of features that meets within a keyframe interval.\n\n"
      "Examples:\n"
      "  pliant bench tablecloth --triangles 2000,16000 --inbetweens 1,10\n"
      "  pliant bench cloth_on_ball --frames 60 --first 30    simulated first, then measured\n"
      "  pliant bench swirl --methods swept-bvh,brute-force --triangles 2000 --json swirl.json\n"
      "  pliant bench teapot-sphere --methods bvh,particles --mode paper --triangles 2500    misses, measured\n"
      "  pliant bench run cloth_on_ball fem_2000              frames of simulation, stage by stage\n"
      "  pliant bench ccd --queries queries/\n\n"
      "Exit status: 0 done, 2 bad usage or input, 3 could not finish.");
  command->callback([command, options, &status] {
    if (!command->has_chosen_subcommand()) status = run_bench(*options);
  });
}

}  // namespace pliant::app
