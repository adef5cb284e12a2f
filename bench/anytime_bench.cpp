// What docs/anytime.md claims, measured on two meshes, each twisted by a cage: the certified size and recall against
// time, how late answers are, and how late those of fresh detectors. Wall-clock time, one thread, nothing warm but what
// a game would have warm.
//
//   pliant-bench-anytime OUT.json BUNNY.ply ARMADILLO.ply [PART...]     parts: curve late fresh
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "pliant/detect/registry.h"
#include "pliant/io/json_writer.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/motion/embedding.h"

namespace pliant::bench {
namespace {

using Clock = std::chrono::steady_clock;
double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// In a cube of side 1 around the origin.
MeshPtr in_unit_cube(const std::string& path) {
  const MeshPtr mesh = read_mesh_file(path).mesh;
  const auto bounds = *Frame::of_mesh(mesh).bounds();
  const double side = (bounds[1] - bounds[0]).maxCoeff();
  std::vector<Vec3> x;
  for (const Vec3& p : mesh->positions()) x.emplace_back((p - 0.5 * (bounds[0] + bounds[1])) / side);
  return with_positions(*mesh, std::move(x));
}

// A mesh in a cage of 5 x 5 x 5 points, and where the cage is at some moments.
struct Caged {
  MeshPtr mesh;
  std::shared_ptr<const BarycentricEmbedding> embedding;
  std::vector<Frame> cage;
  std::vector<std::vector<Vec3>> dense;

  Caged(MeshPtr m, double turn, const Vec3& way, int frames) : mesh(std::move(m)) {
    const auto box = make_tet_box({.cells = {4, 4, 4}});
    const auto bounds = *Frame::own({box->positions().begin(), box->positions().end()}).bounds();
    std::vector<Vec3> corners;
    for (const Vec3& p : box->positions())
      corners.emplace_back(1.02 * ((p - bounds[0]).cwiseQuotient(bounds[1] - bounds[0]) - Vec3::Constant(0.5)));
    const TetMesh tets(corners, {box->tets().begin(), box->tets().end()});
    embedding = std::make_shared<const BarycentricEmbedding>(mesh->positions(), tets);
    for (int k = 0; k < frames; ++k) {
      const double t = static_cast<double>(k) / frames;
      std::vector<Vec3> x = bent(twisted(corners, turn * (1 + 0.2 * t)), 0.5 + 0.1 * t);
      for (Vec3& p : x) p += way;
      dense.push_back(embedding->positions(x));
      cage.push_back(Frame::own(std::move(x)));
    }
  }
};

// Two bodies over some moments.
struct Scene {
  std::string name;
  Caged a, b;
  int frames() const { return static_cast<int>(a.cage.size()); }
};

enum class Way { embedded, shared, copied };
const char* name_of(Way way) {
  return way == Way::embedded ? "embedded" : way == Way::shared ? "share" : "set_positions";
}

std::unique_ptr<Detector> detector_for(const Scene& scene, const std::string& method, MethodSettings own = {}) {
  DetectorSettings settings;
  settings.self = false;
  settings.threads = {1};
  settings.method = std::move(own);
  auto detector = make_detector(method, settings);
  detector->add_body(scene.a.mesh);
  detector->add_body(scene.b.mesh);
  return detector;
}

// New frames every time: nothing of another call is known.
void place(Detector& detector, const Scene& scene, int frame, Way way) {
  const Caged* const bodies[] = {&scene.a, &scene.b};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto k = static_cast<std::size_t>(frame % scene.frames());
    const std::vector<Vec3>& x = bodies[i]->dense[k];
    if (way == Way::copied) detector.set_positions(BodyId(i), x);
    else if (way == Way::shared) detector.set_motion(BodyId(i), Motion::at_rest(Frame::share(nullptr, x)));
    else
      detector.set_motion(BodyId(i),
                          Motion::embedded(Motion::at_rest(Frame::share(nullptr, bodies[i]->cage[k].positions())),
                                           bodies[i]->embedding));
  }
}

double diagonal(const Scene& scene, int frame) {
  Vec3 lo = Vec3::Constant(1e300), hi = -lo;
  for (const Caged* body : {&scene.a, &scene.b})
    for (const Vec3& p : body->dense[static_cast<std::size_t>(frame)]) {
      lo = lo.cwiseMin(p);
      hi = hi.cwiseMax(p);
    }
  return (hi - lo).norm();
}

std::size_t certain(const Report& report) {
  return static_cast<std::size_t>(std::count_if(report.contacts.begin(), report.contacts.end(),
                                                [](const Contact& c) { return c.relation != Relation::possible; }));
}

double middle(std::vector<double> values, double fraction = 0.5) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(fraction * static_cast<double>(values.size())))];
}

void curve(JsonWriter& json, const std::vector<Scene>& scenes) {
  json.key("curve").begin_array();
  const Interval now = Interval::instant(0);
  for (const Scene& scene : scenes) {
    const double size = diagonal(scene, 0);
    for (const Way way : {Way::embedded, Way::copied, Way::shared}) {
      const auto detector = detector_for(scene, "anytime");
      std::vector<double> placing, exact;
      std::size_t all = 0;
      for (int k = 0; k < 24; ++k) {
        const auto start = Clock::now();
        place(*detector, scene, k, way);
        placing.push_back(us_since(start));
        const auto search = Clock::now();
        const Report report = detector->detect(now);
        exact.push_back(us_since(search));
        if (k % scene.frames() == 0) all = certain(report);
      }
      json.new_line().begin_object().field("scene", scene.name).field("motion", name_of(way)).field("contacts", all);
      json.field("diagonal", size).field("placing_us", middle(placing)).field("exact_us", middle(exact));
      json.field("exact_least_us", middle(exact, 0)).key("budgets").begin_array();
      for (const double us : {10., 20., 30., 50., 100., 200., 300., 500., 1000., 2000., 3000., 5000., 10000., 15000.}) {
        std::vector<double> bounds, recalls, took, pairs;
        for (int k = 0; k < 15; ++k) {
          place(*detector, scene, 0, way);
          const auto start = Clock::now();
          const Report report = detector->detect(now, Budget::within_seconds(us * 1e-6));
          took.push_back(us_since(start));
          bounds.push_back(report.bound / size);
          recalls.push_back(static_cast<double>(certain(report)) / static_cast<double>(std::max<std::size_t>(1, all)));
          pairs.push_back(static_cast<double>(report.cut.size()));
        }
        json.new_line().begin_object().field("us", us).field("bound", middle(bounds)).field("recall", middle(recalls));
        json.field("took_us", middle(took)).field("pairs", middle(pairs)).end_object();
        std::fprintf(stderr, "%s %s %g us: D %.4f recall %.3f took %.1f pairs %g\n", scene.name.c_str(), name_of(way),
                     us, middle(bounds), middle(recalls), middle(took), middle(pairs));
      }
      json.end_array().end_object();
      std::fprintf(stderr, "%s %s: %zu contacts, placing %.1f us, exact %.1f us (least %.1f)\n", scene.name.c_str(),
                   name_of(way), all, middle(placing), middle(exact), middle(exact, 0));
    }
  }
  json.end_array();
}

void write_lateness(JsonWriter& json, const std::vector<double>& late) {
  json.field("p50", middle(late, 0.5)).field("p99", middle(late, 0.99)).field("p999", middle(late, 0.999));
  json.field("most", *std::max_element(late.begin(), late.end()));
  json.key("histogram").begin_array();  // of microseconds: below 0, then up to 1, 2, 4, ... and beyond 8192
  std::vector<std::uint64_t> counts(16, 0);
  for (const double us : late) {
    std::size_t bin = 0;
    if (us > 0) bin = us < 1 ? 1 : std::min<std::size_t>(15, 2 + static_cast<std::size_t>(std::log2(us)));
    ++counts[bin];
  }
  for (const std::uint64_t c : counts) json.value(c);
  json.end_array();
}

// How late a loop is that does nothing but look at the clock: what the machine itself does.
double empty_loop(double us) {
  const auto start = Clock::now();
  const Budget budget = Budget::within_seconds(us * 1e-6);
  while (!budget.past_deadline()) {
  }
  return us_since(start) - us;
}

void late(JsonWriter& json, const Scene& scene, int queries) {
  json.new_line().key("late").begin_array();
  for (const Way way : {Way::embedded, Way::shared, Way::copied}) {
    for (const double us : {20., 100., 1000., 10000.}) {
      const auto detector = detector_for(scene, "anytime");
      detector->detect(Interval::instant(0));
      for (int k = 0; k < 8; ++k) place(*detector, scene, k, way), detector->detect(Interval::instant(0));
      std::vector<double> own, empty;
      const int count = us > 5000 ? queries / 10 : queries;
      for (int k = 0; k < count; ++k) {
        place(*detector, scene, k, way);
        const auto start = Clock::now();
        const Report report = detector->detect(Interval::instant(0), Budget::within_seconds(us * 1e-6));
        own.push_back(us_since(start) - us);
        empty.push_back(empty_loop(us));
      }
      json.new_line().begin_object().field("motion", name_of(way)).field("us", us).field("queries", count);
      json.key("anytime").begin_object();
      write_lateness(json, own);
      json.end_object().key("empty_loop").begin_object();
      write_lateness(json, empty);
      json.end_object().end_object();
      std::fprintf(stderr, "late %s %g us: p50 %.2f p99 %.2f p99.9 %.2f; empty loop p99.9 %.2f\n", name_of(way), us,
                   middle(own), middle(own, 0.99), middle(own, 0.999), middle(empty, 0.999));
    }
  }
  json.end_array();
}

void fresh(JsonWriter& json, const Scene& scene, int detectors) {
  json.new_line().key("fresh").begin_array();
  for (const double us : {20., 100., 1000., 10000.}) {
    std::vector<double> own, empty;
    for (int k = 0; k < detectors; ++k) {
      const auto detector = detector_for(scene, "anytime");
      place(*detector, scene, k, Way::copied);
      const auto start = Clock::now();
      const Report report = detector->detect(Interval::instant(0), Budget::within_seconds(us * 1e-6));
      own.push_back(us_since(start) - us);
      empty.push_back(empty_loop(us));
    }
    json.new_line().begin_object().field("us", us).field("detectors", detectors).key("anytime").begin_object();
    write_lateness(json, own);
    json.end_object().key("empty_loop").begin_object();
    write_lateness(json, empty);
    json.end_object().end_object();
    std::fprintf(stderr, "fresh %g us: p50 %.2f p99 %.2f p99.9 %.2f; empty loop p99.9 %.2f\n", us, middle(own),
                 middle(own, 0.99), middle(own, 0.999), middle(empty, 0.999));
  }
  json.end_array();
}

std::string env(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

int run(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "pliant-bench-anytime OUT.json BUNNY ARMADILLO [PART...]\n"), 2;
  const std::set<std::string> parts(argv + 4, argv + argc);
  const auto wanted = [&](const char* part) { return parts.empty() || parts.count(part) != 0; };
  const MeshPtr bunny = in_unit_cube(argv[2]), armadillo = in_unit_cube(argv[3]);
  std::vector<Scene> scenes;
  const double apart = std::getenv("APART") ? std::atof(std::getenv("APART")) : 0.8;
  scenes.push_back({"slight", {bunny, 0.6, Vec3::Zero(), 8}, {armadillo, -0.5, {apart, 0.05, 0.02}, 8}});
  scenes.push_back({"coincident", {bunny, 0.6, Vec3::Zero(), 8}, {bunny, 0.62, {0.003, 0.002, 0.001}, 8}});
  std::ofstream out(argv[1]);
  JsonWriter json([&](std::string_view text) { out << text; });
  json.begin_object().field("schema", "pliant.bench.anytime/1").field("commit", env("COMMIT"));
  json.field("flags", env("FLAGS")).field("compiler", env("COMPILER")).field("processor", env("PROCESSOR"));
  json.field("load", env("LOAD"));
  if (wanted("curve")) curve(json, scenes);
  if (wanted("late")) late(json, scenes[0], 10'000);
  if (wanted("fresh")) fresh(json, scenes[0], 1'000);
  json.end_object().new_line().flush();
  return 0;
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) { return pliant::bench::run(argc, argv); }
