// The anytime method: at any budget nothing is missed, the cut covers what is left, and its bound is true.
#include "pliant/detect/anytime/anytime.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "pliant/core/cpu.h"
#include "pliant/core/error.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/shapes.h"
#include "pliant/motion/embedding.h"
#include "tests/detect/cuts.h"
#include "tests/detect/poses.h"
#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

const Interval kNow = Interval::instant(0);

// Two bodies that are where the dice say, known to any method.
struct Pair {
  MeshPtr a, b;
  Places xa, xb;
  bool self = true;

  std::unique_ptr<Detector> with(std::string_view method, const MethodSettings& own = {}) const {
    DetectorSettings settings;
    settings.self = self;
    settings.method = own;
    auto detector = make_detector(method, settings);
    detector->add_body(a);
    detector->add_body(b);
    place(*detector);
    return detector;
  }
  void place(Detector& detector) const {
    detector.set_positions(BodyId(0), xa);
    detector.set_positions(BodyId(1), xb);
  }
  const Places& at(BodyId body) const { return body.value == 0 ? xa : xb; }
  const MeshPtr& mesh(BodyId body) const { return body.value == 0 ? a : b; }
};

Pair any_pair(Dice& dice, int frequency = 2) {
  Pair pair;
  pair.a = make_icosphere({.frequency = frequency});
  pair.b = dice.below(2) == 0 ? make_torus({.segments = 9, .sides = 6}) : crumpled_sheet(dice, 6, 0.1);
  pair.xa = deformed(*pair.a, dice);
  pair.xb = deformed(*pair.b, dice);
  const Vec3 way = dice.point(-0.6, 0.6);
  for (Vec3& p : pair.xb) p += way;
  pair.self = dice.below(3) != 0;
  return pair;
}

std::set<FacePair> truth_of(const Pair& pair) { return face_pairs(pair.with("brute-force")->detect(kNow)); }

// ---- properties ----

RC_GTEST_PROP(Anytime, FindsEverythingWithTimeEnough, (std::uint64_t seed)) {
  Dice dice(seed);
  const Pair pair = any_pair(dice, 3);
  const Report report = pair.with("anytime")->detect(kNow);
  RC_ASSERT(report.complete);
  RC_ASSERT(report.guarantee == Guarantee::exact);
  RC_ASSERT(report.bound == 0.0);
  RC_ASSERT(report.cut.empty());
  RC_ASSERT(hash_of(report) == hash_of(pair.with("brute-force")->detect(kNow)));
}

// With a fresh detector, so that its trees are built within the budget too.
RC_GTEST_PROP(Anytime, MissesNothingAtEveryOperationBudget, (std::uint64_t seed)) {
  Dice dice(seed);
  const Pair pair = any_pair(dice);
  const auto truth = truth_of(pair);
  for (std::uint64_t operations = 0;; operations += 1 + operations / 24) {
    const auto detector = pair.with("anytime");
    const Report report = detector->detect(kNow, Budget::operations(operations));
    check_cut(*detector, report, truth);
    RC_ASSERT(report.complete == (report.guarantee == Guarantee::exact));
    if (report.complete) break;
    RC_ASSERT(report.stopped_by == StopReason::operations);
  }
}

// A clock that jumps shortly before the end, as if something else had the processor: such reports list bodies in place
// of regions.
RC_GTEST_PROP(Anytime, MissesNothingWhereverItsTimeEnds, (std::uint64_t seed)) {
  Dice dice(seed);
  const Pair pair = any_pair(dice);
  const auto truth = truth_of(pair);
  const auto detector = pair.with("anytime");
  for (const bool jumps : {false, true})
    for (std::int64_t given = 1000; given < 2'000'000; given += 2000 + given / 3) {
      Budget::Clock::time_point now{};
      const Budget::Clock::time_point end = now + std::chrono::nanoseconds(given);
      bool has_jumped = !jumps;
      const Report report = detector->detect(kNow, Budget::until(end).with_clock([&] {
        now += std::chrono::nanoseconds(150);
        if (!has_jumped && now > end - std::chrono::nanoseconds(9000)) {
          now += std::chrono::milliseconds(1);
          has_jumped = true;
        }
        return now;
      }));
      check_nothing_missed(*detector, report, truth);
      if (report.complete) break;
      RC_ASSERT(report.stopped_by == StopReason::deadline);
    }
}

// Every single budget at first, of a detector that is warm.
TEST(Anytime, RefinesItsCutFromOneOperationToTheNext) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    Dice dice(seed);
    const Pair pair = any_pair(dice);
    const auto detector = pair.with("anytime");
    detector->detect(kNow);
    double bound = std::numeric_limits<double>::infinity();
    std::set<FacePair> found;
    std::vector<UnresolvedPair> coarser;
    std::map<Feature, std::set<std::uint32_t>> faces;
    const auto faces_of = [&](const Feature& region) -> const std::set<std::uint32_t>& {
      const auto [at, is_new] = faces.try_emplace(region);
      if (is_new)
        for (const FaceId f : detector->region(region.body, region.id).faces) at->second.insert(f.value);
      return at->second;
    };
    std::set<std::pair<Feature, Feature>> known;
    for (std::uint64_t operations = 0;; operations += operations < 500 ? 1 : 17) {
      const Report report = detector->detect(kNow, Budget::operations(operations));
      ASSERT_LE(report.bound, bound);
      const auto more = face_pairs(report);
      ASSERT_TRUE(std::includes(more.begin(), more.end(), found.begin(), found.end()));
      for (const UnresolvedPair& fine : report.cut) {
        if (known.count({fine.a, fine.b}) != 0) continue;
        const auto inside = [&](const UnresolvedPair& c) {
          const auto within = [&](const Feature& f, const Feature& g) {
            return f.body == g.body && faces_of(g).count(*faces_of(f).begin()) &&
                   faces_of(f).size() <= faces_of(g).size();
          };
          return (within(fine.a, c.a) && within(fine.b, c.b)) || (within(fine.a, c.b) && within(fine.b, c.a));
        };
        ASSERT_TRUE(operations == 0 || std::any_of(coarser.begin(), coarser.end(), inside));
      }
      if (report.complete) break;
      bound = report.bound;
      found = more;
      coarser = report.cut;
      known.clear();
      for (const UnresolvedPair& pair_left : coarser) known.emplace(pair_left.a, pair_left.b);
    }
  }
}

RC_GTEST_PROP(Anytime, ItsBoundIsTrue, (std::uint64_t seed)) {
  Dice dice(seed);
  const Pair pair = any_pair(dice);
  const auto detector = pair.with("anytime");
  detector->detect(kNow);
  const Report report = detector->detect(kNow, Budget::operations(dice.below(200)));
  Cover cover(*detector, report);
  for (const UnresolvedPair& c : report.cut) {
    RC_ASSERT(c.bound <= report.bound);
    for (const std::uint32_t fa : cover.faces(c.a)) {
      for (const std::uint32_t fb : cover.faces(c.b)) {
        for (const VertexId va : pair.mesh(c.a.body)->triangle(FaceId(fa))) {
          const Vec3& p = pair.at(c.a.body)[va.index()];
          RC_ASSERT((p - c.sphere_a.centre).norm() <= c.sphere_a.radius);
          for (const VertexId vb : pair.mesh(c.b.body)->triangle(FaceId(fb))) {
            const Vec3& q = pair.at(c.b.body)[vb.index()];
            RC_ASSERT((q - c.sphere_b.centre).norm() <= c.sphere_b.radius);
            RC_ASSERT((p - q).norm() <= c.bound);  // farthest points of triangles are corners
          }
        }
      }
    }
  }
}

RC_GTEST_PROP(Anytime, GivesTheSameBitsOnAnyThreadsAndProcessor, (std::uint64_t seed)) {
  Dice dice(seed);
  const Pair pair = any_pair(dice, 3);
  const Budget budget = Budget::operations(dice.below(600));
  const auto once = [&](int threads, bool avx2) {
    set_avx2_allowed(avx2);
    DetectorSettings settings;
    settings.threads = {threads};
    const auto detector = make_detector("anytime", settings);
    detector->add_body(pair.a);
    detector->add_body(pair.b);
    pair.place(*detector);
    const auto hash = hash_of(detector->detect(kNow, budget));
    set_avx2_allowed(true);
    return hash;
  };
  const auto one = once(1, true);
  RC_ASSERT(one == once(2, true));
  RC_ASSERT(one == once(1, false));
}

RC_GTEST_PROP(Anytime, DropsNoPairWhenThereAreTooMany, (std::uint64_t seed)) {
  Dice dice(seed);
  const Pair pair = any_pair(dice, 4);
  const auto truth = truth_of(pair);
  const auto detector = pair.with("anytime", {{"most_pairs", std::int64_t{64}}, {"leaf_size", std::int64_t{1}}});
  const Report report = detector->detect(kNow, Budget::operations(dice.below(4000)));
  check_cut(*detector, report, truth);
  const Report all = detector->detect(kNow);
  RC_ASSERT(all.complete);
  RC_ASSERT(face_pairs(all) == truth);
}

// Bodies that move, on the same detector, with budgets that end anywhere in building and fitting.
RC_GTEST_PROP(Anytime, FollowsBodiesThroughFramesThatWereNotFinished, (std::uint64_t seed)) {
  Dice dice(seed);
  Pair pair = any_pair(dice);
  const auto detector = pair.with("anytime");
  for (int frame = 0; frame < 4; ++frame) {
    pair.xa = deformed(*pair.a, dice);
    if (dice.below(2) == 0) detector->set_positions(BodyId(0), pair.xa);
    else detector->set_motion(BodyId(0), Motion::at_rest(Frame::share(nullptr, pair.xa)));
    detector->set_positions(BodyId(1), pair.xb);
    const auto truth = truth_of(pair);
    for (int call = 0; call < 3; ++call) {
      const Report report = detector->detect(kNow, Budget::operations(dice.below(80)));
      check_cut(*detector, report, truth);
    }
    if (dice.below(2) == 0) {
      const Report report = detector->detect(kNow);
      RC_ASSERT(report.complete);
      RC_ASSERT(face_pairs(report) == truth);
    }
  }
}

// ---- bodies that follow a coarse one ----

RC_GTEST_PROP(AnytimeEmbedded, MissesNothingAtAnyBudget, (std::uint64_t seed)) {
  Dice dice(seed);
  const bool links = dice.below(2) == 0;
  const CagedBall a = caged_ball(dice, links), b = caged_ball(dice, dice.below(2) == 0);
  Pair pair{a.mesh, b.mesh, a.x, b.x, dice.below(2) == 0};
  const auto truth = truth_of(pair);
  const auto detector = pair.with("anytime", {{"leaf_size", std::int64_t{1 + dice.below(8)}}});
  for (int call = 0; call < 3; ++call) {
    detector->set_motion(BodyId(0), a.motion);
    detector->set_motion(BodyId(1), b.motion);
    const Report report = detector->detect(kNow, Budget::operations(dice.below(600)));
    check_cut(*detector, report, truth);
    for (const UnresolvedPair& c : report.cut) {
      if (!c.sphere_a.finite()) continue;
      for (const FaceId f : detector->region(c.a.body, c.a.id).faces)
        for (const VertexId v : pair.mesh(c.a.body)->triangle(f))
          RC_ASSERT((pair.at(c.a.body)[v.index()] - c.sphere_a.centre).norm() <= c.sphere_a.radius);
    }
  }
  const Report report = detector->detect(kNow);
  RC_ASSERT(report.complete);
  const Report plain = pair.with("anytime")->detect(kNow);
  RC_ASSERT(hash_of(report) == hash_of(plain));
}

TEST(AnytimeEmbedded, RefusesCoarsePositionsThatAreNotFinite) {
  Dice dice(1);
  const CagedBall ball = caged_ball(dice, false);
  const EmbeddedIn& in = *ball.motion.embedded_in();
  const Frame cage = in.coarse.frame(0);
  Places x(cage.positions().begin(), cage.positions().end());
  x[5].z() = std::numeric_limits<double>::infinity();
  const auto detector = make_detector("anytime");
  detector->add_body(ball.mesh, Motion::embedded(Motion::at_rest(Frame::share(nullptr, x)), in.barycentric));
  EXPECT_THROW(detector->detect(kNow), Error);
}

// ---- cases ----

TEST(Anytime, WithoutABudgetLeavesOnlyPairsOfWholeBodies) {
  Dice dice(7);
  Pair pair = any_pair(dice);
  pair.xa = positions_of(*pair.a);
  pair.xb = positions_of(*pair.b);
  pair.self = false;
  const auto detector = pair.with("anytime");
  for (int call = 0; call < 2; ++call) {
    const Report report = detector->detect(kNow, Budget::operations(0));
    ASSERT_EQ(report.cut.size(), 1u);
    EXPECT_EQ(report.cut[0].a.id, 0u);
    EXPECT_EQ(report.cut[0].b.id, 0u);
    EXPECT_TRUE(std::isfinite(report.bound));
    EXPECT_EQ(report.guarantee, Guarantee::conservative);
    detector->detect(kNow);
  }
}

TEST(Anytime, KnowsNothingOfSharedPositionsThatItHadNoTimeToRead) {
  const MeshPtr ball = make_icosphere({.frequency = 4});
  const Places x = positions_of(*ball);
  const auto detector = make_detector("anytime", {.self = false});
  for (int i = 0; i < 2; ++i) detector->add_body(ball, Motion::at_rest(Frame::share(nullptr, x)));
  const Report report = detector->detect(kNow, Budget::operations(3));
  ASSERT_EQ(report.cut.size(), 1u);
  EXPECT_TRUE(std::isinf(report.bound));
  EXPECT_FALSE(report.cut[0].sphere_a.finite());
}

TEST(Anytime, GoesOnBuildingInTheNextCall) {
  const MeshPtr ball = make_icosphere({.frequency = 12});
  const auto detector = make_detector("anytime", {.self = false});
  detector->add_body(ball);
  detector->add_body(ball);
  int calls = 0;
  while (!detector->detect(kNow, Budget::operations(50)).complete && calls < 1000) {
    ++calls;
    // A search that is not finished starts again, unlike a build.
    if (calls > 20) break;
  }
  EXPECT_GT(calls, 1);
  EXPECT_TRUE(detector->detect(kNow).complete);
}

TEST(Anytime, RefusesPositionsThatAreNotFinite) {
  const MeshPtr ball = make_icosphere({.frequency = 4});
  Places x = positions_of(*ball);
  x[17].y() = std::numeric_limits<double>::quiet_NaN();
  const auto detector = make_detector("anytime");
  const BodyId body = detector->add_body(ball);
  EXPECT_THROW(detector->set_positions(body, x), Error);
  detector->set_motion(body, Motion::at_rest(Frame::share(nullptr, x)));
  for (int call = 0; call < 2; ++call) {
    try {
      detector->detect(kNow);
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("vertex 17"), std::string::npos) << error.what();
    }
  }
  x[17] = ball->position(VertexId(17));
  detector->set_motion(body, Motion::at_rest(Frame::share(nullptr, x)));
  EXPECT_TRUE(detector->detect(kNow).complete);
}

TEST(Anytime, TakesMeshesOfAnyKind) {
  Dice dice(3);
  const MeshPtr empty = std::make_shared<const TriangleMesh>(std::vector<Vec3>{}, std::vector<Triangle>{});
  const std::vector<MeshPtr> meshes{
      empty,         one_triangle(Vec3::Zero()), one_triangle({0.2, 0.2, 0}),
      make_grid({}), grid_soup(dice, 20, 40, 2), unshared(*make_icosphere({.frequency = 3}))};
  EXPECT_EQ(hash_of(detect_still("anytime", meshes)), hash_of(detect_still("brute-force", meshes)));
  EXPECT_EQ(hash_of(detect_still("anytime", {empty})), hash_of(detect_still("brute-force", {empty})));
  EXPECT_THROW(make_detector("anytime")->region(BodyId(0), 0), Error);
}

TEST(Anytime, RefusesRegionsThatItDoesNotHave) {
  const MeshPtr ball = make_icosphere({.frequency = 3});
  const auto detector = make_detector("anytime");
  const BodyId body = detector->add_body(ball);
  EXPECT_EQ(detector->region(body, 0).faces.size(), ball->face_count());
  EXPECT_THROW(detector->region(body, 9), Error);
  detector->detect(kNow);
  EXPECT_EQ(detector->region(body, 0).faces.size(), ball->face_count());
  EXPECT_THROW(detector->region(body, 1), Error);  // the root has one lane
  EXPECT_THROW(detector->region(body, 1u << 30), Error);
}

TEST(Anytime, SelfCollisionDoesNotStarveOtherPairs) {
  const MeshPtr ball = make_icosphere({.frequency = 24});
  const auto time_to_part = [&](double share) {
    const auto detector = make_detector("anytime", {.method = {{"self_share", share}}});
    detector->add_body(ball);
    detector->add_body(ball);
    detector->set_positions(BodyId(1), moved(ball, {1.9, 0.2, 0.1}));
    detector->detect(kNow);
    const Report report = detector->detect(kNow, Budget::operations(4000));
    std::size_t between = 0;
    for (const UnresolvedPair& pair : report.cut) between += pair.a.body != pair.b.body ? 1 : 0;
    return between;
  };
  EXPECT_EQ(time_to_part(0), 0u);
  EXPECT_GT(time_to_part(1), 0u);
}

TEST(Anytime, AsksWhetherAnythingMeets) {
  const MeshPtr ball = make_icosphere({.frequency = 6});
  const auto detector = make_detector("anytime", {.self = false});
  detector->add_body(ball);
  const BodyId other = detector->add_body(ball);
  detector->set_positions(other, moved(ball, {1.5, 0.2, 0.1}));
  EXPECT_EQ(detector->collides(kNow), true);
  EXPECT_EQ(detector->collides(kNow, Budget::operations(0)), std::nullopt);
  detector->set_positions(other, moved(ball, {1.9, 1.9, 1.9}));
  EXPECT_EQ(detector->collides(kNow), false);
}

// ---- detail ----

RC_GTEST_PROP(AnytimeDetail, MissesNothingAndEndsWhereItIsTold, (std::uint64_t seed)) {
  Dice dice(seed);
  const Pair pair = any_pair(dice, 3);
  const auto detector = pair.with("anytime", {{"leaf_size", std::int64_t{2}}});
  Detail detail;
  if (dice.below(2) == 0) detail.size = dice.uniform(0, 1);
  if (dice.below(2) == 0) detail.viewer = Viewer{dice.point(-8, 8), dice.uniform(20, 120), dice.uniform(0, 0.2)};
  if (dice.below(3) == 0) detail.level = dice.below(4);
  detector->set_detail(detail);
  const Report report = detector->detect(kNow);
  RC_ASSERT(report.complete);
  check_cut(*detector, report, truth_of(pair));
  for (const UnresolvedPair& c : report.cut) {
    RC_ASSERT(c.leaves);
    if (detail.level <= 3 || detail.viewer) continue;
    RC_ASSERT(c.bound <= detail.size);
  }
  RC_ASSERT(report.guarantee == (report.cut.empty() ? Guarantee::exact : Guarantee::conservative));
}

TEST(AnytimeDetail, LooksCloserAtWhatIsNear) {
  const MeshPtr ball = make_icosphere({.frequency = 24});
  const auto detector = make_detector("anytime", {.self = false});
  detector->add_body(ball);
  detector->set_positions(detector->add_body(ball), moved(ball, {1.7, 0.1, 0.2}));
  const auto tests_from = [&](double distance) {
    detector->set_detail({.viewer = Viewer{{0, 0, distance}, 60, 0.01}});
    const Report report = detector->detect(kNow);
    EXPECT_TRUE(report.complete);
    return report.counters["box_tests"] + report.counters["triangle_tests"];
  };
  const auto near = tests_from(2), middle = tests_from(20), far = tests_from(200);
  EXPECT_GT(near, middle);
  EXPECT_GT(middle, far);
  EXPECT_THROW(detector->set_detail({.size = -1}), Error);
  EXPECT_THROW(detector->set_detail({.viewer = Viewer{Vec3::Zero(), 180, 0.01}}), Error);
  EXPECT_THROW(detector->set_detail({.viewer = Viewer{Vec3::Zero(), 60, -0.01}}), Error);
}

}  // namespace
}  // namespace pliant::testing
