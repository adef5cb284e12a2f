// The particle method: how many particles, how they walk, what they find in paper mode, and that safe mode is exact.
#include "pliant/detect/particles/particles.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "pliant/core/trig.h"
#include "pliant/detect/particles/nomination.h"
#include "pliant/detect/particles/particle_count.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/detect/reports.h"
#include "tests/support/errors.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

const Interval kNow = Interval::instant(0);

MeshPtr lumpy_ball(std::uint64_t seed, int frequency = 8, double radius = 1) {
  const MeshPtr ball = make_icosphere({.radius = radius, .frequency = frequency});
  const SmoothField field({.seed = seed, .amplitude = 0.15 * radius, .wavelength = 1.5 * radius});
  return with_positions(*ball, displaced(ball->positions(), field));
}

std::vector<Vec3> moved_by(const MeshPtr& mesh, const Vec3& way) { return moved(mesh, way); }

DetectorSettings paper(MethodSettings own = {}) {
  DetectorSettings settings;
  settings.mode = Mode::paper;
  settings.method = std::move(own);
  return settings;
}

std::set<std::pair<std::uint32_t, std::uint32_t>> body_pairs(const Report& report) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [a, face_a, b, face_b] : face_pairs(report)) pairs.emplace(a, b);
  return pairs;
}

// ---- how many ----

TEST(ParticleCount, ShadowRatiosAreThoseOfTheFormula) {
  EXPECT_NEAR(shadow_ratio(1, 1), 14.93, 0.005);
  EXPECT_NEAR(shadow_ratio(2, 1), 34.97, 0.005);
  EXPECT_NEAR(shadow_ratio(10, 1), 483.0, 0.05);
  EXPECT_NEAR(shadow_ratio(1, 2), 7.85, 0.01);
  EXPECT_NEAR(shadow_ratio(1, 100), 2.33, 0.005);
  EXPECT_NEAR(shadow_ratio(1, 1e12), 2, 1e-5);
  EXPECT_NEAR(shadow_ratio(1e9, 1) / (4 * 1e18), 1, 1e-8);  // 4 ((R + r) / r)^2: nothing cancels
  EXPECT_EQ(touching_spheres(1, 1), 12u);
  EXPECT_EQ(touching_spheres(2, 1), 34u);
}

RC_GTEST_PROP(ParticleCount, ShadowRatioGrowsWithTheSphere, (std::uint64_t seed)) {
  Dice dice(seed);
  const double small = std::pow(10, dice.uniform(-3, 3)), large = std::pow(10, dice.uniform(-3, 3));
  const double ratio = shadow_ratio(large, small);
  RC_ASSERT(ratio >= 2);
  RC_ASSERT(shadow_ratio(large * 1.1, small) > ratio);
  RC_ASSERT(std::abs(shadow_ratio(3 * large, 3 * small) / ratio - 1) < 1e-12);  // units do not matter
  // As many as are known to fit: 12 equal ones around one.
  if (large >= small) RC_ASSERT(std::floor(ratio) >= 12);
}

TEST(ParticleCount, ACubeFallsIntoItsSidesAndABallDoesNot) {
  const MeshPtr cube = make_box({.cells = {10, 10, 10}});
  EXPECT_EQ(part_spheres(cube, 40).size(), 6u);
  const MeshPtr ball = make_icosphere({.frequency = 8});
  const std::vector<PartSphere> one = part_spheres(ball, 40);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_NEAR(one[0].radius, 1, 0.06);
  EXPECT_EQ(part_spheres(cube, 170).size(), 1u);
  // Where all vertices are critical there is one part.
  EXPECT_EQ(part_spheres(make_box({}), 40).size(), 1u);
}

TEST(ParticleCount, FollowsTheSmallestSphereOfTheScene) {
  const MeshPtr large = make_icosphere({.radius = 2, .frequency = 8}), small = make_icosphere({.frequency = 8});
  const std::vector<PosedMesh> equal{large, large}, two{large, small};
  ParticleSettings settings;
  EXPECT_EQ(particle_counts(equal, settings), (std::vector<std::uint32_t>{12, 12}));
  const auto counts = particle_counts(two, settings);
  EXPECT_EQ(counts[0], 34u);
  EXPECT_EQ(counts[1], 12u);
  settings.most_regions = 20;
  EXPECT_EQ(particle_counts(two, settings)[0], 20u);
  settings.count_bodies = true;
  EXPECT_EQ(particle_counts(two, settings)[0], 1u);
  const std::vector<PosedMesh> alone{small};
  EXPECT_EQ(particle_counts(alone, settings)[0], 1u);
}

// ---- the lemma behind the collision distance ----

RC_GTEST_PROP(CollisionDistance, TrianglesThatMeetHaveCornersWithinTheSumOverRootThree, (std::uint64_t seed)) {
  Dice dice(seed);
  for (int k = 0; k < 200; ++k) {
    const double stretch = std::pow(10, dice.uniform(-2, 2));
    std::array<Vec3, 3> a, b;
    for (std::size_t i = 0; i < 3; ++i) a[i] = dice.point(-1, 1), b[i] = stretch * dice.point(-1, 1);
    if (triangle_triangle_relation({a[0], a[1], a[2]}, {b[0], b[1], b[2]}, {}) == Relation::none) continue;
    double longest_a = 0, longest_b = 0, nearest = 1e300;
    for (std::size_t i = 0; i < 3; ++i) {
      longest_a = std::max(longest_a, (a[i] - a[(i + 1) % 3]).norm());
      longest_b = std::max(longest_b, (b[i] - b[(i + 1) % 3]).norm());
      for (std::size_t j = 0; j < 3; ++j) nearest = std::min(nearest, (a[i] - b[j]).norm());
    }
    RC_ASSERT(nearest <= (longest_a + longest_b) / std::sqrt(3.0) * (1 + 1e-12));
  }
}

// ---- the walk ----

struct Walk {
  std::vector<MeshPtr> meshes;
  std::vector<std::vector<Vec3>> positions;
  std::vector<std::unique_ptr<BodyRegions>> regions;
  std::vector<WalkingBody> walking;
  std::vector<SeeingPair> seeing;

  void add(MeshPtr mesh, std::vector<Vec3> x, std::uint32_t count) {
    regions.push_back(
        std::make_unique<BodyRegions>(mesh, count, ParticleSettings{}, RegionFaces::touching, Threads{1}));
    meshes.push_back(std::move(mesh));
    positions.push_back(std::move(x));
  }
  void place(double reach) {
    for (std::size_t b = 0; b < meshes.size(); ++b) {
      walking.push_back({&regions[b]->graph(),
                         positions[b],
                         regions[b]->regions().partition.region_of_vertex,
                         &regions[b]->particles(),
                         {}});
      walking.back().place();
      for (std::uint32_t a = 0; a < b; ++a) seeing.push_back({{a, static_cast<std::uint32_t>(b)}, reach, 0.1});
    }
  }
  // Of all pairs of particles of different bodies.
  double potential() const {
    double sum = 0;
    for (const SeeingPair& pair : seeing)
      for (std::size_t i = 0; i < walking[pair.bodies.a].cloud.size(); ++i)
        sum += walking[pair.bodies.b].cloud.pull_on(walking[pair.bodies.a].cloud[i], pair.reach * pair.reach,
                                                    1e-18 * pair.reach * pair.reach);
    return sum;
  }
  WalkResult sweep(int most = 1, bool synchronous = false) {
    BudgetState unlimited{Budget{}};
    BudgetMeter meter(unlimited);
    const Attraction force(walking, seeing, {});
    return Relaxation(std::span(walking), force, WalkLimits{0, most, synchronous}, meter).run();
  }
};

RC_GTEST_PROP(ParticleWalk, StaysInItsRegionAndClimbsUntilItIsRelaxed, (std::uint64_t seed)) {
  Dice dice(seed);
  Walk walk;
  const std::uint32_t bodies = 2 + dice.below(2);
  for (std::uint32_t b = 0; b < bodies; ++b) {
    const MeshPtr mesh = lumpy_ball(dice.below(1000), 3 + static_cast<int>(dice.below(4)));
    walk.add(mesh, moved_by(mesh, dice.point(-1.2, 1.2)), 1 + dice.below(20));
  }
  walk.place(dice.uniform(0.5, 5));
  std::vector<std::vector<std::uint32_t>> home;
  for (std::size_t b = 0; b < bodies; ++b) {
    home.emplace_back();
    for (const VertexId v : walk.regions[b]->particles())
      home[b].push_back(walk.regions[b]->regions().partition.region_of_vertex[v.index()]);
  }
  double before = walk.potential();
  int sweeps = 0;
  while (true) {
    const WalkResult result = walk.sweep();
    const double now = walk.potential();
    RC_ASSERT((result.moves == 0 ? now == before : now > before * (1 - 1e-12)));
    before = now;
    for (std::size_t b = 0; b < bodies; ++b)
      for (std::size_t i = 0; i < home[b].size(); ++i)
        RC_ASSERT(walk.regions[b]->regions().partition.region_of_vertex[walk.regions[b]->particles()[i].index()] ==
                  home[b][i]);
    if (result.relaxed) break;
    RC_ASSERT(++sweeps < 1000);
  }
  RC_ASSERT(walk.sweep(7).sweeps <= 7);
}

TEST(ParticleWalk, DistantBodiesDoNotMoveParticles) {
  Walk walk;
  const MeshPtr ball = lumpy_ball(1);
  walk.add(ball, positions_of(*ball), 12);
  walk.add(ball, moved_by(ball, {10, 0, 0}), 12);
  walk.place(2);
  EXPECT_EQ(walk.potential(), 0);
  const WalkResult result = walk.sweep(50);
  EXPECT_EQ(result.moves, 0u);
  EXPECT_EQ(result.sweeps, 1u);
}

TEST(ParticleWalk, ConvexBodiesBringAParticlePairWithinAnEdgeOfTheClosestVertices) {
  Dice dice(8);
  for (int k = 0; k < 30; ++k) {
    Walk walk;
    const MeshPtr ball = make_icosphere({.frequency = 6});
    const Vec3 way = 2.02 * dice.point(-1, 1).normalized();
    walk.add(ball, positions_of(*ball), 14);
    walk.add(ball, transformed(ball->positions(), rigid(dice.point(-1, 1), 1, way)), 14);
    walk.place(3);
    walk.sweep(100);
    double closest = 1e300, particles = 1e300, longest_edge = 0;
    for (const Vec3& p : walk.positions[0])
      for (const Vec3& q : walk.positions[1]) closest = std::min(closest, (p - q).norm());
    for (std::size_t i = 0; i < walk.walking[0].cloud.size(); ++i)
      for (std::size_t j = 0; j < walk.walking[1].cloud.size(); ++j)
        particles = std::min(particles, (walk.walking[0].cloud[i] - walk.walking[1].cloud[j]).norm());
    longest_edge = edge_lengths(ball).longest;
    EXPECT_LE(particles, closest + longest_edge) << k;
  }
}

TEST(ParticleWalk, CoincidentBodiesAreNominatedAtOnce) {
  const MeshPtr ball = lumpy_ball(2);
  const Report report = [&] {
    const auto detector = make_detector("particles", paper());
    detector->add_body(ball);
    detector->add_body(ball);
    return detector->detect(kNow);
  }();
  EXPECT_FALSE(face_pairs(report).empty());
  EXPECT_EQ(report.guarantee, Guarantee::statistical);
}

// ---- paper mode ----

RC_GTEST_PROP(ParticlesAsPrinted, FindNothingThatIsNotThere, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr a = lumpy_ball(dice.below(1000), 4), b = lumpy_ball(dice.below(1000), 3, 0.7);
  for (const std::int64_t restarts : {0, 3}) {
    const auto detector = make_detector("particles", paper({{"restarts", restarts}}));
    const auto oracle = make_detector("brute-force", {.self = false});
    for (Detector* d : {detector.get(), oracle.get()}) d->add_body(a), d->add_body(b);
    const Vec3 from = 2 * dice.point(-1, 1).normalized();
    for (int frame = 0; frame < 3; ++frame) {
      const std::vector<Vec3> x = moved_by(b, from * (0.8 - 0.3 * frame));
      for (Detector* d : {detector.get(), oracle.get()}) d->set_positions(BodyId(1), x);
      const Report report = detector->detect(kNow);
      RC_ASSERT(report.complete);
      RC_ASSERT(report.guarantee == Guarantee::statistical);
      const auto found = face_pairs(report), truth = face_pairs(oracle->detect(kNow));
      RC_ASSERT(std::includes(truth.begin(), truth.end(), found.begin(), found.end()));
      RC_ASSERT(report.contacts.size() == found.size());  // each pair once
    }
  }
}

std::vector<std::size_t> contacts_on_the_way(const RigidTransform& pose, int threads, std::uint64_t& repartitions) {
  const MeshPtr a = lumpy_ball(5, 7), b = lumpy_ball(6, 6, 0.8);
  DetectorSettings settings = paper();
  settings.threads = {threads};
  const auto detector = make_detector("particles", settings);
  detector->add_body(a);
  detector->add_body(b);
  std::vector<std::size_t> counts;
  for (int frame = 0; frame < 25; ++frame) {
    detector->set_positions(BodyId(0), transformed(a->positions(), pose));
    const std::vector<Vec3> x = moved_by(b, Vec3(2.4 - 0.1 * frame, 0.3, 0.1));
    detector->set_positions(BodyId(1), transformed(x, pose));
    const Report report = detector->detect(kNow);
    counts.push_back(report.contacts.size());
    counts.push_back(report.counters["particle_moves"]);
    repartitions += report.counters["repartitions"];
  }
  return counts;
}

TEST(ParticlesAsPrinted, RigidMotionOfTheSceneChangesNothing) {
  std::uint64_t repartitions = 0;
  const auto here = contacts_on_the_way(rigid({0, 0, 1}, 0), 1, repartitions);
  EXPECT_GT(*std::max_element(here.begin(), here.end()), 10u);
  EXPECT_EQ(contacts_on_the_way(rigid({0, 0, 1}, 0), 2, repartitions), here);
  EXPECT_EQ(contacts_on_the_way(rigid({1, 2, 3}, 0.8, {0.5, -2, 1}), 1, repartitions), here);
  EXPECT_EQ(contacts_on_the_way(rigid({-3, 1, 1}, 2.5, {0, 4, 1}), 1, repartitions), here);
  EXPECT_EQ(repartitions, 0u);
}

TEST(ParticlesAsPrinted, ResetGivesTheAnswersOfTheStart) {
  const MeshPtr a = lumpy_ball(5, 7), b = lumpy_ball(6, 6, 0.8);
  const auto detector = make_detector("particles", paper());
  detector->add_body(a);
  detector->add_body(b);
  std::vector<std::uint64_t> first;
  for (int round = 0; round < 2; ++round) {
    for (int frame = 0; frame < 12; ++frame) {
      std::vector<Vec3> x = moved_by(b, Vec3(2.2 - 0.15 * frame, 0.3, 0.1));
      for (Vec3& p : x) p.y() *= 1 + 0.2 * frame;  // stretched: cut anew
      detector->set_positions(BodyId(1), x);
      const std::uint64_t hash = hash_of(detector->detect(kNow));
      if (round == 0) first.push_back(hash);
      else EXPECT_EQ(hash, first[static_cast<std::size_t>(frame)]) << frame;
    }
    detector->reset(0);
  }
}

// Three bodies touch one on three sides. The predecessor's particles all start on one side, as seen from the others.
TEST(ParticlesAsPrinted, SeeSeveralBodiesOnDifferentSidesWhereThePredecessorFails) {
  const MeshPtr middle = make_icosphere({.radius = 1, .frequency = 10});
  const MeshPtr small = make_icosphere({.radius = 0.35, .frequency = 5});
  const auto found = [&](MethodSettings own) {
    const auto detector = make_detector("particles", paper(std::move(own)));
    detector->add_body(middle);
    for (int k = 0; k < 3; ++k) detector->add_body(small);
    const auto place = [&](double first_comes) {
      for (int k = 0; k < 3; ++k) {
        const SinCos turn = sin_cos(2 * kPi * k / 3);
        detector->set_positions(BodyId(1 + k),
                                moved_by(small, (k == 0 ? 1.32 : first_comes) * Vec3(turn.cos, turn.sin, 0)));
      }
    };
    place(3);  // one comes first, and draws all that are free to come
    for (int frame = 0; frame < 40; ++frame) {
      place(3);
      detector->detect(kNow);
    }
    place(1.32);
    return body_pairs(detector->detect(kNow));
  };
  EXPECT_EQ(found({}).size(), 3u);
  EXPECT_LT(found({{"free_particles", true}, {"regions", std::int64_t{4}}, {"most_sweeps", std::int64_t{3}}}).size(),
            3u);
  EXPECT_EQ(found({{"regions", std::int64_t{20}}}).size(), 3u);
}

TEST(ParticlesAsPrinted, ABudgetLeavesNominatedRegionsAsPossible) {
  const MeshPtr ball = lumpy_ball(3);
  const auto detector = make_detector("particles", paper());
  detector->add_body(ball);
  detector->add_body(ball, Motion::at_rest(with_positions(*ball, moved_by(ball, {0.9, 0, 0}))));
  const Report whole = detector->detect(kNow);
  ASSERT_TRUE(whole.complete);
  ASSERT_FALSE(whole.contacts.empty());
  for (const std::uint64_t operations : {0, 50, 500, 5000}) {
    detector->reset(0);
    const Report part = detector->detect(kNow, Budget::operations(operations));
    EXPECT_EQ(part.guarantee, Guarantee::statistical);
    if (part.complete) continue;
    EXPECT_EQ(part.stopped_by, StopReason::operations);
    for (const Contact& c : part.contacts) {
      if (c.relation == Relation::possible) {
        EXPECT_FALSE(detector->region(c.a.body, c.a.id).faces.empty());
      }
    }
  }
  EXPECT_EQ(detector->collides(kNow), true);
  detector->set_positions(BodyId(1), moved_by(ball, {9, 0, 0}));
  EXPECT_EQ(detector->collides(kNow), std::nullopt);  // nothing found proves nothing
}

// ---- stretch ----

TEST(Repartition, FollowsStretchAndNothingElse) {
  const MeshPtr ball = lumpy_ball(9, 8);
  const auto detector = make_detector("particles", paper());
  detector->add_body(ball);
  detector->add_body(ball, Motion::at_rest(with_positions(*ball, moved_by(ball, {2.5, 0, 0}))));
  std::uint64_t runs = 0;
  const auto frame_with = [&](double stretch, double turn) {
    std::vector<Vec3> x = positions_of(*ball);
    for (Vec3& p : x) p.z() *= stretch;
    detector->set_positions(BodyId(0), transformed(x, rigid({1, 1, 0}, turn)));
    const Report report = detector->detect(kNow);
    runs += report.counters["repartitions"];
    return report.counters["regions"];
  };
  const std::uint64_t at_rest = frame_with(1, 0);
  for (int k = 0; k < 40; ++k) frame_with(1, 0.1 * k);
  EXPECT_EQ(runs, 0u);
  std::uint64_t stretched = 0;
  for (int k = 0; k < 60; ++k) stretched = frame_with(1 + 0.05 * k, 0.1 * k);
  EXPECT_GT(runs, 0u);
  EXPECT_LT(runs, 7u);  // ten frames between two
  EXPECT_GT(stretched, at_rest);
  runs = 0;
  for (int k = 0; k < 60; ++k) frame_with(3.95, 0.1 * k);  // it stays as it is
  EXPECT_LE(runs, 1u);
}

// ---- safe mode ----

RC_GTEST_PROP(ParticlesSafely, FollowDeformingBodiesLikeTheOracle, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr ball = lumpy_ball(dice.below(1000), 2 + static_cast<int>(dice.below(3)));
  const MeshPtr sheet = crumpled_sheet(dice, 6, 0.03);
  DetectorSettings settings;
  settings.method = {{"regions_per_root", dice.uniform(0.2, 4)}, {"repartition_gap", std::int64_t{2}}};
  settings.threads = {1 + static_cast<int>(dice.below(2))};
  const auto detector = make_detector("particles", settings);
  const auto oracle = make_detector("brute-force");
  for (Detector* d : {detector.get(), oracle.get()}) d->add_body(ball), d->add_body(sheet);
  const SmoothField field({.seed = dice.below(1000), .amplitude = 0.6, .wavelength = 0.8});
  for (int frame = 0; frame < 6; ++frame) {
    std::vector<Vec3> x = displaced(ball->positions(), field, 0.2 * frame);
    for (Vec3& p : x) p.x() *= 1 + 0.4 * frame;
    std::vector<Vec3> y = displaced(sheet->positions(), field, 1 - 0.2 * frame);
    for (Detector* d : {detector.get(), oracle.get()}) {
      d->set_positions(BodyId(0), x);
      d->set_positions(BodyId(1), y);
    }
    RC_ASSERT(hash_of(detector->detect(kNow)) == hash_of(oracle->detect(kNow)));
    RC_ASSERT(detector->collides(kNow) == oracle->collides(kNow));
  }
}

TEST(ParticlesSafely, LookWhereParticlesMeetFirst) {
  const MeshPtr ball = lumpy_ball(4, 20);
  const auto detector = make_detector("particles", {.self = false});
  detector->add_body(ball);
  detector->add_body(ball, Motion::at_rest(with_positions(*ball, moved_by(ball, {1.6, 0, 0}))));
  const Report whole = detector->detect(kNow);
  ASSERT_GT(whole.contacts.size(), 50u);
  // A tenth of the tests, in the order of the witnesses, shows that they collide.
  const Report part = detector->detect(kNow, Budget::operations(whole.counters["box_tests"] / 10));
  EXPECT_EQ(part.guarantee, Guarantee::conservative);
  EXPECT_FALSE(face_pairs(part).empty());
}

TEST(ParticlesSafely, TakeEveryOddBody) {
  const auto one = [](std::vector<Vec3> x, std::vector<Triangle> t) {
    return std::make_shared<const TriangleMesh>(std::move(x), std::move(t));
  };
  const Triangle first{VertexId(0), VertexId(1), VertexId(2)};
  const MeshPtr triangle = one({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {first});
  const MeshPtr needle = one({{0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.2, 0.2, 1}}, {first});
  const MeshPtr nothing = one({}, {}), lonely = one({{1, 2, 3}}, {}), point = one({3, Vec3(0.1, 0.1, 0)}, {first});
  for (const Mode mode : {Mode::safe, Mode::paper}) {
    const auto detector = make_detector("particles", {.mode = mode});
    const auto oracle = make_detector("brute-force");
    for (const MeshPtr& mesh : {triangle, needle, nothing, lonely, point, triangle})
      for (Detector* d : {detector.get(), oracle.get()}) d->add_body(mesh);
    const auto found = face_pairs(detector->detect(kNow)), truth = face_pairs(oracle->detect(kNow));
    if (mode == Mode::safe) {
      EXPECT_EQ(found, truth);
    } else {
      EXPECT_TRUE(std::includes(truth.begin(), truth.end(), found.begin(), found.end()));
    }
    detector->remove_body(BodyId(1));
    EXPECT_NO_THROW(detector->detect(kNow));
    detector->replace_mesh(BodyId(0), lumpy_ball(1, 3), Motion::at_rest(lumpy_ball(1, 3)));
    EXPECT_NO_THROW(detector->detect(kNow));
    EXPECT_FALSE(detector->division(BodyId(0)).region_of_face.empty());
  }
}

}  // namespace
}  // namespace pliant::testing
