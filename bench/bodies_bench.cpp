// Every preset dropped on the ground, flat and tilted, from three heights.
//
// usage: pliant-bench-bodies RESULT.json   (COMMIT, FLAGS, COMPILER, PROCESSOR: what ran)
#include <fmt/core.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/bench_context.h"
#include "pliant/bodies/materials.h"
#include "pliant/bodies/pressure_materials.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/world/run_health.h"

namespace pliant::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Drop {
  std::string kind, preset;
  double degrees = 0, height = 0;
};

// 20 cm, its lowest point `height` above the ground.
std::string scene_text(const Drop& drop) {
  const bool solid = drop.kind == "fem";
  const std::string shape = solid ? R"({ type = "tet_box", size = [0.2, 0.2, 0.2], cells = [5, 5, 5] })"
                                  : R"({ type = "icosphere", radius = 0.1, frequency = 6 })";
  double lowest = 0.1;
  if (solid && drop.degrees != 0) {
    const Eigen::AngleAxisd turn(drop.degrees / 180 * 3.14159265358979, Vec3(1, 0.4, 0).normalized());
    lowest = (turn.toRotationMatrix().row(2).cwiseAbs() * Vec3(0.1, 0.1, 0.1))(0);
  }
  return fmt::format(R"([world]
fps = 60
[[body]]
name = "ground"
kind = "fixed"
shape = {{ type = "box", size = [8, 8, 0.1], cells = [8, 8, 1] }}
position = [0, 0, -0.05]
friction = 0.5
[[body]]
name = "body"
kind = "{}"
shape = {}
rotation = {{ axis = [1, 0.4, 0], degrees = {} }}
position = [0, 0, {}]
material = "{}"
friction = 0.5
)",
                     drop.kind, shape, drop.degrees, lowest + drop.height, drop.preset);
}

double lowest_of(std::span<const Vec3> x) {
  double low = 1e9;
  for (const Vec3& p : x) low = std::min(low, p.z());
  return low;
}

// Energy counts from the pose on the ground; the drop's own is what falling to it gives.
Json drop_row(const Drop& drop, int frames) {
  BuiltScene built = build_world(parse_scene(scene_text(drop), "drop.toml"), {.threads = {1}});
  const BodyModel& body = built.world.body(BodyId(1));
  double mass = 0;
  for (const double m : body.masses()) mass += m;
  const double scale = 9.81 * mass * drop.height;
  double least = energy_of(body).total(), gained = 0, rebound = 0;
  std::size_t inverted = 0, most_inverted = 0;
  bool touched = false;
  int asleep = -1;
  for (int frame = 0; frame < frames && asleep < 0; ++frame) {
    const FrameReport report = built.world.step();
    if (!report.ok()) break;
    const double energy = energy_of(body).total();
    gained = std::max(gained, energy - least);
    least = std::min(least, energy);
    inverted = report.inverted_elements;
    most_inverted = std::max(most_inverted, inverted);
    const double low = lowest_of(body.positions());
    touched = touched || low < 0.005;
    if (touched) rebound = std::max(rebound, low);
    if (report.asleep > 0) asleep = frame + 1;
  }
  Json row{{"preset", drop.preset},
           {"degrees", drop.degrees},
           {"height_cm", 100 * drop.height},
           {"energy_gained_percent", 100 * gained / scale},
           {"rebound_percent", 100 * rebound / drop.height},
           {"inverted_at_end", inverted},
           {"inverted_at_worst", most_inverted},
           {"asleep_after_s", asleep < 0 ? Json(nullptr) : Json(asleep / 60.0)}};
  fmt::print("{}\n", row.dump());
  std::fflush(stdout);
  return row;
}

Json drop_rows() {
  std::vector<Drop> drops;
  const auto add = [&](const std::string& kind, std::string_view preset) {
    for (const double degrees : {0.0, 30.0})
      for (const double height : {0.03, 0.6, 2.0})
        if (kind == "fem" || degrees == 0) drops.push_back({kind, std::string(preset), degrees, height});
  };
  for (const NamedElasticMaterial& named : elastic_materials()) add("fem", named.name);
  for (const NamedPressureMaterial& named : pressure_materials()) add("pressure", named.name);
  Json rows = Json::array();
  for (const Drop& drop : drops) rows.push_back(drop_row(drop, 900));
  return rows;
}

Json context() {
  Json about;
  for (const auto& [name, value] : bench_context()) about[name] = value;
  return about;
}

int run(const char* file) {
  std::ofstream out(file);
  out << Json{{"schema", "pliant.bench.bodies/1"}, {"context", context()}, {"drops", drop_rows()}}.dump(1) << "\n";
  return out.good() ? 0 : 1;
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: pliant-bench-bodies RESULT.json\n");
    return 2;
  }
  return pliant::bench::run(argv[1]);
}
