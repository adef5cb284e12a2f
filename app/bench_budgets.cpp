// `pliant bench budgets`: what methods that can be interrupted have found by then, and how late they are.
#include <algorithm>
#include <cmath>
#include <set>

#include "app/arguments.h"
#include "app/bench.h"
#include "app/outputs.h"
#include "app/run_report.h"
#include "app/scene_list.h"
#include "app/spread.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"
#include "pliant/detect/registry.h"
#include "pliant/scene/run_scene.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"

namespace pliant::app {
namespace {

struct BudgetBenchOptions {
  std::vector<std::string> scenes;
  std::vector<std::string> methods{"anytime", "sphere-tree"};
  std::vector<std::string> settings;
  std::string mode = "safe";
  std::vector<std::string> budgets{"20us", "100us", "1ms", "10ms"};
  std::vector<std::size_t> triangles;
  std::size_t frames = 20;
  std::size_t first = 0;
  int repeat = 1;
  std::uint64_t seed = 1;
  bool no_self = false;
  std::string json;
  bool quiet = false;
};

using FacePair = std::pair<Feature, Feature>;

std::set<FacePair> certain_pairs(const Report& report) {
  std::set<FacePair> pairs;
  for (const Contact& c : report.contacts)
    if (c.relation != Relation::possible) pairs.emplace(c.a, c.b);
  return pairs;
}

// One keyframe as it is without a limit.
struct Truth {
  std::set<FacePair> pairs;
  double diagonal = 0;
};

struct BudgetRow {
  std::string method;
  bool paper = false;
  std::string budget;
  double us = 0;
  std::size_t searches = 0;
  std::size_t complete = 0;
  double recall = 0;  // mean
  Spread bound;       // over the scene's diagonal; of searches that have one
  std::size_t unbounded = 0;
  Spread unresolved;  // pairs of regions
  Spread late_us;     // 0 if in time
  Spread empty_late_us;
};

double diagonal_of(const MovingScene& scene, double time) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const MovingBody& body : scene.bodies) {
    const Frame frame = body.motion.positions_at(time);
    for (const Vec3& p : frame.positions()) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  }
  return (high - low).norm();
}

std::unique_ptr<Detector> detector_for(const MovingScene& scene, const std::string& method,
                                       const DetectorSettings& settings) {
  auto detector = make_detector(method, settings);
  if (detector->info().moving)
    throw Error("the method '" + method + "' looks at motion", "name methods of still meshes: anytime, sphere-tree");
  for (const MovingBody& body : scene.bodies) detector->add_body(body.mesh, body.motion);
  return detector;
}

// How late a loop is that only looks at the clock: what the machine does by itself.
double empty_loop(double us) {
  constexpr double kLongest = 20e3;  // nobody should wait for it
  us = std::min(us, kLongest);
  const Budget budget = Budget::within_seconds(us * 1e-6);
  Stopwatch watch;
  while (!budget.past_deadline()) {
  }
  return std::max(0.0, watch.lap() * 1e6 - us);
}

class BudgetBench {
 public:
  BudgetBench(const BudgetBenchOptions& options, const MovingScene& scene) : options_(options), scene_(scene) {
    DetectorSettings settings;
    settings.self = !options.no_self;
    const auto exact = detector_for(scene, "bvh", settings);
    for (std::size_t k = options.first; k < scene.frame_count(); ++k) {
      const auto time = static_cast<double>(k);
      truth_.push_back({certain_pairs(exact->detect(Interval::instant(time))), diagonal_of(scene, time)});
    }
  }

  // All budgets of one method, on one detector whose structures are there.
  std::vector<BudgetRow> rows(const std::string& method, const MethodSettingsByName& chosen) const {
    DetectorSettings settings;
    settings.self = !options_.no_self;
    settings.threads = {1};
    const bool paper = options_.mode == "paper" && method_info(method).has_paper_mode;
    if (paper) settings.mode = Mode::paper;
    if (const auto own = chosen.find(method); own != chosen.end()) settings.method = own->second;
    const auto detector = detector_for(scene_, method, settings);
    for (std::size_t k = 0; k < truth_.size(); ++k) detector->detect(at(k));
    std::vector<BudgetRow> rows;
    for (const std::string& budget : options_.budgets) {
      rows.push_back(measure(*detector, budget));
      rows.back().method = method;
      rows.back().paper = paper;
    }
    return rows;
  }

 private:
  Interval at(std::size_t k) const { return Interval::instant(static_cast<double>(options_.first + k)); }

  // Keyframe after keyframe: nothing is as it was in the search before.
  BudgetRow measure(Detector& detector, const std::string& budget) const {
    BudgetRow row{.budget = budget, .us = std::chrono::duration<double, std::micro>(parse_duration(budget)).count()};
    std::vector<double> bounds, unresolved, late, empty;
    Stopwatch watch;
    for (int turn = 0; turn < options_.repeat; ++turn)
      for (std::size_t k = 0; k < truth_.size(); ++k) {
        watch.lap();
        const Report report = detector.detect(at(k), Budget::within_seconds(row.us * 1e-6));
        late.push_back(std::max(0.0, watch.lap() * 1e6 - row.us));
        empty.push_back(empty_loop(row.us));
        ++row.searches;
        row.complete += report.complete ? 1 : 0;
        row.recall += recall(report, truth_[k]);
        if (std::isfinite(report.bound)) bounds.push_back(report.bound / truth_[k].diagonal);
        else ++row.unbounded;
        unresolved.push_back(static_cast<double>(report.cut.size()));
      }
    row.recall /= static_cast<double>(row.searches);
    row.bound = spread_of(std::move(bounds));
    row.unresolved = spread_of(std::move(unresolved));
    row.late_us = spread_of(std::move(late));
    row.empty_late_us = spread_of(std::move(empty));
    return row;
  }

  static double recall(const Report& report, const Truth& truth) {
    if (truth.pairs.empty()) return 1;
    const auto found = certain_pairs(report);
    const auto count =
        std::count_if(found.begin(), found.end(), [&](const FacePair& p) { return truth.pairs.contains(p); });
    return static_cast<double>(count) / static_cast<double>(truth.pairs.size());
  }

  const BudgetBenchOptions& options_;
  const MovingScene& scene_;
  std::vector<Truth> truth_;
};

void write_row(JsonWriter& json, const MovingScene& scene, const BudgetRow& row, bool self) {
  json.new_line().begin_object().field("scene", scene.name).field("method", row.method);
  json.field("mode", row.paper ? "paper" : "safe").field("triangles", scene.triangle_count()).field("self", self);
  json.field("budget_us", row.us).field("searches", row.searches).field("complete", row.complete);
  json.field("recall", row.recall).field("unbounded", row.unbounded);
  write_json(json, "bound", row.bound);
  write_json(json, "unresolved_regions", row.unresolved);
  write_json(json, "late_us", row.late_us);
  write_json(json, "empty_loop_late_us", row.empty_late_us);
  json.end_object();
}

void add_row(Table& table, const MovingScene& scene, const BudgetRow& row) {
  const auto bound = [&](double value) {
    return row.unbounded == row.searches ? std::string("unknown") : fmt::format("{:.4f}", value);
  };
  table.add_row({scene.name, grouped(scene.triangle_count()), row.method + (row.paper ? " (paper)" : ""), row.budget,
                 fmt::format("{}/{}", row.complete, row.searches), fmt::format("{:.3f}", row.recall),
                 bound(row.bound.median), bound(row.bound.max), fmt::format("{:.0f}", row.unresolved.median),
                 fmt::format("{:.1f}", row.late_us.median), fmt::format("{:.1f}", row.late_us.p99),
                 fmt::format("{:.1f}", row.empty_late_us.p99)});
}

int run_budget_bench(const BudgetBenchOptions& options) {
  const MethodSettingsByName chosen = method_settings(options.settings, options.methods);
  for (const std::string& budget : options.budgets) parse_duration(budget);
  if (options.frames < 2 || options.first >= options.frames)
    throw Error("no frame is left to measure", "give --frames 2 or more, and --first below that");
  ReportFile report(options.json);
  JsonWriter json(report.output());
  json.begin_object().field("schema", "pliant.bench.budgets/1");
  write_machine(json);
  json.new_line().key("rows").begin_array();
  Table table({"scene", "triangles", "method", "budget", "complete", "recall", "D median", "D max", "open pairs",
               "late us", "p99", "empty loop p99"});
  for (const std::string& name : options.scenes) {
    const SceneDescription description = find_scene(name);
    require_outputs_apart({options.json}, files_read_for(description, {.mesh_folders = asset_folders()}));
    MovingSceneSettings settings{.frames = options.frames, .seed = options.seed};
    if (!options.triangles.empty()) settings.triangles = options.triangles.front();
    settings.build.mesh_folders = asset_folders();
    const MovingScene scene = moving_scene(description, settings);
    const BudgetBench bench(options, scene);
    for (const std::string& method : options.methods)
      for (const BudgetRow& row : bench.rows(method, chosen)) {
        write_row(json, scene, row, !options.no_self);
        add_row(table, scene, row);
      }
  }
  json.end_array().end_object().new_line();
  json.flush();
  report.commit();
  if (!report.is_standard_output() && !options.quiet) table.print(stdout);
  return kDone;
}

}  // namespace

void add_bench_budgets(Command& bench, Status& status) {
  Command* command =
      bench.add_subcommand("budgets", "Measure what methods that can be interrupted find in a given time");
  const auto options = std::make_shared<BudgetBenchOptions>();
  command->add_option("scene", options->scenes, "Scenes by name (pliant bench --help), or scene files")
      ->required()
      ->offers(scene_names());
  command->add_option("--methods", options->methods, "Methods of still meshes")
      ->offers(method_names())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  add_method_settings(*command, options->settings);
  command->add_option("--mode", options->mode, "Of the methods that have a paper mode; others are always safe")
      ->one_of({"safe", "paper"})
      ->capture_default_str();
  command->add_option("--search-budgets", options->budgets, "Times for one search")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--triangles", options->triangles, "Size of the scenes whose motion is made (default: 16000)")
      ->check(above_zero())
      ->allow_extra_args(false);
  command->add_option("--frames", options->frames, "Keyframes of the scenes")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("--first", options->first, "Keyframe to begin with: bodies may meet only later")
      ->check(at_least_zero())
      ->capture_default_str();
  command->add_option("--repeat", options->repeat, "Times to go through the keyframes")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the scenes")->check(at_least_zero())->capture_default_str();
  command->add_flag("--no-self", options->no_self, "Only collisions between bodies");
  command->add_option("--json", options->json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command->add_flag("--quiet,-q", options->quiet, "Print no table");
  command->footer(
      "Recall: certain contacts beside those of bvh without a limit. D: the report's bound over the scene's diagonal.\n"
      "Late: how long after the end of its budget a search returned, 0 if in time; beside it the same of a loop that\n"
      "does nothing but look at the clock, in the same run. Structures are built before. One thread.\n\n"
      "Example:\n"
      "  pliant bench budgets dragons --no-self --search-budgets 100us,1ms --repeat 10");
  command->callback([options, &status] { status = run_budget_bench(*options); });
}

}  // namespace pliant::app
