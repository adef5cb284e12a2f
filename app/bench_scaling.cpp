// `pliant bench scaling`: how time and memory of every method grow with the number of triangles.
#include <algorithm>
#include <cmath>
#include <map>

#include "app/arguments.h"
#include "app/bench.h"
#include "app/bench_measure.h"
#include "app/outputs.h"
#include "app/reproduce/figure_svg.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/scene/scene.h"

namespace pliant::app {
namespace {

struct ScalingOptions {
  std::string scene = "teapot-sphere";
  std::vector<std::string> methods = method_names();
  std::vector<std::size_t> triangles{1'000, 10'000, 100'000, 1'000'000};
  std::vector<int> threads{1, 2};
  std::size_t frames = 4;
  std::size_t first = 36;
  std::string limit = "20s";
  std::string json, html;
  bool quiet = false;
};

struct ScalingRow {
  std::string method;
  int threads = 1;
  std::size_t triangles = 0;
  double ms = 0;     // mean of a frame
  double bytes = 0;  // per triangle
  std::string skipped;
};

double exponent_of(const std::vector<ScalingRow>& rows) {
  std::vector<std::array<double, 2>> points;
  for (const ScalingRow& row : rows)
    if (row.skipped.empty()) points.push_back({static_cast<double>(row.triangles), row.ms});
  return points.size() < 2 ? std::nan("") : fitted_exponent(points);
}

// A method with one number of threads, from size to size, until a frame would take too long.
class Growth {
 public:
  Growth(std::string method, int threads, const ScalingOptions& options)
      : method_(std::move(method)), threads_(threads), options_(options) {}

  void add(const MovingScene& scene) {
    ScalingRow row{method_, threads_, scene.triangle_count(), 0, 0, ""};
    const double expected = expected_ms(static_cast<double>(row.triangles));
    const double limit = 1e3 * std::chrono::duration<double>(parse_duration(options_.limit)).count();
    if (expected > limit) {
      row.skipped = fmt::format("would take about {} a frame", duration_text(1e-3 * expected));
    } else {
      BenchCase bench{&scene, method_, 1, options_.first, {}};
      bench.settings.threads = {threads_};
      const BenchRow measured = measure(bench);
      row.ms = measured.ms.mean;
      row.bytes = static_cast<double>(measured.bytes) / static_cast<double>(row.triangles);
    }
    rows_.push_back(row);
  }
  const std::vector<ScalingRow>& rows() const { return rows_; }

 private:
  // From the last size on as steeply as from the one before to it, and quadratically from a single one: too long is
  // worse than too careful.
  double expected_ms(double triangles) const {
    if (rows_.empty()) return 0;
    const ScalingRow& last = rows_.back();
    if (!last.skipped.empty()) return std::numeric_limits<double>::infinity();
    double power = 2;
    if (rows_.size() > 1) power = std::max(1.0, exponent_of({rows_[rows_.size() - 2], last}));
    return last.ms * std::pow(triangles / static_cast<double>(last.triangles), power);
  }

  std::string method_;
  int threads_;
  const ScalingOptions& options_;
  std::vector<ScalingRow> rows_;
};

void write_row(JsonWriter& json, const ScalingRow& row) {
  json.new_line().begin_object().field("method", row.method).field("threads", row.threads);
  json.field("triangles", row.triangles);
  if (!row.skipped.empty()) json.field("skipped", row.skipped);
  else
    json.field("ms_per_frame", row.ms)
        .field("ns_per_triangle", 1e6 * row.ms / static_cast<double>(row.triangles))
        .field("bytes_per_triangle", row.bytes);
  json.end_object();
}

void add_rows(Table& table, const Growth& growth) {
  for (const ScalingRow& row : growth.rows()) {
    if (!row.skipped.empty()) {
      table.add_row({row.method, std::to_string(row.threads), grouped(row.triangles), row.skipped, "", "", ""});
      continue;
    }
    const bool last = &row == &growth.rows().back() || !(&row)[1].skipped.empty();
    table.add_row({row.method, std::to_string(row.threads), grouped(row.triangles), fmt::format("{:.3f}", row.ms),
                   fmt::format("{:.0f}", 1e6 * row.ms / static_cast<double>(row.triangles)),
                   fmt::format("{:.0f}", row.bytes), last ? fmt::format("{:.2f}", exponent_of(growth.rows())) : ""});
  }
}

Figure figure_of(const std::vector<Growth>& all, const std::string& scene) {
  Figure figure{
      "scaling", "Time per frame over triangles, " + scene + ", one thread", "triangles", "ms per frame", true, true,
      {}};
  for (const Growth& growth : all) {
    if (growth.rows().empty() || growth.rows().front().threads != 1) continue;
    Series series{growth.rows().front().method, {}};
    for (const ScalingRow& row : growth.rows())
      if (row.skipped.empty()) series.points.push_back({static_cast<double>(row.triangles), row.ms});
    figure.series.push_back(std::move(series));
  }
  return figure;
}

void require_sound(const ScalingOptions& options) {
  for (const std::string& method : options.methods) method_info(method);
  parse_duration(options.limit);
  if (!std::is_sorted(options.triangles.begin(), options.triangles.end()))
    throw Error("--triangles goes up and down", "give sizes from small to large");
  if (options.frames < 2) throw Error("--frames is too small", "a motion has two frames or more");
}

int run_scaling(const ScalingOptions& options) {
  require_sound(options);
  ReportFile report(options.json);
  ProgressBar bar("measuring", options.quiet);
  std::vector<Growth> all;
  for (const std::string& method : options.methods)
    for (const int threads : options.threads) all.emplace_back(method, threads, options);
  std::size_t done = 0;
  for (const std::size_t triangles : options.triangles) {
    const MovingScene scene = with_stored_frames(
        make_scene(options.scene, {.triangles = triangles, .frames = options.first + options.frames}));
    for (Growth& growth : all) {
      growth.add(scene);
      bar.show(static_cast<double>(++done) / static_cast<double>(all.size() * options.triangles.size()));
    }
  }
  JsonWriter json(report.output());
  json.begin_object().field("schema", "pliant.bench.scaling/1");
  write_machine(json);
  json.field("scene", options.scene).new_line().key("rows").begin_array();
  Table table({"method", "threads", "triangles", "ms per frame", "ns per triangle", "bytes per triangle", "exponent"});
  for (const Growth& growth : all) {
    for (const ScalingRow& row : growth.rows()) write_row(json, row);
    add_rows(table, growth);
  }
  json.end_array().new_line().key("exponents").begin_array();
  for (const Growth& growth : all) {
    json.begin_object().field("method", growth.rows().front().method).field("threads", growth.rows().front().threads);
    json.field("exponent", exponent_of(growth.rows())).end_object();
  }
  json.end_array().end_object().new_line();
  json.flush();
  report.commit();
  if (!options.html.empty()) write_svg_page(options.html, "How methods grow", {figure_of(all, options.scene)});
  if (!report.is_standard_output() && !options.quiet) table.print(stdout);
  return kDone;
}

}  // namespace

void add_bench_scaling(Command& bench, Status& status) {
  Command* command =
      bench.add_subcommand("scaling", "Measure how time and memory of every method grow with the triangles");
  const auto options = std::make_shared<ScalingOptions>();
  std::vector<std::string> names;
  for (const SceneInfo& scene : procedural_scenes()) names.emplace_back(scene.name);
  command->add_option("scene", options->scene, "A scene whose size can be chosen (pliant run --list)")
      ->capture_default_str()
      ->offers(names);
  command->add_option("--methods", options->methods, "Methods (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->offers(method_names());
  command->add_option("--triangles", options->triangles, "Sizes, from small to large")
      ->check(above_zero())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Numbers of threads; 0: all")
      ->check(at_least_zero())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--frames", options->frames, "Keyframes to measure")->check(above_zero())->capture_default_str();
  command->add_option("--first", options->first, "Keyframe to begin with: bodies may meet only later")
      ->check(at_least_zero())
      ->capture_default_str();
  command->add_option("--limit", options->limit, "Leave out sizes whose frames would take longer")
      ->capture_default_str();
  command->add_option("--json", options->json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command->add_option("--html", options->html, "Write a page with the curves")->type_name("FILE");
  command->add_flag("--quiet,-q", options->quiet, "Print no table or progress");
  command->footer(
      "The exponent is that of a power of the number of triangles, fitted to all sizes that were measured.\n\n"
      "Examples:\n"
      "  pliant bench scaling --methods bvh,anytime,kinetic --threads 1\n"
      "  pliant bench scaling tablecloth --triangles 2000,16000,130000 --json grow.json --html grow.html");
  command->callback([options, &status] { status = run_scaling(*options); });
}

}  // namespace pliant::app
