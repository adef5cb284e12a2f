// What docs/particles.md claims, measured: recall and speed on the paper's scene, several bodies, stretch, how times
// grow, and safe mode beside a plain tree and `bvh`. Processor time, one thread; every list is one table of the result.
//
//   pliant-bench-particles OUT.json [PART...]     parts: scene sides stretch growth speed order
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "bench/particles_scenes.h"
#include "bench/plain_tree.h"
#include "pliant/detect/particles/body_regions.h"
#include "pliant/detect/particles/particle_count.h"
#include "pliant/detect/registry.h"
#include "pliant/io/json_writer.h"

namespace pliant::bench {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The least of several rounds, in milliseconds per call.
double least_ms(int rounds, int calls, const std::function<void(int)>& call) {
  double least = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const double start = cpu_seconds();
    for (int k = 0; k < calls; ++k) call(k);
    least = std::min(least, (cpu_seconds() - start) / calls * 1e3);
  }
  return least;
}

struct Variant {
  std::string name;
  Mode mode;
  MethodSettings own;
};

std::vector<Variant> variants() {
  return {{"predecessor", Mode::paper, {{"free_particles", true}}},
          {"paper", Mode::paper, {}},
          {"paper, restarts=1", Mode::paper, {{"restarts", std::int64_t{1}}}},
          {"paper, restarts=3", Mode::paper, {{"restarts", std::int64_t{3}}}},
          {"paper, restarts=10", Mode::paper, {{"restarts", std::int64_t{10}}}},
          {"safe", Mode::safe, {}}};
}

using Pairs = std::set<std::pair<Feature, Feature>>;
Pairs pairs_of(const Report& report) {
  Pairs pairs;
  for (const Contact& c : report.contacts)
    if (c.relation != Relation::possible) pairs.emplace(c.a, c.b);
  return pairs;
}

std::size_t common(const Pairs& a, const Pairs& b) {
  return static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](const auto& pair) { return b.contains(pair); }));
}

// Frames in which bodies meet, and triangle pairs, against those of the oracle.
struct Score {
  std::size_t meeting = 0, met = 0, pairs = 0, found = 0, wrong = 0;
  void add(const Pairs& truth, const Pairs& claimed) {
    const std::size_t both = common(claimed, truth);
    meeting += !truth.empty();
    met += !truth.empty() && both > 0;
    pairs += truth.size();
    found += both;
    wrong += claimed.size() - both;
  }
  static double ratio(std::size_t a, std::size_t b) {
    return b == 0 ? 1 : static_cast<double>(a) / static_cast<double>(b);
  }
  void write(JsonWriter& json, const std::string& before) const {
    json.field(before + "frames", meeting).field(before + "recall", ratio(met, meeting));
    json.field(before + "contact_recall", ratio(found, pairs));
    json.field(before + "precision", ratio(found, found + wrong));
  }
};

// ---- the paper's scene ----

// By `bvh`, which tests hold to the oracle; here again in every sixteenth frame, since all pairs take long.
std::vector<Pairs> truth_of(const PotAndBall& scene) {
  constexpr int kAskEvery = 16;
  std::vector<Pairs> truth;
  const auto fast = make_detector("bvh", settings_of(Mode::safe));
  const auto oracle = make_detector("brute-force", settings_of(Mode::safe));
  for (Detector* d : {fast.get(), oracle.get()}) d->add_body(scene.pot()), d->add_body(scene.ball());
  for (int frame = 0; frame < PotAndBall::kFrames; ++frame) {
    const auto ask = [&](Detector& detector) {
      detector.set_positions(BodyId(0), scene.pot_at(frame));
      detector.set_positions(BodyId(1), scene.ball_at(frame));
      return pairs_of(detector.detect(Interval::instant(0)));
    };
    truth.push_back(ask(*fast));
    if (frame % kAskEvery == 0 && ask(*oracle) != truth.back()) std::puts("bvh differs from the oracle");
  }
  return truth;
}

void write_scene_row(JsonWriter& json, const PotAndBall& scene, const std::vector<Pairs>& truth,
                     const Variant& variant) {
  const auto detector = make_detector("particles", settings_of(variant.mode, variant.own));
  detector->add_body(scene.pot());
  detector->add_body(scene.ball());
  Score all, grazing;
  double seconds = 0;
  std::uint64_t regions = 0;
  detector->detect(Interval::instant(0));  // regions are made
  detector->reset(0);
  for (int frame = 0; frame < PotAndBall::kFrames; ++frame) {
    detector->set_positions(BodyId(0), scene.pot_at(frame));
    detector->set_positions(BodyId(1), scene.ball_at(frame));
    const double start = cpu_seconds();
    const Report report = detector->detect(Interval::instant(0));
    seconds += cpu_seconds() - start;
    const Pairs found = pairs_of(report);
    const Pairs& true_pairs = truth[static_cast<std::size_t>(frame)];
    all.add(true_pairs, found);
    if (true_pairs.size() < 10) grazing.add(true_pairs, found);
    regions = std::max(regions, report.counters["regions"]);
  }
  json.new_line().begin_object().field("variant", variant.name).field("pot_triangles", scene.pot()->face_count());
  json.field("ball_triangles", scene.ball()->face_count())
      .field("frames", PotAndBall::kFrames)
      .field("regions", regions);
  all.write(json, "meeting_");
  grazing.write(json, "grazing_");
  json.field("frames_per_second", PotAndBall::kFrames / seconds).end_object();
}

void measure_scene(JsonWriter& json) {
  json.new_line().key("scene").begin_array();
  for (const int segments : {9, 10}) {
    const PotAndBall scene(segments);
    const std::vector<Pairs> truth = truth_of(scene);
    for (const Variant& variant : variants()) write_scene_row(json, scene, truth, variant);
  }
  json.end_array();
}

// ---- several bodies around one ----

// One ball touches first, for a while; then the others, all on different sides.
void measure_sides(JsonWriter& json) {
  constexpr int kScenes = 60, kWait = 30;
  const MeshPtr middle = make_icosphere({.radius = 1, .frequency = 12}),
                small = make_icosphere({.radius = 0.35, .frequency = 6});
  json.new_line().key("sides").begin_array();
  for (const int others : {3, 6})
    for (const std::int64_t particles : {6, 12, 24, 0})  // 0: by the paper's rule
      for (Variant variant : variants()) {
        if (variant.name == "paper, restarts=3" || variant.name == "paper, restarts=10") continue;  // one is enough
        if (variant.mode == Mode::safe && particles > 0) continue;
        if (variant.mode == Mode::paper) variant.own.set("regions", particles);
        Random random(7);
        Score bodies;
        std::size_t complete = 0;
        for (int s = 0; s < kScenes; ++s) {
          std::vector<Vec3> sides;
          while (sides.size() < static_cast<std::size_t>(others)) {
            const Vec3 way = random_direction(random);
            if (std::all_of(sides.begin(), sides.end(), [&](const Vec3& w) { return w.dot(way) < 0.5; }))
              sides.push_back(way);
          }
          const auto detector = make_detector("particles", settings_of(variant.mode, variant.own));
          const auto oracle = make_detector("bvh", settings_of(Mode::safe));
          for (Detector* d : {detector.get(), oracle.get()}) {
            d->add_body(middle);
            for (int k = 0; k < others; ++k) d->add_body(small);
          }
          const auto place = [&](bool all_near) {
            for (int k = 0; k < others; ++k) {
              std::vector<Vec3> x(small->positions().begin(), small->positions().end());
              for (Vec3& p : x) p += (k == 0 || all_near ? 1.33 : 4) * sides[static_cast<std::size_t>(k)];
              for (Detector* d : {detector.get(), oracle.get()}) d->set_positions(BodyId(1 + k), x);
            }
          };
          for (int frame = 0; frame < kWait; ++frame) {
            place(false);
            detector->detect(Interval::instant(0));
          }
          place(true);
          const auto bodies_of = [](const Pairs& pairs) {
            Pairs whole;
            for (const auto& [a, b] : pairs)
              whole.emplace(Feature{a.body, FeatureKind::region, 0}, Feature{b.body, FeatureKind::region, 0});
            return whole;
          };
          const Pairs truth = bodies_of(pairs_of(oracle->detect(Interval::instant(0))));
          const Pairs found = bodies_of(pairs_of(detector->detect(Interval::instant(0))));
          bodies.add(truth, found);
          complete += found == truth;
        }
        json.new_line().begin_object().field("variant", variant.name).field("bodies", others).field("scenes", kScenes);
        json.field("particles", variant.mode == Mode::paper ? particles : 0);
        json.field("body_pairs", bodies.pairs).field("recall", Score::ratio(bodies.found, bodies.pairs));
        json.field("scenes_with_all", complete).end_object();
      }
  json.end_array();
}

// ---- extreme stretch ----

void measure_stretch(JsonWriter& json) {
  constexpr int kFrames = 300;
  const MeshPtr balloon = make_icosphere({.radius = 1, .frequency = 16}),
                small = make_icosphere({.radius = 0.3, .frequency = 6});
  json.new_line().key("stretch").begin_array();
  for (const std::int64_t particles : {4, 12, 0})
    for (const double most : {2.0, 8.0})
      for (const bool repartition : {false, true}) {
        const auto detector = make_detector(
            "particles", settings_of(Mode::paper, {{"repartition", repartition}, {"regions", particles}}));
        const auto oracle = make_detector("bvh", settings_of(Mode::safe));
        for (Detector* d : {detector.get(), oracle.get()}) d->add_body(balloon), d->add_body(small);
        Random random(11);
        Score score;
        std::uint64_t regions = 0, runs = 0;
        Vec3 way = Vec3::UnitX();
        for (int frame = 0; frame < kFrames; ++frame) {
          const double factor = 1 + (most - 1) * std::min(1.0, frame / 100.0);
          std::vector<Vec3> x(balloon->positions().begin(), balloon->positions().end());
          for (Vec3& p : x) p = {p.x() * factor, p.y(), p.z() * (1 + 0.5 * (factor - 1))};
          // The small ball touches it somewhere else every ten frames.
          if (frame % 10 == 0) way = random_direction(random);
          const Vec3 at(way.x() * factor, way.y(), way.z() * (1 + 0.5 * (factor - 1)));
          std::vector<Vec3> y(small->positions().begin(), small->positions().end());
          for (Vec3& p : y) p += at + 0.27 * way;
          for (Detector* d : {detector.get(), oracle.get()})
            d->set_positions(BodyId(0), x), d->set_positions(BodyId(1), y);
          const Report report = detector->detect(Interval::instant(0));
          score.add(pairs_of(oracle->detect(Interval::instant(0))), pairs_of(report));
          regions = std::max(regions, report.counters["regions"]);
          runs += report.counters["repartitions"];
        }
        json.new_line()
            .begin_object()
            .field("stretch", most)
            .field("particles", particles)
            .field("repartition", repartition)
            .field("repartitions", runs);
        json.field("regions", regions);
        score.write(json, "meeting_");
        json.end_object();
      }
  json.end_array();
}

// ---- how times grow ----

void growth_row(JsonWriter& json, const char* what, double vertices, double particles, double ms) {
  json.new_line().begin_object().field("what", what).field("vertices", vertices).field("particles", particles);
  json.field("ms", ms).end_object();
}

// Walk and nomination of paper mode: two balls just apart, so that nothing is tested; particles start from the middle.
double walk_ms(const MeshPtr& ball, std::uint32_t particles) {
  const auto detector = make_detector("particles", settings_of(Mode::paper, {{"regions", std::int64_t{particles}},
                                                                             {"most_sweeps", std::int64_t{4}},
                                                                             {"relaxed_fraction", 0.0},
                                                                             {"repartition", false}}));
  detector->add_body(ball);
  std::vector<Vec3> x(ball->positions().begin(), ball->positions().end());
  for (Vec3& p : x) p += Vec3(2.3, 0, 0);
  detector->add_body(ball, Motion::at_rest(with_positions(*ball, x)));
  return least_ms(5, 8, [&](int) {
    detector->reset(0);
    detector->detect(Interval::instant(0));
  });
}

void measure_growth(JsonWriter& json) {
  json.new_line().key("growth").begin_array();
  // Large enough that even of many regions most vertices have all their neighbours inside.
  const MeshPtr medium = ball_of(20'000), large = ball_of(80'000);
  for (const std::uint32_t n : {32, 64, 128, 256, 512, 1024})
    growth_row(json, "walk, 4 sweeps", static_cast<double>(large->vertex_count()), n, walk_ms(large, n));
  for (const std::size_t t : {2'500, 5'000, 10'000, 20'000, 40'000, 80'000}) {
    const MeshPtr ball = ball_of(t);
    const auto m = static_cast<double>(ball->vertex_count());
    growth_row(json, "detection, 16 particles", m, 16, walk_ms(ball, 16));
    growth_row(json, "critical points and parts", m, 0, least_ms(3, 3, [&](int) { part_spheres(ball, 40); }));
    for (const bool exhaustive : {true, false}) {
      PartitionSettings settings;
      settings.exhaustive = exhaustive;
      settings.threads = {1};
      growth_row(json, exhaustive ? "partition, all compared" : "partition", m, 64,
                 least_ms(2, 1, [&](int) { partition(ball, 64, settings); }));
    }
  }
  for (const std::uint32_t n : {16, 32, 64, 128, 256, 512}) {
    for (const bool exhaustive : {true, false}) {
      PartitionSettings settings;
      settings.exhaustive = exhaustive;
      settings.threads = {1};
      settings.most_iterations = 10;
      settings.stop = 1e-9;  // so many iterations in each round
      growth_row(json, exhaustive ? "partition by regions, all compared" : "partition by regions",
                 static_cast<double>(medium->vertex_count()), n,
                 least_ms(2, 1, [&](int) { partition(medium, n, settings); }));
    }
    const VertexGraph graph = vertex_graph(*medium);
    const Regions regions = make_regions(medium, graph, partition(medium, n), RegionFaces::touching);
    growth_row(json, "repartition check", static_cast<double>(medium->vertex_count()), n, least_ms(5, 10, [&](int) {
                 double sum = 0;
                 for (std::uint32_t r = 0; r < n; ++r) sum += region_size(medium, graph, regions, r, false);
                 if (sum < 0) std::puts("");
               }));
  }
  json.end_array();
}

// ---- safe mode beside trees ----

// Nothing is kept of what the exact test finds: what is measured is the search, without making contacts.
class NothingKept : public ContactFilter {
 public:
  bool features(const Feature&, const Feature&) const override { return false; }
};

struct Measured {
  double ms = 0;
  std::size_t contacts = 0;
};

Measured measure_method(const TwoBalls& scene, const std::string& method, bool keep) {
  const auto detector = make_detector(method, settings_of(Mode::safe));
  detector->add_body(scene.mesh, Motion::keyframes(scene.a));
  detector->add_body(scene.mesh, Motion::keyframes(scene.b));
  if (!keep) detector->set_filter(std::make_shared<NothingKept>());
  Measured measured;
  const auto frame = [&](int k) { measured.contacts += detector->detect(Interval::instant(k)).contacts.size(); };
  for (int k = 0; k < TwoBalls::kFrames; ++k) frame(k);
  measured.contacts = 0;
  measured.ms = least_ms(7, TwoBalls::kFrames, frame);
  measured.contacts /= 7;
  return measured;
}

Measured measure_plain(const TwoBalls& scene, bool keep) {
  PlainTree tree_a(*scene.mesh, scene.a[0].positions()), tree_b(*scene.mesh, scene.b[0].positions());
  Measured measured;
  measured.ms = least_ms(7, TwoBalls::kFrames, [&](int k) {
    const StillBody a{BodyId(0), scene.mesh.get(), scene.a[static_cast<std::size_t>(k)], {}};
    const StillBody b{BodyId(1), scene.mesh.get(), scene.b[static_cast<std::size_t>(k)], {}};
    const StillPair pair(a, b, nullptr);
    tree_a.refit(a.frame.positions());
    tree_b.refit(b.frame.positions());
    std::vector<Contact> contacts;
    PlainTree::traverse(tree_a, tree_b, [&](FaceId f, FaceId g) {
      const Relation relation = pair.test(f, g);
      if (relation != Relation::none && keep) contacts.push_back(pair.contact(f, g, relation, 0));
    });
    std::sort(contacts.begin(), contacts.end(), earlier);
    measured.contacts += contacts.size();
  });
  measured.contacts /= 7;
  return measured;
}

void measure_speed(JsonWriter& json) {
  json.new_line().key("speed").begin_array();
  for (const std::size_t triangles : {1'000, 5'000, 20'000, 80'000})
    for (const double distance : {1.95, 1.2})
      for (const bool keep : {false, true}) {
        const TwoBalls scene(triangles, distance);
        const Measured plain = measure_plain(scene, keep), bvh = measure_method(scene, "bvh", keep);
        const Measured particles = measure_method(scene, "particles", keep),
                       hash = measure_method(scene, "spatial-hash", keep),
                       boxes = measure_method(scene, "subdivided-boxes", keep),
                       anytime = measure_method(scene, "anytime", keep);
        for (const Measured& other : {bvh, particles, hash, boxes, anytime})
          if (plain.contacts != other.contacts) std::puts("the methods differ");
        json.new_line().begin_object().field("triangles", 2 * scene.mesh->face_count());
        json.field("overlap", distance > 1.5 ? "slight" : "deep").field("with_contacts", keep);
        json.field("contacts_per_frame", static_cast<double>(bvh.contacts) / TwoBalls::kFrames);
        json.field("plain_tree_ms", plain.ms).field("bvh_ms", bvh.ms).field("particles_ms", particles.ms);
        json.field("spatial_hash_ms", hash.ms).field("subdivided_boxes_ms", boxes.ms).field("anytime_ms", anytime.ms);
        json.field("plain_over_particles", plain.ms / particles.ms).field("particles_over_bvh", particles.ms / bvh.ms);
        json.end_object();
      }
  json.end_array();
}

// ---- what the witnesses are good for ----

// How often the first pair of regions that is tested really collides; operations until a collision is known.
void measure_order(JsonWriter& json) {
  json.new_line().key("order").begin_array();
  for (const std::size_t triangles : {5'000, 20'000, 80'000})
    for (const double distance : {1.95, 1.2}) {
      const TwoBalls scene(triangles, distance);
      const auto detector = make_detector("particles", settings_of(Mode::safe));
      detector->add_body(scene.mesh, Motion::keyframes(scene.a));
      detector->add_body(scene.mesh, Motion::keyframes(scene.b));
      std::size_t meeting = 0, known_early = 0;
      for (int k = 0; k < TwoBalls::kFrames; ++k) {
        const Report whole = detector->detect(Interval::instant(k));
        if (whole.contacts.empty()) continue;
        ++meeting;
        const Report part =
            detector->detect(Interval::instant(k), Budget::operations(whole.counters["box_tests"] / 10));
        known_early += !pairs_of(part).empty();
      }
      const double whole_ms = least_ms(5, TwoBalls::kFrames, [&](int k) { detector->detect(Interval::instant(k)); });
      const double any_ms = least_ms(5, TwoBalls::kFrames, [&](int k) { detector->collides(Interval::instant(k)); });
      json.new_line().begin_object().field("triangles", 2 * scene.mesh->face_count());
      json.field("overlap", distance > 1.5 ? "slight" : "deep").field("meeting_frames", meeting);
      json.field("known_with_a_tenth_of_the_tests", known_early);
      json.field("all_contacts_ms", whole_ms).field("collides_ms", any_ms).end_object();
    }
  json.end_array();
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) {
  using namespace pliant;
  using namespace pliant::bench;
  if (argc < 2) return std::fprintf(stderr, "usage: pliant-bench-particles OUT.json [PART...]\n"), 2;
  const std::pair<std::string, void (*)(JsonWriter&)> parts[]{{"scene", measure_scene},     {"sides", measure_sides},
                                                              {"stretch", measure_stretch}, {"growth", measure_growth},
                                                              {"speed", measure_speed},     {"order", measure_order}};
  std::ofstream out(argv[1]);
  JsonWriter json([&](std::string_view text) { out << text; });
  const auto env = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "unknown");
  };
  json.begin_object()
      .field("schema", "pliant.bench.particles/1")
      .field("commit", env("COMMIT"))
      .field("flags", env("FLAGS"));
  json.field("compiler", env("COMPILER")).field("processor", env("PROCESSOR")).field("load", env("LOAD"));
  for (const auto& [name, measure] : parts) {
    bool wanted = argc == 2;
    for (int i = 2; i < argc; ++i) wanted = wanted || name == argv[i];
    if (!wanted) continue;
    std::fprintf(stderr, "%s\n", name.c_str());
    measure(json);
  }
  json.new_line().end_object().new_line();
  json.flush();
  return 0;
}
