// What docs/sphere-trees.md claims, measured: how tight the builders' trees are, table 1 of the paper, and its other
// claims. Processor time where times are told.
//
//   pliant-bench-sphere-tree OUT.json BUNNY DRAGON TEAPOT [PART...]     parts: levels table1 figure9 claims
//
// Meshes are files, or assets with a sphere tree (`pliant prepare --sphere-tree`), which saves building it. `figure9`
// writes the bodies as OUT.json.BUDGET.0.ply and .1.ply, and the spheres as OUT.json.BUDGET.csv (body, x, y, z, radius,
// leaf), of which bench/sphere-tree-plots makes pictures.
#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "bench/bench_context.h"
#include "pliant/asset/asset_file.h"
#include "pliant/asset/repair.h"
#include "pliant/asset/sphere_tree_section.h"
#include "pliant/bounds/sphere_tree/build_sphere_tree.h"
#include "pliant/bounds/sphere_tree/sphere_error.h"
#include "pliant/bounds/sphere_tree/sphere_follower.h"
#include "pliant/bounds/sphere_tree/tree_shelf.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/detect/sphere_tree/printed_search.h"
#include "pliant/io/json_writer.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/mesh_hash.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/motion/embedding.h"
#include "pliant/scene/interruptible_study.h"

namespace pliant::bench {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Named {
  std::string name;
  MeshPtr mesh;
};

// An asset brings its sphere tree along.
Named read(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (path.ends_with(".pliant")) {
    const Asset asset = read_asset(path);
    put_on_shelf(stored_sphere_tree(asset));
    return {name.substr(0, name.find('.')), asset.dense};
  }
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

// ---- table 1

const PublishedInteraction& published(const MeasuredInteraction& row) {
  for (const PublishedInteraction& one : published_table1())
    if (row.name == one.name && row.budget == one.budget) return one;
  static constexpr PublishedInteraction kNone{"", 0, 0, 0, 0};
  return kNone;
}

void write_table1(JsonWriter& json, const InterruptibleSettings& settings) {
  const std::vector<MeasuredInteraction> rows = measure_table1(settings);
  json.key("table1").begin_array();
  for (const MeasuredInteraction& row : rows) {
    const PublishedInteraction& paper = published(row);
    std::printf(
        "%s at %g s: pair list %.0f (paper %d), collision list %.0f (%d), %.3g frames/s (%d); %.0f pushed, longest "
        "%llu, %.3f ms, %.4f m deep\n",
        row.name.c_str(), row.budget, row.pair_list, paper.pair_list, row.collision_list, paper.collision_list,
        row.frames_per_second, paper.frames_per_second, row.pairs_pushed,
        static_cast<unsigned long long>(row.longest_list), 1e3 * row.search_seconds, row.penetration);
    json.new_line().begin_object().field("scene", row.name).field("budget_seconds", row.budget);
    json.field("pair_list", row.pair_list).field("paper_pair_list", paper.pair_list);
    json.field("collision_list", row.collision_list).field("paper_collision_list", paper.collision_list);
    json.field("frames_per_second", row.frames_per_second).field("paper_frames_per_second", paper.frames_per_second);
    json.field("pairs_pushed", row.pairs_pushed).field("longest_list", row.longest_list);
    json.field("search_seconds", row.search_seconds).field("penetration", row.penetration).end_object();
  }
  json.end_array().key("trends").begin_array();
  for (std::size_t i = 0; i < rows.size(); i += settings.budgets.size()) {
    const InterruptibleTrends trends = judge(std::span(rows).subspan(i, settings.budgets.size()));
    json.new_line().begin_object().field("scene", rows[i].name).field("collisions_grow", trends.collisions_grow);
    json.field("none_at_first", trends.none_at_first).field("frame_rate_falls", trends.frame_rate_falls);
    json.field("budgets_are_kept", trends.budgets_are_kept).end_object();
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

// How long the lists of the printed search get, and what that takes.
void measure_memory(JsonWriter& json, const Scene& scene) {
  json.key("memory").begin_array();
  const auto detector = scene.detector(Mode::paper);
  scene.place(*detector, 3);
  for (const std::uint64_t operations : {10, 100, 1000, 10000, 100000, 1000000}) {
    const Report report = detector->detect(Interval::instant(0), Budget::operations(operations));
    const std::uint64_t longest = report.counters["most_open_pairs"];
    std::printf("%llu tests: %llu pairs in the list at most, %.1f kB\n", static_cast<unsigned long long>(operations),
                static_cast<unsigned long long>(longest), static_cast<double>(longest * sizeof(PrintedPair)) / 1e3);
    json.new_line().begin_object().field("operations", operations).field("longest_list", longest);
    json.field("bytes", longest * sizeof(PrintedPair)).field("complete", report.complete).end_object();
    if (report.complete) break;
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

// ---- a reduced model that is no simulation: a cage that follows keyframes

// A box of tetrahedra around a body, and keyframes of its corners.
Motion in_a_cage(const Deforming& body, const Vec3& place, double twist) {
  constexpr int kKeyframes = 8, kCells = 5;
  const auto unit = make_tet_box({.size = Vec3::Constant(1.02), .cells = Eigen::Vector3i::Constant(kCells)});
  std::vector<Vec3> corners;
  for (const Vec3& p : unit->positions()) corners.emplace_back(p * body.size + body.middle);
  const TetMesh cage(corners, {unit->tets().begin(), unit->tets().end()});
  std::vector<Frame> keyframes;
  for (int k = 0; k < kKeyframes; ++k) {
    std::vector<Vec3> moved;
    for (const Vec3& p : unit->positions()) {
      const double angle = twist * k * p.y(), bend = 0.05 * k * p.y() * p.y();
      const Vec3 q(std::cos(angle) * p.x() - std::sin(angle) * p.z() + bend, p.y(),
                   std::sin(angle) * p.x() + std::cos(angle) * p.z());
      moved.emplace_back((q + place) * body.size + body.middle);
    }
    keyframes.push_back(Frame::own(std::move(moved)));
  }
  return Motion::embedded(Motion::keyframes(std::move(keyframes)),
                          std::make_shared<const BarycentricEmbedding>(body.mesh->positions(), cage));
}

// At keyframes and between them: what is missed at operation budgets, what is read, and how long it takes.
void measure_cage(JsonWriter& json, const Deforming& body) {
  json.key("cage").begin_array();
  const Motion motion_a = in_a_cage(body, Vec3::Zero(), 0.2), motion_b = in_a_cage(body, {0.45, 0.1, 0.05}, -0.2);
  const auto add_both = [&](Detector& detector) {
    detector.add_body(body.mesh, motion_a);
    detector.add_body(body.mesh, motion_b);
  };
  DetectorSettings settings{.self = false};
  settings.threads = {1};
  const auto spheres = make_detector("sphere-tree", settings), exact = make_detector("bvh", settings);
  add_both(*spheres);
  add_both(*exact);
  for (const double time : {0.0, 2.0, 3.5, 5.0, 7.0}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> truth;
    for (const Contact& c : exact->detect(Interval::instant(time)).contacts) truth.emplace(c.a.id, c.b.id);
    for (const std::uint64_t operations : {100, 1000, 10000}) {
      const Report report = spheres->detect(Interval::instant(time), Budget::operations(operations));
      auto left = truth;
      for (const Contact& c : report.contacts)
        if (c.relation != Relation::possible) left.erase({c.a.id, c.b.id});
      const double recall = covered(*spheres, report, left);
      std::printf("cage at %.1f, %llu operations: %.4f of %zu true pairs known or below the cut, bound %.4f\n", time,
                  static_cast<unsigned long long>(operations), recall, truth.size(), report.bound / body.size);
      json.new_line().begin_object().field("time", time).field("operations", operations).field("recall", recall);
      json.field("true_pairs", truth.size()).field("bound", report.bound / body.size).end_object();
    }
    spheres->detect(Interval::instant(time == 0 ? 1 : 0));
    const double start = processor_seconds();
    const Report report = spheres->detect(Interval::instant(time));
    const double seconds = processor_seconds() - start;
    std::size_t certain = 0;
    for (const Contact& c : report.contacts) certain += c.relation == Relation::possible ? 0 : 1;
    std::printf("cage at %.1f: %zu of %zu pairs, %llu spheres updated, %.2f ms\n", time, certain, truth.size(),
                static_cast<unsigned long long>(report.counters["spheres_updated"]), 1e3 * seconds);
    json.new_line().begin_object().field("time", time).field("found", certain).field("true_pairs", truth.size());
    json.field("spheres_updated", report.counters["spheres_updated"]).field("processor_seconds", seconds).end_object();
  }
  json.end_array();
}

// ---- figure 9

void write_figure9(const std::string& out, const InterruptibleSettings& settings) {
  for (const double budget : {1e-4, 1e-3, 1e-2, 1e-1}) {
    const InterruptibleFigure figure = measure_figure9(settings, budget);
    char name[32];
    std::snprintf(name, sizeof name, ".%g", budget);
    for (std::size_t b = 0; b < figure.meshes.size(); ++b)
      write_mesh(out + name + "." + std::to_string(b) + ".ply", *figure.meshes[b]);
    std::ofstream file(out + name + ".csv");
    file << "body,x,y,z,radius,leaf\n";
    for (const UsedSphere& used : figure.spheres)
      file << used.body.value << ',' << used.sphere.centre.x() << ',' << used.sphere.centre.y() << ','
           << used.sphere.centre.z() << ',' << used.sphere.radius << ',' << (used.is_leaf ? 1 : 0) << '\n';
    std::printf("%g s: %zu spheres\n", budget, figure.spheres.size());
  }
}

int run(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "pliant-bench-sphere-tree OUT.json BUNNY DRAGON TEAPOT [levels table1 figure9 claims]\n");
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
  json.begin_object().field("schema", "pliant.bench.sphere-tree/1");
  for (const auto& [name, value] : bench_context()) json.field(name, value);
  json.new_line();
  if (wants("levels")) measure_levels(json, {bunny, dragon, teapot});
  InterruptibleSettings study;
  study.build = {.threads = {1}, .meshes = {{"bunny", argv[2]}, {"dragon", argv[3]}}};
  study.note = [](const std::string& note) { std::printf("    %s\n", note.c_str()); };
  if (wants("table1")) write_table1(json, study);
  if (wants("figure9")) write_figure9(argv[1], study);
  if (wants("claims")) {
    for (const Named& named : {bunny, dragon})
      if (!find_on_shelf(mesh_hash(*named.mesh)))
        put_on_shelf(build_sphere_tree(*named.mesh, tree_settings(SphereTreeBuilder::medial)));
    const Deforming soft_bunny(bunny.mesh), soft_dragon(dragon.mesh);
    const std::vector<Scene> scenes{{"dragon-dragon", &soft_dragon, &soft_dragon},
                                    {"bunny-bunny", &soft_bunny, &soft_bunny},
                                    {"bunny-dragon", &soft_bunny, &soft_dragon}};
    measure_depth_first(json, scenes[1]);
    measure_near_vertices(json, scenes[1]);
    measure_memory(json, scenes[1]);
    measure_update(json, soft_bunny, find_on_shelf(mesh_hash(*bunny.mesh)));
    measure_thin(json);
    measure_cage(json, soft_bunny);
    measure_layered(json, scenes[1]);
  }
  json.end_object().new_line().flush();
  return 0;
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) { return pliant::bench::run(argc, argv); }
