// What docs/sphere-trees.md claims, measured: how tight the builders' trees are, table 1 of the paper, and its other
// claims. Processor time where times are told.
//
//   pliant-bench-sphere-tree OUT.json BUNNY DRAGON TEAPOT [PART...]     parts: levels table1 claims spheres
//
// `spheres` writes the spheres of figure 9 as OUT.json.BUDGET.csv: body, x, y, z, radius, leaf.
#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "pliant/asset/repair.h"
#include "pliant/bounds/sphere_tree/build_sphere_tree.h"
#include "pliant/bounds/sphere_tree/sphere_error.h"
#include "pliant/bounds/sphere_tree/sphere_follower.h"
#include "pliant/bounds/sphere_tree/tree_shelf.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/json_writer.h"
#include "pliant/io/mesh_file.h"
#include "pliant/motion/embedding.h"

namespace pliant::bench {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Named {
  std::string name;
  MeshPtr mesh;
};

Named read(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  const MeshPtr mesh = repair_mesh(*read_mesh_file(path).mesh, {}).mesh;
  return {name.substr(0, name.find('.')), mesh};
}

SphereTreeSettings tree_settings(SphereTreeBuilder builder) {
  SphereTreeSettings settings;
  settings.builder = builder;
  return settings;
}

// ---- how tight trees are

void write_level(JsonWriter& json, const SphereTree& tree, const SurfaceDepth& surface, std::uint32_t level) {
  const double size = 2 * tree.spheres()[0].radius;
  double sum = 0, most = 0, radius = 0;
  std::size_t count = 0;
  for (std::uint32_t node = 0; node < tree.spheres().size(); ++node) {
    if (!tree.has(node) || tree.level(node) != level) continue;
    const double error = sphere_error(surface, tree.spheres()[node]) / size;
    sum += error;
    most = std::max(most, error);
    radius += tree.spheres()[node].radius / size;
    ++count;
  }
  const auto n = static_cast<double>(count);
  json.begin_object().field("level", std::uint64_t{level}).field("spheres", count).field("mean_error", sum / n);
  json.field("max_error", most).field("mean_radius", radius / n).end_object();
  std::printf("    level %u: %zu spheres, error %.5f mean %.5f most, radius %.5f\n", level, count, sum / n, most,
              radius / n);
}

void measure_levels(JsonWriter& json, const std::vector<Named>& meshes) {
  json.key("levels").begin_array();
  for (const Named& named : meshes) {
    const SurfaceDepth surface(*named.mesh);
    for (const SphereTreeBuilder builder :
         {SphereTreeBuilder::medial, SphereTreeBuilder::octree, SphereTreeBuilder::boxes}) {
      std::printf("%s (%zu faces), %s\n", named.name.c_str(), named.mesh->face_count(), to_string(builder));
      json.new_line().begin_object().field("mesh", named.name).field("faces", named.mesh->face_count());
      json.field("builder", to_string(builder));
      try {
        const double start = processor_seconds();
        const SphereTreePtr tree = build_sphere_tree(*named.mesh, tree_settings(builder));
        json.field("build_processor_seconds", processor_seconds() - start).key("by_level").begin_array();
        std::printf("    built in %.1f s of processor time\n", processor_seconds() - start);
        for (std::uint32_t level = 0; level <= tree->shape().depth; ++level) write_level(json, *tree, surface, level);
        json.end_array();
      } catch (const Error& error) {
        std::printf("    refused: %s\n", error.what());
        json.field("refused", error.what());
      }
      json.end_object();
    }
  }
  json.end_array();
}

// ---- two bodies that deform

// A body on some of its own vertices, its coarse mesh, which a bend and a twist move.
struct Deforming {
  MeshPtr mesh;
  std::vector<Vec3> coarse;
  std::shared_ptr<const RigidLinks> links;
  double size = 1;
  Vec3 middle = Vec3::Zero();

  explicit Deforming(const MeshPtr& m) : mesh(m) {
    constexpr std::size_t kCoarse = 500;
    const std::size_t count = std::min(kCoarse, m->vertex_count());
    for (std::size_t i = 0; i < count; ++i) coarse.push_back(m->positions()[i * m->vertex_count() / count]);
    links = std::make_shared<const RigidLinks>(m->positions(), coarse);
    Vec3 lo = coarse[0], hi = lo;
    for (const Vec3& p : coarse) {
      lo = lo.cwiseMin(p);
      hi = hi.cwiseMax(p);
    }
    size = (hi - lo).maxCoeff();
    middle = 0.5 * (lo + hi);
  }
  // In a cube of side 1, twisted about z, then turned and put at a place.
  Motion at(const Vec3& place, double twist) const {
    std::vector<Vec3> q;
    for (const Vec3& p : coarse) {
      const Vec3 u = (p - middle) / size;
      const double c = std::cos(twist * u.y()), s = std::sin(twist * u.y());
      q.emplace_back(Vec3(c * u.x() - s * u.z(), u.y(), s * u.x() + c * u.z()) * size + middle + place * size);
    }
    return Motion::embedded(Motion::at_rest(Frame::own(std::move(q))), links);
  }
};

struct Scene {
  std::string name;
  const Deforming* a;
  const Deforming* b;
  double scale = 1;

  Motion motion_a(int frame) const { return a->at(Vec3::Zero(), 0.1 * frame); }
  Motion motion_b(int frame) const {
    // So that the middles are half a body apart, in the place of the first.
    const Vec3 place = (a->middle - b->middle) / b->size + Vec3(0.45, 0.1 - 0.01 * frame, 0.05);
    return b->at(place, -0.1 * frame);
  }
  std::unique_ptr<Detector> detector(Mode mode, const MethodSettings& own = {}) const {
    DetectorSettings settings{.mode = mode, .self = false};
    settings.method = own;
    settings.threads = {1};
    auto made = make_detector("sphere-tree", settings);
    made->add_body(a->mesh);
    made->add_body(b->mesh);
    return made;
  }
  void place(Detector& detector, int frame) const {
    detector.set_motion(BodyId(0), motion_a(frame));
    detector.set_motion(BodyId(1), motion_b(frame));
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> truth(int frame) const {
    auto exact = make_detector("bvh", {.self = false});
    exact->add_body(a->mesh, motion_a(frame));
    exact->add_body(b->mesh, motion_b(frame));
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Contact& c : exact->detect(Interval::instant(0)).contacts) pairs.emplace(c.a.id, c.b.id);
    return pairs;
  }
};

// The fraction of true pairs that are below a pair of the cut.
double covered(const Detector& detector, const Report& report,
               const std::set<std::pair<std::uint32_t, std::uint32_t>>& truth) {
  std::map<Feature, std::set<std::uint32_t>> faces;
  const auto faces_of = [&](const Feature& f) -> const std::set<std::uint32_t>& {
    auto [at, is_new] = faces.try_emplace(f);
    if (is_new)
      for (const FaceId face : detector.region(f.body, f.id).faces) at->second.insert(face.value);
    return at->second;
  };
  std::size_t count = 0;
  for (const auto& [f, g] : truth) {
    for (const UnresolvedPair& c : report.cut) {
      if (!faces_of(c.a).count(f) || !faces_of(c.b).count(g)) continue;
      ++count;
      break;
    }
  }
  return truth.empty() ? 1 : static_cast<double>(count) / static_cast<double>(truth.size());
}

constexpr int kFrames = 8;

void measure_table1(JsonWriter& json, const std::vector<Scene>& scenes) {
  json.key("table1").begin_array();
  for (const Scene& scene : scenes) {
    for (const double budget : {1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
      const auto detector = scene.detector(Mode::paper);
      scene.place(*detector, 0);
      detector->detect(Interval::instant(0), Budget::operations(1));  // trees and links are ready
      double left = 0, collided = 0, tested = 0, pushed = 0, longest = 0, seconds = 0;
      for (int frame = 1; frame <= kFrames; ++frame) {
        scene.place(*detector, frame);
        const auto start = std::chrono::steady_clock::now();
        const Report report = detector->detect(Interval::instant(0), Budget::within_seconds(budget));
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / kFrames;
        left += static_cast<double>(report.counters["pair_list"]) / kFrames;
        collided += static_cast<double>(report.counters["collision_list"]) / kFrames;
        tested += static_cast<double>(report.counters["sphere_tests"]) / kFrames;
        pushed += static_cast<double>(report.counters["pairs_pushed"]) / kFrames;
        longest = std::max(longest, static_cast<double>(report.counters["most_open_pairs"]));
      }
      std::printf("%s at %g s: pair list %.0f, collision list %.0f, tested %.0f, longest list %.0f, %.4f ms\n",
                  scene.name.c_str(), budget, left, collided, tested, longest, 1e3 * seconds);
      json.new_line().begin_object().field("scene", scene.name).field("budget_seconds", budget);
      json.field("pair_list", left).field("collision_list", collided).field("sphere_tests", tested);
      json.field("pairs_pushed", pushed).field("longest_list", longest).field("seconds", seconds).end_object();
    }
  }
  json.end_array();
}

// ---- the paper's other claims

void measure_depth_first(JsonWriter& json, const Scene& scene) {
  json.key("depth_first").begin_array();
  const auto truth = scene.truth(3);
  for (const bool depth : {false, true}) {
    const auto detector = scene.detector(Mode::paper, {{"depth_first", depth}, {"printed_update", false}});
    scene.place(*detector, 3);
    for (const std::uint64_t operations : {100, 1000, 10000, 100000, 1000000}) {
      const Report report = detector->detect(Interval::instant(0), Budget::operations(operations));
      const double recall = covered(*detector, report, truth);
      std::printf("%s, %llu tests: %.3f of %zu true pairs below what is known\n",
                  depth ? "depth first" : "breadth first", static_cast<unsigned long long>(operations), recall,
                  truth.size());
      json.new_line().begin_object().field("depth_first", depth).field("operations", operations);
      json.field("recall", recall).field("complete", report.complete).end_object();
      if (report.complete) break;
    }
  }
  json.end_array();
}

void measure_near_vertices(JsonWriter& json, const Scene& scene) {
  json.key("near_vertices").begin_array();
  const auto truth = scene.truth(3);
  for (const std::int64_t count : {1, 2, 4, 8, 16, 32}) {
    const auto detector = scene.detector(Mode::paper, {{"near_vertices", count}});
    scene.place(*detector, 2);
    detector->detect(Interval::instant(0));
    scene.place(*detector, 3);
    const double start = processor_seconds();
    const Report report = detector->detect(Interval::instant(0));
    const double seconds = processor_seconds() - start;
    const double recall = covered(*detector, report, truth);
    std::printf("V_i of %lld: recall %.4f, %llu leaf pairs, %.2f ms\n", static_cast<long long>(count), recall,
                static_cast<unsigned long long>(report.counters["collision_list"]), 1e3 * seconds);
    json.new_line().begin_object().field("near_vertices", count).field("recall", recall);
    json.field("collision_list", report.counters["collision_list"]).field("processor_seconds", seconds).end_object();
  }
  json.end_array();
}

void measure_update(JsonWriter& json, const Deforming& body, const SphereTreePtr& tree) {
  json.key("update").begin_array();
  for (const double twist : {0.0, 0.25, 0.5, 1.0, 2.0, 4.0}) {
    const Motion motion = body.at(Vec3(0.1, 0, 0), twist);
    const Frame frame = motion.frame(0);
    for (const bool printed : {true, false}) {
      SphereFollower follower(tree, body.mesh, {.printed = printed, .near_vertices = 4});
      follower.place(motion, 0);
      std::size_t lost = 0, count = 0;
      double growth = 0;
      for (std::uint32_t node = 0; node < tree->spheres().size(); ++node) {
        if (!tree->has(node)) continue;
        const Sphere sphere = follower.sphere(node);
        bool held = true;
        for (const SurfacePiece& piece : tree->pieces(node)) {
          const auto face = face_corners(body.mesh->triangle(piece.face), frame.positions());
          for (std::size_t i = 0; i < 3; ++i) held = held && holds(sphere, tree->corner(piece, i, face));
        }
        lost += held ? 0 : 1;
        growth += sphere.radius / tree->spheres()[node].radius;
        ++count;
      }
      const auto n = static_cast<double>(count);
      std::printf("twist %.2f, %s: %.4f of spheres lost something, radii %.3f times\n", twist,
                  printed ? "lambda" : "safe", static_cast<double>(lost) / n, growth / n);
      json.new_line().begin_object().field("twist", twist).field("update", printed ? "lambda" : "safe");
      json.field("lost", static_cast<double>(lost) / n).field("radius_ratio", growth / n).end_object();
    }
  }
  json.end_array();
}

void measure_layered(JsonWriter& json, const Scene& scene) {
  json.key("layered").begin_array();
  for (const bool layered : {false, true}) {
    SphereTreeSettings settings = tree_settings(SphereTreeBuilder::medial);
    settings.layered = layered;
    put_on_shelf(build_sphere_tree(*scene.a->mesh, settings));
    put_on_shelf(build_sphere_tree(*scene.b->mesh, settings));
    const auto detector = scene.detector(Mode::paper);
    scene.place(*detector, 0);
    const Report report = detector->detect(Interval::instant(0));
    std::printf("%s: %llu sphere tests, %llu leaf pairs\n", layered ? "layered" : "wrapped",
                static_cast<unsigned long long>(report.counters["sphere_tests"]),
                static_cast<unsigned long long>(report.counters["collision_list"]));
    json.new_line().begin_object().field("layered", layered).field("sphere_tests", report.counters["sphere_tests"]);
    json.field("collision_list", report.counters["collision_list"]).end_object();
  }
  json.end_array();
}

void measure_thin(JsonWriter& json) {
  json.key("thin").begin_array();
  const TriangleMesh needle({{0, 0, 0}, {1, 0, 0}, {1, 0.01, 0}}, {{VertexId(0), VertexId(1), VertexId(2)}});
  for (const std::size_t pieces : {std::size_t{1}, std::size_t{64}, std::size_t{4096}}) {
    SphereTreeSettings settings = tree_settings(SphereTreeBuilder::boxes);
    settings.pieces = pieces;
    const SphereTreePtr tree = build_sphere_tree(needle, settings);
    double largest = 0;
    for (std::uint32_t node = 0; node < tree->spheres().size(); ++node)
      if (tree->has(node) && tree->is_leaf(node)) largest = std::max(largest, tree->spheres()[node].radius);
    std::printf("needle in %zu pieces: largest leaf %.4f\n", tree->pieces().size(), largest);
    json.new_line().begin_object().field("pieces", tree->pieces().size()).field("largest_leaf", largest).end_object();
  }
  json.end_array();
}

// ---- figure 9

void write_spheres(const std::string& out, const Scene& scene) {
  for (const double budget : {1e-4, 1e-3, 1e-2, 1e-1}) {
    const auto detector = scene.detector(Mode::paper);
    scene.place(*detector, 2);
    detector->detect(Interval::instant(0), Budget::operations(1));
    scene.place(*detector, 3);
    const Report report = detector->detect(Interval::instant(0), Budget::within_seconds(budget));
    char name[32];
    std::snprintf(name, sizeof name, ".%g.csv", budget);
    std::ofstream file(out + name);
    file << "body,x,y,z,radius,leaf\n";
    for (const UnresolvedPair& pair : report.cut)
      for (const auto& [body, sphere] : {std::pair(0, pair.sphere_a), std::pair(1, pair.sphere_b)})
        file << body << ',' << sphere.centre.x() << ',' << sphere.centre.y() << ',' << sphere.centre.z() << ','
             << sphere.radius << ',' << (pair.leaves ? 1 : 0) << '\n';
    std::printf("%g s: %zu pairs of spheres\n", budget, report.cut.size());
  }
}

int run(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "pliant-bench-sphere-tree OUT.json BUNNY DRAGON TEAPOT [levels table1 claims spheres]\n");
    return 2;
  }
  const Named bunny = read(argv[2]), dragon = read(argv[3]), teapot = read(argv[4]);
  const auto wants = [&](const char* part) {
    for (int i = 5; i < argc; ++i)
      if (std::string(argv[i]) == part) return true;
    return argc == 5;
  };
  std::ofstream out(argv[1]);
  JsonWriter json([&](std::string_view text) { out << text; });
  json.begin_object().field("schema", "pliant.bench.sphere-tree/1").new_line();
  if (wants("levels")) measure_levels(json, {bunny, dragon, teapot});
  if (wants("table1") || wants("claims") || wants("spheres")) {
    for (const Named& named : {bunny, dragon})
      put_on_shelf(build_sphere_tree(*named.mesh, tree_settings(SphereTreeBuilder::medial)));
    const Deforming soft_bunny(bunny.mesh), soft_dragon(dragon.mesh);
    const std::vector<Scene> scenes{{"dragon-dragon", &soft_dragon, &soft_dragon},
                                    {"bunny-bunny", &soft_bunny, &soft_bunny},
                                    {"bunny-dragon", &soft_bunny, &soft_dragon}};
    if (wants("table1")) measure_table1(json, scenes);
    if (wants("spheres")) write_spheres(argv[1], scenes[1]);
    if (wants("claims")) {
      measure_depth_first(json, scenes[1]);
      measure_near_vertices(json, scenes[1]);
      measure_update(json, soft_bunny, build_sphere_tree(*bunny.mesh, tree_settings(SphereTreeBuilder::medial)));
      measure_thin(json);
      measure_layered(json, scenes[1]);
    }
  }
  json.end_object().new_line().flush();
  return 0;
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) { return pliant::bench::run(argc, argv); }
