// What docs/subdivided-boxes.md claims, measured: the broad phase beside spatial hashing and trees, what paper mode
// misses, and time per frame of a simulation. Processor time, one thread; every list is one table of the result.
//
//   pliant-bench-boxes OUT.json [PART...]     parts: broad million thousand misses frames scenes proofs
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>

#include "bench/bench_parts.h"
#include "bench/particles_scenes.h"
#include "pliant/mesh/topology.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"
#include "pliant/world/run_health.h"
#include "pliant/world/world.h"

namespace pliant::bench {
namespace {

double cpu_ms() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC * 1e3; }

// Wobbling balls on a slightly disturbed grid.
struct Heap {
  static constexpr int kFrames = 4;
  MeshPtr mesh;
  std::vector<std::vector<Frame>> frames;  // by body

  Heap(int bodies, int triangles, double spacing)
      : mesh(make_icosphere({.frequency = static_cast<int>(std::lround(std::sqrt(triangles / 20.0)))})) {
    Random random(5);
    const int side = static_cast<int>(std::ceil(std::cbrt(bodies)));
    const SmoothField field({.seed = 9, .amplitude = 0.05, .wavelength = 1.5});
    for (int b = 0; b < bodies; ++b) {
      const Vec3 place = spacing * Vec3(b % side, b / side % side, b / side / side) +
                         0.05 * spacing * Vec3(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1));
      const double turn = random.within(0, 6);
      frames.emplace_back();
      for (int k = 0; k < kFrames; ++k)
        frames.back().push_back(
            Frame::own(transformed(displaced(mesh->positions(), field, b + 0.02 * k),
                                   rigid({1, 2, 3}, turn + 0.01 * k, place + Vec3(0.01 * k, 0, 0)))));
    }
  }
};

struct Method {
  std::string name, method;
  MethodSettings own;
};

std::vector<Method> methods_compared() {
  return {{"spatial-hash", "spatial-hash", {}},
          {"spatial-hash, cull", "spatial-hash", {{"cull", true}}},
          {"bvh", "bvh", {}},
          {"subdivided-boxes", "subdivided-boxes", {}}};
}

struct Measured {
  double ms = 1e300;  // mean over the frames, the least of the rounds
  std::uint64_t candidates = 0, contacts = 0;
};

Measured measure(const Heap& heap, const Method& method, bool candidates_only, int rounds) {
  DetectorSettings settings = settings_of(Mode::safe, method.own);
  settings.candidates_only = candidates_only;
  const auto detector = make_detector(method.method, settings);
  for (std::size_t b = 0; b < heap.frames.size(); ++b) detector->add_body(heap.mesh);
  struct Count : ContactSink {
    Flow contact(const Contact&) override { return ++contacts, Flow::go_on; }
    std::uint64_t contacts = 0;
  };
  Measured measured;
  for (int round = -2; round < rounds; ++round) {  // trees reach their final shape first
    double ms = 0;
    Measured now;
    for (int k = 0; k < Heap::kFrames; ++k) {
      for (std::uint32_t b = 0; b < heap.frames.size(); ++b)
        detector->set_motion(BodyId(b), Motion::at_rest(heap.frames[b][static_cast<std::size_t>(k)]));
      Count count;
      const double start = cpu_ms();
      const Report report = detector->detect(Interval::instant(0), {}, &count);
      ms += (cpu_ms() - start) / Heap::kFrames;
      now.candidates += report.counters[candidates_only ? "pair_tests" : "triangle_tests"];
      now.contacts += count.contacts;
    }
    measured.candidates = now.candidates / Heap::kFrames;
    measured.contacts = now.contacts / Heap::kFrames;
    if (round >= 0) measured.ms = std::min(measured.ms, ms);
  }
  return measured;
}

struct HeapScene {
  int bodies, triangles;
  const char* overlap;
  double spacing;
};

void measure_heap(JsonWriter& json, const HeapScene& scene) {
  const Heap heap(scene.bodies, scene.triangles, scene.spacing);
  const int rounds = scene.bodies * scene.triangles > 400'000 ? 2 : 6;
  for (const Method& method : methods_compared()) {
    const Measured broad = measure(heap, method, true, rounds), whole = measure(heap, method, false, 1);
    json.new_line().begin_object().field("bodies", scene.bodies).field("triangles_each", scene.triangles);
    json.field("overlap", scene.overlap).field("method", method.name).field("broad_ms", broad.ms);
    json.field("candidates", broad.candidates)
        .field("query_ms", whole.ms)
        .field("contacts", whole.contacts)
        .end_object();
    json.flush();
    std::printf("%4d x %5d %-4s %-20s broad %8.3f ms  whole %8.3f ms  %9llu candidates %8llu contacts\n", scene.bodies,
                scene.triangles, scene.overlap, method.name.c_str(), broad.ms, whole.ms,
                static_cast<unsigned long long>(broad.candidates), static_cast<unsigned long long>(whole.contacts));
    std::fflush(stdout);
  }
}

void measure_heaps(JsonWriter& json, const char* key, std::span<const HeapScene> scenes) {
  json.new_line().key(key).begin_array();
  for (const HeapScene& scene : scenes) measure_heap(json, scene);
  json.end_array();
}

void measure_broad(JsonWriter& json) {
  const HeapScene scenes[]{
      {2, 20480, "high", 1.2}, {100, 320, "high", 1.2}, {100, 5120, "high", 1.2}, {100, 5120, "low", 2.05}};
  measure_heaps(json, "broad", scenes);
}
void measure_million(JsonWriter& json) {
  const HeapScene scenes[]{
      {50, 20480, "low", 2.05}, {50, 20480, "some", 1.8}, {50, 20480, "more", 1.39}, {50, 20480, "high", 1.2}};
  measure_heaps(json, "million", scenes);
}
void measure_thousand(JsonWriter& json) {
  const HeapScene scenes[]{{1000, 1280, "low", 2.05}, {1000, 1280, "some", 1.9}, {1000, 1280, "high", 1.2}};
  measure_heaps(json, "thousand", scenes);
}

// ---- paper mode ----

void measure_misses(JsonWriter& json) {
  struct Variant {
    const char* name;
    MethodSettings own;
  };
  const Variant variants[]{
      {"as printed", {}},
      {"all cells", {{"corners_only", false}}},
      {"all faces", {{"vertices_only", false}}},
      {"both ways", {{"one_way", false}}},
      {"all cells, all faces", {{"corners_only", false}, {"vertices_only", false}}},
      {"all cells, both ways", {{"corners_only", false}, {"one_way", false}}},
      {"all faces, both ways", {{"vertices_only", false}, {"one_way", false}}},
      {"all cells, all faces, both ways", {{"corners_only", false}, {"vertices_only", false}, {"one_way", false}}},
      {"third pass as worded", {{"third_needs_hit", true}}},
  };
  json.new_line().key("misses").begin_array();
  for (const double cell : {0.0, 0.1})
    for (const std::int64_t levels : {3, 6})
      for (const double distance : {1.95, 1.2}) {
        const TwoBalls scene(2480, distance);
        for (const Variant& variant : variants) {
          MethodSettings own = variant.own;
          own.set("levels", levels);
          own.set("cell_size", cell);
          own.set("buckets", std::int64_t{1009});
          const auto printed = make_detector("subdivided-boxes", settings_of(Mode::paper, own));
          const auto exact = make_detector("subdivided-boxes", settings_of(Mode::safe));
          for (Detector* d : {printed.get(), exact.get()}) {
            d->add_body(scene.mesh, Motion::keyframes(scene.a));
            d->add_body(scene.mesh, Motion::keyframes(scene.b));
          }
          std::size_t found = 0, there = 0;
          std::uint64_t tests = 0;
          for (int k = 0; k < TwoBalls::kFrames; ++k) {
            const Report report = printed->detect(Interval::instant(k));
            found += report.contacts.size();
            tests += report.counters["printed_tests"];
            there += exact->detect(Interval::instant(k)).contacts.size();
          }
          json.new_line().begin_object().field("faces", 2 * scene.mesh->face_count()).field("levels", levels);
          json.field("cell_size", cell).field("overlap", distance > 1.5 ? "slight" : "deep");
          json.field("variant", variant.name).field("found", found).field("there", there);
          json.field("tests_per_frame", tests / TwoBalls::kFrames).end_object();
        }
      }
  json.end_array();
}

// ---- a simulation, frame by frame ----

struct Timed {
  std::unique_ptr<Detector> detector;
  double ms = 0;
  std::size_t contacts = 0;
};

void time_frame(Timed& timed, const World& world) {
  for (std::uint32_t b = 0; b < world.body_count(); ++b)
    timed.detector->set_positions(BodyId(b), world.body(BodyId(b)).positions());
  timed.ms = 1e300;
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t b = 0; b < world.body_count(); ++b)  // a new frame for the method each time
      timed.detector->set_positions(BodyId(b), world.body(BodyId(b)).positions());
    const double start = cpu_ms();
    timed.contacts = timed.detector->detect(Interval::instant(0)).contacts.size();
    timed.ms = std::min(timed.ms, cpu_ms() - start);
  }
}

void measure_frames(JsonWriter& json) {
  const SceneDescription scene = library_scene("soft_2000_frames");
  BuiltScene built = build_world(scene);
  World& world = built.world;
  std::vector<Timed> timed(2);
  timed[0].detector = make_detector("spatial-hash", settings_of(Mode::safe));
  timed[1].detector = make_detector("subdivided-boxes", settings_of(Mode::safe));
  for (Timed& one : timed)
    for (std::uint32_t b = 0; b < world.body_count(); ++b) one.detector->add_body(world.body(BodyId(b)).mesh());
  json.new_line().key("frames").begin_array();
  for (int frame = 1; frame <= scene.frames; ++frame) {
    const double start = cpu_ms();
    if (!world.step().ok()) break;
    const double step = cpu_ms() - start;
    for (Timed& one : timed) time_frame(one, world);
    json.new_line().begin_object().field("frame", frame).field("step_ms", step);
    json.field("spatial_hash_ms", timed[0].ms).field("subdivided_boxes_ms", timed[1].ms);
    json.field("contacts", timed[0].contacts).field("same", timed[0].contacts == timed[1].contacts).end_object();
  }
  json.end_array();
}

// ---- the paper's scenes ----

double mean_edge_of(const World& world) {
  double sum = 0, count = 0;
  for (std::uint32_t b = 0; b < world.body_count(); ++b) {
    const BodyModel& body = world.body(BodyId(b));
    if (std::isinf(body.masses()[0])) continue;
    for (const Edge& edge : body.mesh()->topology().edges()) {
      sum += (body.positions()[edge[0].index()] - body.positions()[edge[1].index()]).norm();
      ++count;
    }
  }
  return sum / count;
}

double share(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1))];
}

// Frames per second of whole steps, how deep triangles are in each other after each, and what energy came from nothing.
// Scenes that take long are not measured to their end.
void measure_scene(JsonWriter& json, const char* name, ResponseKind response, int frames, double most_ms = 15e3) {
  SceneDescription scene = library_scene(name);
  scene.world.response.kind = response;
  if (frames == 0) frames = scene.frames;
  BuiltScene built = build_world(scene, {.threads = {1}, .meshes = {}, .mesh_folders = {}});
  World& world = built.world;
  DetectorSettings settings = settings_of(Mode::safe);
  const auto detector = make_detector("subdivided-boxes", settings);
  std::size_t vertices = 0, faces = 0;
  for (std::uint32_t b = 0; b < world.body_count(); ++b) {
    detector->add_body(world.body(BodyId(b)).mesh());
    if (std::isinf(world.body(BodyId(b)).masses()[0])) continue;
    vertices += world.body(BodyId(b)).mesh()->vertex_count();
    faces += world.body(BodyId(b)).mesh()->face_count();
  }
  const double edge = mean_edge_of(world);
  std::vector<double> ms, depth;
  double lowest = 1e300, sum = 0;
  RunHealth health;
  std::size_t contacts = 0, most_contacts = 0;
  for (int frame = 0; frame < frames && sum < most_ms; ++frame) {
    const double start = cpu_ms();
    const FrameReport stepped = world.step();
    if (!stepped.ok()) break;
    ms.push_back(cpu_ms() - start);
    sum += ms.back();
    health.frame_done(world, stepped);
    double deepest = 0;
    for (std::uint32_t b = 0; b < world.body_count(); ++b) {
      detector->set_positions(BodyId(b), world.body(BodyId(b)).positions());
      if (std::isinf(world.body(BodyId(b)).masses()[0])) continue;
      for (const Vec3& x : world.body(BodyId(b)).positions()) lowest = std::min(lowest, x.z());
    }
    const Report report = detector->detect(Interval::instant(0));
    for (const Contact& contact : report.contacts) deepest = std::max(deepest, contact.depth);
    contacts += report.contacts.size();
    most_contacts = std::max(most_contacts, report.contacts.size());
    depth.push_back(deepest / edge);
  }
  const double gained = health.most_kinetic > 0 ? health.energy_gained / health.most_kinetic : 0;
  json.new_line().begin_object().field("scene", name).field("response", std::string(to_string(response)));
  json.field("vertices", vertices).field("faces", faces).field("frames", ms.size());
  json.field("frames_per_second", static_cast<double>(ms.size()) / sum * 1e3).field("p99_ms", share(ms, 0.99));
  json.field("mean_edge", edge).field("lowest", lowest).field("contacts_left", contacts);
  json.field("most_contacts_left", most_contacts).field("depth_p99_edges", share(depth, 0.99));
  json.field("depth_most_edges", share(depth, 1)).field("energy_gained", gained).end_object();
  json.flush();
  std::printf(
      "%-18s %-9s %5zu vertices %5zu frames %7.1f fps  lowest %9.6f  depth p99 %.4f most %.4f of an edge, energy "
      "%.3f\n",
      name, std::string(to_string(response)).c_str(), vertices, ms.size(), static_cast<double>(ms.size()) / sum * 1e3,
      lowest, share(depth, 0.99), share(depth, 1), gained);
  std::fflush(stdout);
}

constexpr const char* kScenes[]{"soft_two_bodies",   "soft_on_ground", "soft_on_sphere", "soft_2000_frames",
                                "soft_10k_vertices", "soft_stiffness", "soft_wall",      "soft_cloak"};

void measure_scenes(JsonWriter& json) {
  json.new_line().key("scenes").begin_array();
  for (const char* name : kScenes) measure_scene(json, name, ResponseKind::pull_back, 0, 400e3);
  // Side by side, the same frames.
  measure_scene(json, "soft_10k_vertices", ResponseKind::proof, 60);
  measure_scene(json, "soft_10k_vertices", ResponseKind::pull_back, 60);
  json.end_array();
}

void measure_proofs(JsonWriter& json) {
  json.new_line().key("proofs").begin_array();
  for (const char* name : kScenes) measure_scene(json, name, ResponseKind::proof, 0, 8e3);
  json.end_array();
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) {
  using namespace pliant::bench;
  const BenchPart parts[]{{"broad", measure_broad},   {"million", measure_million}, {"thousand", measure_thousand},
                          {"misses", measure_misses}, {"frames", measure_frames},   {"scenes", measure_scenes},
                          {"proofs", measure_proofs}};
  return run_parts({argv, static_cast<std::size_t>(argc)}, "pliant.bench.boxes/1", parts);
}
