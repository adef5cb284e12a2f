// The particle method as a whole: what it finds in paper mode, and that safe mode is exact.
#include "pliant/detect/particles/particles.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "pliant/core/trig.h"
#include "tests/detect/particle_bodies.h"
#include "tests/detect/reports.h"

namespace pliant::testing {
namespace {

const Interval kNow = Interval::instant(0);

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

// ---- paper mode ----

TEST(ParticlesAsPrinted, CoincidentBodiesAreNominatedAtOnce) {
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

RC_GTEST_PROP(ParticlesAsPrinted, FindNothingThatIsNotThere, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr a = lumpy_ball(dice.below(1000), 4), b = lumpy_ball(dice.below(1000), 3, 0.7);
  for (const std::int64_t restarts : {0, 3}) {
    const auto detector = make_detector("particles", paper({{"restarts", restarts}}));
    const auto oracle = make_detector("brute-force", {.self = false});
    for (Detector* d : {detector.get(), oracle.get()}) d->add_body(a), d->add_body(b);
    const Vec3 from = 2 * dice.point(-1, 1).normalized();
    for (int frame = 0; frame < 3; ++frame) {
      const std::vector<Vec3> x = moved(b, from * (0.8 - 0.3 * frame));
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
    const std::vector<Vec3> x = moved(b, Vec3(2.4 - 0.1 * frame, 0.3, 0.1));
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
      std::vector<Vec3> x = moved(b, Vec3(2.2 - 0.15 * frame, 0.3, 0.1));
      for (Vec3& p : x) p.y() *= 1 + 0.2 * frame;  // stretched: cut anew
      detector->set_positions(BodyId(1), x);
      const std::uint64_t hash = hash_of(detector->detect(kNow));
      if (round == 0) first.push_back(hash);
      else EXPECT_EQ(hash, first[static_cast<std::size_t>(frame)]) << frame;
    }
    detector->reset(0);
  }
}

TEST(ParticlesAsPrinted, OneBodyAloneMeetsNothing) {
  const auto detector = make_detector("particles", paper());
  detector->add_body(lumpy_ball(1, 3));
  const Report report = detector->detect(kNow);
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(report.contacts.empty());
  EXPECT_EQ(report.counters["particle_moves"], 0u);
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
                                moved(small, (k == 0 ? 1.32 : first_comes) * Vec3(turn.cos, turn.sin, 0)));
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

// Particles of a small body that saw all of a large one would be drawn to its middle, not to where they touch it.
TEST(ParticlesAsPrinted, SixSmallBodiesAroundALargeOneAreSeen) {
  const MeshPtr middle = make_icosphere({.radius = 1, .frequency = 12});
  const MeshPtr small = make_icosphere({.radius = 0.35, .frequency = 6});
  Dice dice(2);
  for (int scene = 0; scene < 12; ++scene) {
    std::vector<Vec3> sides;
    while (sides.size() < 6) {
      const Vec3 way = dice.point(-1, 1).normalized();
      if (std::all_of(sides.begin(), sides.end(), [&](const Vec3& w) { return w.dot(way) < 0.5; }))
        sides.push_back(way);
    }
    const auto detector = make_detector("particles", paper({{"regions", std::int64_t{24}}}));
    detector->add_body(middle);
    for (const Vec3& way : sides)
      detector->add_body(small, Motion::at_rest(with_positions(*small, moved(small, 1.33 * way))));
    EXPECT_EQ(body_pairs(detector->detect(kNow)).size(), 6u) << scene;
  }
}

TEST(ParticlesAsPrinted, ABudgetLeavesNominatedRegionsAsPossible) {
  const MeshPtr ball = lumpy_ball(3);
  const auto detector = make_detector("particles", paper());
  detector->add_body(ball);
  detector->add_body(ball, Motion::at_rest(with_positions(*ball, moved(ball, {0.9, 0, 0}))));
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
  detector->set_positions(BodyId(1), moved(ball, {9, 0, 0}));
  EXPECT_EQ(detector->collides(kNow), std::nullopt);  // nothing found proves nothing
}

// ---- stretch ----

TEST(Repartition, FollowsStretchAndNothingElse) {
  const MeshPtr ball = lumpy_ball(9, 8);
  const auto detector = make_detector("particles", paper());
  detector->add_body(ball);
  detector->add_body(ball, Motion::at_rest(with_positions(*ball, moved(ball, {2.5, 0, 0}))));
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
  detector->add_body(ball, Motion::at_rest(with_positions(*ball, moved(ball, {1.6, 0, 0}))));
  const Report whole = detector->detect(kNow);
  ASSERT_GT(whole.contacts.size(), 50u);
  // A tenth of the tests, in the order of the witnesses, shows that they collide.
  const Report part = detector->detect(kNow, Budget::operations(whole.counters["box_tests"] / 10));
  EXPECT_EQ(part.guarantee, Guarantee::conservative);
  EXPECT_FALSE(face_pairs(part).empty());
}

// Cutting a surface is work of the first calls: each does as much of it as it has time for, and until it is done the
// bodies are possible as a whole.
TEST(ParticlesFirstCall, ObeysTheBudgetAndGoesOnInTheNext) {
  const MeshPtr ball = lumpy_ball(4, 6);
  for (const Mode mode : {Mode::safe, Mode::paper}) {
    const auto detector = make_detector("particles", {.mode = mode, .self = false});
    const auto oracle = make_detector("brute-force", {.self = false});
    for (Detector* d : {detector.get(), oracle.get()}) {
      d->add_body(ball);
      d->add_body(ball, Motion::at_rest(with_positions(*ball, moved(ball, {1.6, 0, 0}))));
      d->add_body(ball, Motion::at_rest(with_positions(*ball, moved(ball, {9, 0, 0}))));
    }
    int unmade = 0;
    Report report;
    do {
      // A clock that goes on by a second whenever it is read, and five seconds.
      const auto now = std::make_shared<Budget::Clock::time_point>();
      const Budget budget =
          Budget::until(*now + std::chrono::seconds(5)).with_clock([now] { return *now += std::chrono::seconds(1); });
      report = detector->detect(kNow, budget);
      ASSERT_EQ(report.stopped_by, StopReason::deadline);
      if (!detector->division(BodyId(0)).region_of_face.empty()) break;
      ++unmade;
      ASSERT_EQ(report.contacts.size(), 1u);  // the third body is far away
      EXPECT_EQ(report.contacts[0].relation, Relation::possible);
      EXPECT_EQ(report.contacts[0].a, region_feature(BodyId(0), 0));
      EXPECT_EQ(report.guarantee, mode == Mode::safe ? Guarantee::conservative : Guarantee::statistical);
      detector->reset(0);
    } while (unmade < 1000);
    EXPECT_GT(unmade, 3);
    EXPECT_LT(unmade, 1000);
    report = detector->detect(kNow);
    EXPECT_TRUE(report.complete);
    const auto found = face_pairs(report), truth = face_pairs(oracle->detect(kNow));
    EXPECT_FALSE(found.empty());
    if (mode == Mode::safe) EXPECT_EQ(found, truth);
  }
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
