// The anytime method in careless hands: far more contacts than time, bodies that come and go, clocks and flags that
// strike at any moment, positions that are bad.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/error.h"
#include "pliant/detect/anytime/anytime.h"
#include "tests/detect/cuts.h"
#include "tests/detect/poses.h"

namespace pliant::testing {
namespace {

const Interval kNow = Interval::instant(0);

// A clock that goes on whenever it is looked at, and does something at one of the looks.
class TickingClock {
 public:
  explicit TickingClock(std::chrono::nanoseconds tick) : tick_(tick) {}
  Budget within(std::chrono::nanoseconds time) {
    const auto start = Budget::Clock::now();
    looks_ = 0;
    return Budget::until(start + time).with_clock([this, start] {
      if (++looks_ == strikes_at && strikes) strikes();
      return start + looks_ * tick_;
    });
  }
  int looks() const { return looks_; }

  int strikes_at = 0;
  std::function<void()> strikes;

 private:
  std::chrono::nanoseconds tick_;
  int looks_ = 0;
};

TEST(AnytimeCareless, AMillionContactsEndWithTheClock) {
  const MeshPtr mesh = equal_faces(1415);  // 1,000,405 pairs
  for (const bool regions : {true, false}) {
    const auto detector = make_detector("anytime", {.weld = false, .method = {{"regions", regions}}});
    detector->add_body(mesh);
    TickingClock clock(std::chrono::microseconds(20));
    std::size_t found = 0;
    for (int call = 0; call < 12; ++call) {
      const Report report = detector->detect(kNow, clock.within(std::chrono::milliseconds(1)));
      ASSERT_FALSE(report.complete);
      EXPECT_EQ(report.stopped_by, StopReason::deadline);
      EXPECT_EQ(report.guarantee, Guarantee::conservative);
      EXPECT_GE(report.bound, std::sqrt(2.0));
      EXPECT_LE(clock.looks(), 60);  // 50 until the deadline, and a few for the report
      found = std::max(found, report.contacts.size() - report.cut.size());
    }
    EXPECT_GT(found, 0u);
  }
}

TEST(AnytimeCareless, ACancelFlagIsSeenAtTheNextLook) {
  const MeshPtr ball = make_icosphere({.frequency = 24});
  const auto detector = make_detector("anytime", {.self = false});
  detector->add_body(ball);
  detector->set_positions(detector->add_body(ball), moved(ball, {0.01, 0.02, 0.03}));
  const auto truth = face_pairs(detector->detect(kNow));
  std::atomic<bool> cancel{false};
  for (const int look : {1, 2, 3, 5, 8, 13}) {
    cancel = false;
    TickingClock clock(std::chrono::nanoseconds(100));
    clock.strikes_at = look;
    clock.strikes = [&] { cancel = true; };
    const Report report = detector->detect(kNow, clock.within(std::chrono::hours(1)) & Budget::cancelled_by(cancel));
    ASSERT_FALSE(report.complete);
    EXPECT_EQ(report.stopped_by, StopReason::cancelled);
    EXPECT_FALSE(report.cut.empty());
    for (const FacePair& pair : face_pairs(report)) EXPECT_TRUE(truth.count(pair));
  }
  cancel = false;
  EXPECT_EQ(face_pairs(detector->detect(kNow, Budget::cancelled_by(cancel))), truth);
}

TEST(AnytimeCareless, ABudgetThatIsSpentBeforeItBeginsLeavesWholeBodies) {
  const MeshPtr ball = make_icosphere({.frequency = 8});
  const auto detector = make_detector("anytime", {.self = false});
  for (int i = 0; i < 3; ++i) detector->add_body(ball);
  for (const double seconds : {0.0, -1.0}) {
    const Report report = detector->detect(kNow, Budget::within_seconds(seconds));
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.stopped_by, StopReason::deadline);
    ASSERT_EQ(report.cut.size(), 3u);
    for (const UnresolvedPair& pair : report.cut) EXPECT_EQ(pair.a.id + pair.b.id, 0u);
    EXPECT_TRUE(std::isfinite(report.bound));
  }
}

// Found by a later call than the one that began to read them.
TEST(AnytimeCareless, NamesAPositionThatIsNotFiniteHoweverLateItIsRead) {
  const MeshPtr ball = make_icosphere({.frequency = 12});
  Places x = positions_of(*ball);
  const std::size_t last = x.size() - 1;
  x[last].x() = std::numeric_limits<double>::quiet_NaN();
  const auto detector = make_detector("anytime", {.self = false});
  const BodyId body = detector->add_body(ball);
  detector->set_positions(detector->add_body(ball), moved(ball, {0.3, 0.2, 0.1}));
  const auto truth = face_pairs(detector->detect(kNow));
  detector->set_motion(body, Motion::at_rest(Frame::share(nullptr, x)));
  EXPECT_TRUE(std::isinf(detector->detect(kNow, Budget::operations(1)).bound));
  for (int call = 0; call < 2; ++call) {
    try {
      detector->detect(kNow);
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("vertex " + std::to_string(last)), std::string::npos) << error.what();
    }
  }
  x[last] = ball->position(VertexId(last));
  detector->set_motion(body, Motion::at_rest(Frame::share(nullptr, x)));
  EXPECT_EQ(face_pairs(detector->detect(kNow)), truth);
}

// Bodies that are added and removed between calls, few of which have time enough.
RC_GTEST_PROP(AnytimeCareless, MissesNothingWhileBodiesComeAndGo, (std::uint64_t seed)) {
  Dice dice(seed);
  DetectorSettings settings;
  settings.self = dice.below(2) == 0;
  const auto oracle = make_detector("brute-force", settings);
  settings.method = {{"leaf_size", std::int64_t{1 + dice.below(8)}}};
  const auto detector = make_detector("anytime", settings);
  std::vector<BodyId> bodies;
  for (int turn = 0; turn < 4; ++turn) {
    if (bodies.size() < 2 || dice.below(3) != 0) {
      const MeshPtr mesh =
          dice.below(2) == 0 ? make_icosphere({.frequency = 1}) : make_torus({.segments = 5, .sides = 4});
      const Motion motion = Motion::at_rest(Frame::own(deformed(*mesh, dice)));
      bodies.push_back(detector->add_body(mesh, motion));
      RC_ASSERT(oracle->add_body(mesh, motion) == bodies.back());
    } else {
      const std::size_t which = dice.below(static_cast<std::uint32_t>(bodies.size()));
      detector->remove_body(bodies[which]);
      oracle->remove_body(bodies[which]);
      RC_ASSERT_THROWS_AS(detector->region(bodies[which], 0), Error);
      bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(which));
    }
    const Report report = detector->detect(kNow, Budget::operations(dice.below(300)));
    check_cut(*detector, report, face_pairs(oracle->detect(kNow)));
  }
  RC_ASSERT(hash_of(detector->detect(kNow)) == hash_of(oracle->detect(kNow)));
}

// Without a list of regions: what was not found is between bodies that are listed, and within their bound.
RC_GTEST_PROP(AnytimeCareless, TheBoundHoldsForWhatIsNotListed, (std::uint64_t seed)) {
  Dice dice(seed);
  DetectorSettings settings;
  settings.self = dice.below(2) == 0;
  settings.method = {{"regions", false}, {"leaf_size", std::int64_t{1 + dice.below(8)}}};
  const auto detector = make_detector("anytime", settings),
             oracle = make_detector("brute-force", {.self = settings.self});
  const MeshPtr mesh = make_icosphere({.frequency = 2});
  std::vector<Places> x;
  for (std::uint32_t i = 0; i < 2 + dice.below(2); ++i) {
    x.push_back(deformed(*mesh, dice));
    const Motion motion = Motion::at_rest(Frame::own(Places(x.back())));
    detector->add_body(mesh, motion);
    oracle->add_body(mesh, motion);
  }
  const auto truth = face_pairs(oracle->detect(kNow));
  detector->detect(kNow);
  double bound = std::numeric_limits<double>::infinity();
  for (std::uint64_t operations = 0;; operations += 1 + operations / 2) {
    const Report report = detector->detect(kNow, Budget::operations(operations));
    RC_ASSERT(report.bound <= bound);
    bound = report.bound;
    const auto found = face_pairs(report);
    for (const auto& [body_a, face_a, body_b, face_b] : truth) {
      if (found.count({body_a, face_a, body_b, face_b})) continue;
      const UnresolvedPair* listed = nullptr;
      for (const UnresolvedPair& pair : report.cut)
        if (pair.a.body.value == body_a && pair.b.body.value == body_b) listed = &pair;
      RC_ASSERT(listed != nullptr);
      for (const VertexId a : mesh->triangle(FaceId(face_a)))
        for (const VertexId b : mesh->triangle(FaceId(face_b)))
          RC_ASSERT((x[body_a][a.index()] - x[body_b][b.index()]).norm() <= listed->bound);
    }
    if (report.complete) break;
  }
}

}  // namespace
}  // namespace pliant::testing
