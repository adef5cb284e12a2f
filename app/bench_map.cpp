// `pliant bench map`: what every method finds in which time, on one scene: which to pick.
#include <algorithm>
#include <set>

#include "app/arguments.h"
#include "app/bench.h"
#include "app/bench_measure.h"
#include "app/outputs.h"
#include "app/reproduce/figure_svg.h"
#include "app/run_report.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"
#include "pliant/scene/run_scene.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"

namespace pliant::app {
namespace {

struct MapOptions {
  std::string scene = "teapot-sphere";
  std::size_t triangles = 16'000;
  std::vector<std::string> budgets{"10us", "30us", "100us", "300us", "1ms", "3ms", "10ms"};
  std::size_t frames = 60;
  std::size_t first = 10;
  bool no_self = false;
  std::string json, html;
  bool quiet = false;
};

// A method, in one mode, with one budget or none.
struct MapRow {
  std::string method;
  Mode mode = Mode::safe;
  std::string budget;  // "": as long as it takes
  bool moving = false;
  double ms = 0;      // mean of a frame
  double recall = 0;  // of the contacts of all frames
  double bound = 0;   // mean over frames, a length; 0 if complete
  Guarantee guarantee = Guarantee::exact;
};

std::string name_of(const MapRow& row) { return row.method + (row.mode == Mode::paper ? " (paper)" : ""); }

using Found = std::set<std::tuple<std::size_t, Feature, Feature>>;  // keyframe, features

class Map {
 public:
  Map(const MovingScene& scene, const MapOptions& options) : scene_(scene), options_(options) {
    still_truth_ = ask("bvh", Mode::safe, "", nullptr);
    moving_truth_ = ask("swept-bvh", Mode::safe, "", nullptr);
  }

  MapRow row(const std::string& method, Mode mode, const std::string& budget) const {
    MapRow row{method, mode, budget};
    const Found found = ask(method, mode, budget, &row);
    row.recall = fraction_found(row.moving ? moving_truth_ : still_truth_, found);
    return row;
  }

 private:
  // The contacts that a method is sure of; time, bound and guarantee go to `row`.
  Found ask(const std::string& method, Mode mode, const std::string& budget, MapRow* row) const {
    DetectorSettings settings{.mode = mode, .self = !options_.no_self};
    settings.threads = {1};
    const auto detector = make_detector(method, settings);
    for (const MovingBody& body : scene_.bodies) detector->add_body(body.mesh, body.motion);
    const bool moving = detector->info().moving;
    const std::size_t last = scene_.frame_count() - 1;
    const auto when = [&](std::size_t k) {
      const auto time = static_cast<double>(k);
      return moving ? Interval{time, time + 1} : Interval::instant(time);
    };
    detector->detect(when(options_.first));  // structures are built
    detector->reset(static_cast<double>(options_.first));
    Found found;
    double seconds = 0, bound = 0;
    Guarantee guarantee = Guarantee::exact;
    for (std::size_t k = options_.first; k < last; ++k) {
      if (moving) detector->set_open_end(k + 1 < last);
      Stopwatch watch;
      const Report report = budget.empty() ? detector->detect(when(k))
                                           : detector->detect(when(k), Budget::within(parse_duration(budget)));
      seconds += watch.lap();
      bound += report.bound;
      guarantee = std::min(guarantee, report.guarantee);
      for (const Contact& c : report.contacts)
        if (c.relation != Relation::possible) found.insert({k, c.a, c.b});
    }
    if (row != nullptr) {
      const auto frames = static_cast<double>(last - options_.first);
      row->moving = moving;
      row->ms = 1e3 * seconds / frames;
      row->bound = bound / frames;
      row->guarantee = guarantee;
    }
    return found;
  }

  const MovingScene& scene_;
  const MapOptions& options_;
  Found still_truth_, moving_truth_;
};

std::vector<MapRow> all_rows(const Map& map, const MapOptions& options, ProgressBar& bar) {
  std::vector<MapRow> rows;
  const auto methods = pliant::methods();
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const MethodInfo& method = *methods[i];
    bar.show(static_cast<double>(i) / static_cast<double>(methods.size()));
    const std::string name(method.name);
    if (name == "brute-force") continue;  // it would only say how long all pairs take
    rows.push_back(map.row(name, Mode::safe, ""));
    if (method.has_paper_mode) rows.push_back(map.row(name, Mode::paper, ""));
    if (name != "anytime" && name != "sphere-tree") continue;
    for (const std::string& budget : options.budgets) rows.push_back(map.row(name, Mode::safe, budget));
  }
  return rows;
}

Figure figure_of(const std::vector<MapRow>& rows, bool moving, const std::string& scene) {
  Figure figure{moving ? "map-moving" : "map-still",
                moving ? "Between frames too: " + scene : "At frames: " + scene,
                "ms per frame",
                "recall",
                true,
                false,
                {}};
  for (const MapRow& row : rows) {
    if (row.moving != moving) continue;
    const std::string name = name_of(row) + (row.budget.empty() ? "" : ", within a budget");
    auto series =
        std::find_if(figure.series.begin(), figure.series.end(), [&](const Series& s) { return s.name == name; });
    if (series == figure.series.end()) series = figure.series.insert(series, Series{name, {}});
    series->points.push_back({row.ms, row.recall});
  }
  for (Series& series : figure.series) std::sort(series.points.begin(), series.points.end());
  return figure;
}

Figure bound_figure(const std::vector<MapRow>& rows) {
  Figure figure{"map-bound",
                "How far off an answer can be when its time is over",
                "ms per frame",
                "certified bound (length unit of the scene)",
                true,
                true,
                {}};
  for (const char* method : {"anytime", "sphere-tree"}) {
    Series series{method, {}};
    for (const MapRow& row : rows)
      if (row.method == method && !row.budget.empty() && std::isfinite(row.bound))
        series.points.push_back({row.ms, row.bound});
    figure.series.push_back(std::move(series));
  }
  return figure;
}

void write_row(JsonWriter& json, const MapRow& row) {
  json.new_line().begin_object().field("method", row.method).field("mode", row.mode == Mode::paper ? "paper" : "safe");
  json.field("budget", row.budget)
      .field("moving", row.moving)
      .field("ms_per_frame", row.ms)
      .field("recall", row.recall);
  json.key("bound");
  if (std::isfinite(row.bound)) json.value(row.bound);
  else json.null();
  json.field("guarantee", to_string(row.guarantee)).end_object();
}

int run_map(const MapOptions& options) {
  for (const std::string& budget : options.budgets) parse_duration(budget);
  if (options.first + 1 >= options.frames)
    throw Error("--first leaves no frame to measure", "it must be below --frames - 1");
  const SceneDescription description = find_scene(options.scene);
  require_outputs_apart({options.json, options.html}, files_read_for(description, {.mesh_folders = asset_folders()}));
  ReportFile report(options.json);
  MovingSceneSettings settings{.frames = options.frames};
  if (description.replay) settings.triangles = options.triangles;
  settings.build.mesh_folders = asset_folders();
  const MovingScene scene = with_stored_frames(moving_scene(description, settings));
  ProgressBar bar("measuring", options.quiet);
  const std::vector<MapRow> rows = all_rows(Map(scene, options), options, bar);
  JsonWriter json(report.output());
  json.begin_object().field("schema", "pliant.bench.map/1");
  write_machine(json);
  json.field("scene", scene.name)
      .field("triangles", scene.triangle_count())
      .field("frames", scene.frame_count() - 1 - options.first);
  json.new_line().key("rows").begin_array();
  Table table({"method", "budget", "looks", "ms per frame", "recall", "bound", "guarantee"});
  for (const MapRow& row : rows) {
    write_row(json, row);
    table.add_row({name_of(row), row.budget.empty() ? "-" : row.budget, row.moving ? "between frames" : "at frames",
                   fmt::format("{:.3f}", row.ms), fmt::format("{:.3f}", row.recall), fmt::format("{:.3g}", row.bound),
                   to_string(row.guarantee)});
  }
  json.end_array().end_object().new_line();
  json.flush();
  report.commit();
  if (!options.html.empty())
    write_svg_page(options.html, "What to pick",
                   {figure_of(rows, false, scene.name), bound_figure(rows), figure_of(rows, true, scene.name)});
  if (!report.is_standard_output() && !options.quiet) table.print(stdout);
  return kDone;
}

}  // namespace

void add_bench_map(Command& bench, Status& status) {
  Command* command =
      bench.add_subcommand("map", "Measure what every method finds in which time on one scene: which to pick");
  const auto options = std::make_shared<MapOptions>();
  command->add_option("scene", options->scene, "A scene by name (pliant run --list), or a scene file")
      ->capture_default_str()
      ->offers(scene_names());
  command->add_option("--triangles", options->triangles, "Size of a scene whose motion is made")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("--search-budgets", options->budgets, "Times for one search, of methods that can be interrupted")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--frames", options->frames, "Keyframes of the scene")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("--first", options->first, "Keyframe to begin with: bodies may meet only later")
      ->check(at_least_zero())
      ->capture_default_str();
  command->add_flag("--no-self", options->no_self, "Only collisions between bodies");
  command->add_option("--json", options->json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command->add_option("--html", options->html, "Write a page with the picture")->type_name("FILE");
  command->add_flag("--quiet,-q", options->quiet, "Print no table or progress");
  command->footer(
      "Recall: of the contacts that exact detection finds, those that the method is sure of. Methods that look at "
      "frames are\n"
      "compared at frames, others between them too.\n\n"
      "Examples:\n"
      "  pliant bench map --html map.html                      a ball that flies through a teapot, 16,000 triangles\n"
      "  pliant bench map swirl --no-self --triangles 4000");
  command->callback([options, &status] { status = run_map(*options); });
}

}  // namespace pliant::app
