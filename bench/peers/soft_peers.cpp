// Beside Bullet's soft bodies: the same meshes, masses and gravity, on one thread, nothing to collide with on either
// side. Each is measured against the static equilibrium that it should come to rest in, and by the time that it takes.
//
// usage: pliant-bench-soft-peers RESULT.json [corners|edge|bar]...   (COMMIT, FLAGS, COMPILER, PROCESSOR in the
// environment say what ran)
#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/bench_context.h"
#include "bench/peers/soft_cases.h"

namespace pliant::bench {
namespace {

constexpr int kFrames = 240;
constexpr int kLast = 60;  // frames over which the result is averaged

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Measured {
  SoftShape shape;   // mean of the last frames
  double speed = 0;  // rms of the vertices' moves in the last frame, m/s
  double ms = 0;     // CPU time of a frame, median
};

Measured measure(const SoftCase& soft, SoftSimulation& simulation) {
  Measured result;
  std::vector<double> ms;
  std::vector<Vec3> before;
  for (int frame = 0; frame < kFrames; ++frame) {
    if (frame + 1 == kFrames) before = simulation.positions();
    const double start = cpu_seconds();
    simulation.step_frame();
    ms.push_back(1e3 * (cpu_seconds() - start));
    if (frame < kFrames - kLast) continue;
    const SoftShape now = shape_of(soft, simulation.positions());
    result.shape.stretch += now.stretch / kLast;
    result.shape.sag += now.sag / kLast;
  }
  const std::vector<Vec3> after = simulation.positions();
  double sum = 0;
  for (std::size_t v = 0; v < after.size(); ++v) sum += (after[v] - before[v]).squaredNorm();
  result.speed = 60 * std::sqrt(sum / static_cast<double>(after.size()));
  std::nth_element(ms.begin(), ms.begin() + kFrames / 2, ms.end());
  result.ms = ms[kFrames / 2];
  return result;
}

class SoftPeers {
 public:
  void add(const SoftCase& soft) {
    const std::unique_ptr<SoftSimulation> pliant = make_pliant(soft);
    const Measured ours = measure(soft, *pliant);
    const SoftShape truth = equilibrium_of(soft, pliant->positions());
    keep(soft, truth, "pliant", {}, ours);
    for (const BulletSettings& settings : settings_for(soft)) {
      const std::unique_ptr<SoftSimulation> bullet = make_bullet(soft, settings);
      keep(soft, truth, settings.implicit ? "bullet-deformable" : "bullet-position", settings, measure(soft, *bullet));
    }
  }

  const nlohmann::ordered_json& rows() const { return rows_; }

 private:
  // More work from left to right, and how stiff the links across the threads are.
  static std::vector<BulletSettings> settings_for(const SoftCase& soft) {
    std::vector<BulletSettings> all;
    // One step per frame tears the sheets; more than four cost minutes on the finer ones, for the same result.
    std::vector<int> often = {4};
    if (soft.rest().size() < 3000) often = {2, 4};
    if (soft.solid) often = {1, 2, 4};
    for (const int steps : often) all.push_back({.implicit = true, .steps = steps});
    if (!soft.sheet) return all;
    // By an edge nothing pulls across the threads.
    const std::vector<double> shears = soft.pinned.size() == 4 ? std::vector{1.0, 0.1} : std::vector{1.0};
    for (const double shear : shears)
      for (const auto& [steps, iterations] : {std::pair{1, 4}, {1, 16}, {1, 64}, {4, 16}, {8, 8}, {16, 4}, {16, 8}})
        all.push_back({.steps = steps, .iterations = iterations, .shear = shear});
    return all;
  }

  void keep(const SoftCase& soft, const SoftShape& truth, const std::string& program, const BulletSettings& settings,
            const Measured& measured) {
    nlohmann::ordered_json row{{"case", soft.name}, {"vertices", soft.rest().size()}, {"program", program}};
    if (program != "pliant") row["steps"] = settings.steps;
    if (program == "bullet-position") {
      row["iterations"] = settings.iterations;
      row["shear"] = settings.shear;
    }
    row["ms_per_frame"] = measured.ms;
    if (soft.sheet) {
      row["stretch_percent"] = 100 * measured.shape.stretch;
      row["stretch_error_points"] = 100 * (measured.shape.stretch - truth.stretch);
    }
    row["sag_mm"] = 1e3 * measured.shape.sag;
    row["sag_error_percent"] = 100 * (measured.shape.sag / truth.sag - 1);
    row["speed_mm_per_s"] = 1e3 * measured.speed;
    fmt::print("{}\n", row.dump());
    std::fflush(stdout);
    rows_.push_back(std::move(row));
  }

  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

int run(const std::string& file, const std::set<std::string>& cases) {
  const auto asked = [&](const char* name) { return cases.empty() || cases.contains(name); };
  SoftPeers peers;
  if (asked("bar")) peers.add(hanging_bar());
  for (const int cells : {45, 90}) {
    if (asked("corners")) peers.add(cloth_by_corners(cells));
    if (asked("edge")) peers.add(cloth_by_edge(cells));
  }
  nlohmann::ordered_json context;
  for (const auto& [name, value] : bench_context()) context[name] = value;
  context["peer"] = "Bullet " PLIANT_BULLET_VERSION ", single precision, as Debian builds it";
  std::ofstream out(file);
  out << nlohmann::ordered_json{{"schema", "pliant.bench.soft/1"}, {"context", context}, {"rows", peers.rows()}}.dump(1)
      << "\n";
  return out.good() ? 0 : 1;
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: pliant-bench-soft-peers RESULT.json [corners|edge|bar]...\n");
    return 2;
  }
  return pliant::bench::run(argv[1], {argv + 2, argv + argc});
}
