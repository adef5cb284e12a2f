// Positions that a program keeps in buffers of its own and changes in place, given to detectors in every way there is.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>

#include "pliant/core/error.h"
#include "pliant/detect/safe_step.h"
#include "pliant/mesh/shapes.h"
#include "tests/detect/every_method.h"
#include "tests/detect/motions.h"

namespace {
std::atomic<std::uint64_t> allocations{0};

void* counted_or_null(std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size > 0 ? size : 1);
}

void* counted(std::size_t size) {
  if (void* memory = counted_or_null(size)) return memory;
  throw std::bad_alloc();
}
}  // namespace

// Of this program only: how often it allocates. All forms that our delete may be given, std::stable_sort's among them.
void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted_or_null(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted_or_null(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace pliant::testing {
namespace {

using Positions = std::vector<Vec3>;

Frame copy_of(const Positions& x) { return Frame::own(x); }
Frame share_of(const Positions& x) { return Frame::share(nullptr, x); }

class EveryMethod : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Detector> make(const DetectorSettings& settings = {}) const {
    return make_detector(GetParam(), settings);
  }
  bool moving() const { return make()->info().moving; }
  Interval question() const { return moving() ? Interval{0, 1} : Interval::instant(0); }
};

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(all_methods()),
                         [](const auto& method) { return test_name(method.param); });

// Two crumpled sheets, the second one moved about by the test.
struct Sheets {
  explicit Sheets(std::uint64_t seed)
      : dice(seed), a(crumpled_sheet(dice, 8, 0.02)), b(crumpled_sheet(dice, 8, 0.02)) {}
  Dice dice;
  MeshPtr a, b;

  // High above the other one, through it, or beside it.
  void move(Positions& x) {
    const Vec3 by(dice.uniform(-0.3, 0.3), dice.uniform(-0.3, 0.3), dice.uniform(-0.5, 0.5));
    for (std::size_t v = 0; v < x.size(); ++v) x[v] = b->positions()[v] + by + dice.point(-0.03, 0.03);
  }
};

std::uint64_t contacts_hash(const Report& report, bool only_new = false) {
  Report bare;
  for (const Contact& c : report.contacts)
    if (!only_new || !c.initial) bare.contacts.push_back(c);
  return hash_of(bare);
}

using Give = std::function<void(Detector&, BodyId, const Positions&)>;

void expect_still_as_brute_force(const std::string& method, const Give& give) {
  Sheets sheets(7);
  Positions x = positions_of(*sheets.b);  // the one buffer
  const auto detector = make_detector(method), oracle = make_detector("brute-force");
  for (Detector* d : {detector.get(), oracle.get()}) d->add_body(sheets.a), d->add_body(sheets.b);
  std::size_t contacts = 0;
  for (int frame = 0; frame < 12; ++frame) {
    sheets.move(x);
    give(*detector, BodyId(1), x);
    oracle->set_motion(BodyId(1), Motion::at_rest(copy_of(x)));
    const Report expected = oracle->detect(Interval::instant(0));
    ASSERT_EQ(contacts_hash(detector->detect(Interval::instant(0))), contacts_hash(expected)) << frame;
    contacts += expected.contacts.size();
  }
  EXPECT_GT(contacts, 100u);
}

TEST_P(EveryMethod, SeesWhatChangedInOneBufferWhenStill) {
  if (!make()->info().still) GTEST_SKIP() << "moving only";
  const auto with = [&](const Give& give) { expect_still_as_brute_force(GetParam(), give); };
  with([](Detector& d, BodyId b, const Positions& x) { d.set_motion(b, Motion::at_rest(share_of(x))); });
  with([](Detector& d, BodyId b, const Positions& x) { d.set_motion(b, Motion::at_rest(copy_of(x))); });
  with([](Detector& d, BodyId b, const Positions& x) { d.set_positions(b, x); });
}

using GiveStep = std::function<void(Detector&, BodyId, const Positions&, const Positions&)>;

void expect_moving_as_brute_force(const std::string& method, const GiveStep& give) {
  Sheets sheets(8);
  Positions x_t0 = positions_of(*sheets.b), x_t1 = x_t0;  // the two buffers
  const auto detector = make_detector(method), oracle = make_detector("brute-force");
  for (Detector* d : {detector.get(), oracle.get()}) d->add_body(sheets.a), d->add_body(sheets.b);
  std::size_t contacts = 0;
  for (int frame = 0; frame < 5; ++frame) {
    x_t0 = x_t1;
    sheets.move(x_t1);
    give(*detector, BodyId(1), x_t0, x_t1);
    oracle->set_motion(BodyId(1), Motion::linear(copy_of(x_t0), copy_of(x_t1)));
    const Report expected = oracle->detect({0, 1});
    ASSERT_EQ(contacts_hash(detector->detect({0, 1})), contacts_hash(expected)) << frame;
    contacts += expected.contacts.size();
  }
  EXPECT_GT(contacts, 100u);
}

TEST_P(EveryMethod, SeesWhatChangedInTwoBuffersWhenMoving) {
  if (!moving()) GTEST_SKIP() << "still only";
  const auto with = [&](const GiveStep& give) { expect_moving_as_brute_force(GetParam(), give); };
  with([](Detector& d, BodyId b, const Positions& x_t0, const Positions& x_t1) {
    d.set_motion(b, Motion::linear(share_of(x_t0), share_of(x_t1)));
  });
  with([](Detector& d, BodyId b, const Positions& x_t0, const Positions& x_t1) { d.set_step(b, x_t0, x_t1); });
}

TEST_P(EveryMethod, AdvancesFromStepToStep) {
  if (!moving()) GTEST_SKIP() << "still only";
  Sheets sheets(9);
  Positions x = positions_of(*sheets.b);
  const auto detector = make(), oracle = make_detector("brute-force");
  for (Detector* d : {detector.get(), oracle.get()}) d->add_body(sheets.a), d->add_body(sheets.b);
  std::size_t contacts = 0;
  for (int frame = 0; frame < 6; ++frame) {
    const Frame before = copy_of(x);
    sheets.move(x);
    const Interval when = detector->advance(BodyId(1), x);
    EXPECT_EQ(when.t0, frame);
    EXPECT_EQ(when.t1, frame + 1);
    oracle->set_motion(BodyId(1), Motion::linear(before, copy_of(x), when));
    const Report expected = oracle->detect(when);
    // A stream does not tell again what it told at the instant where two steps meet.
    ASSERT_EQ(contacts_hash(detector->detect(when), true), contacts_hash(expected, true)) << frame;
    contacts += expected.contacts.size();
  }
  EXPECT_GT(contacts, 100u);
}

TEST(Advance, LastsAsLongAsTheLastStepAndStartsWithItsEnd) {
  Sheets sheets(10);
  const Positions x = positions_of(*sheets.b);
  const auto detector = make_detector("swept-bvh");
  const BodyId body = detector->add_body(sheets.b);
  EXPECT_EQ(detector->advance(body, x).t1, 1);
  detector->set_step(body, x, x, {2, 2.5});
  const Frame end = detector->body(body).motion.frame(1);
  const Interval next = detector->advance(body, x);
  EXPECT_EQ(next.t0, 2.5);
  EXPECT_EQ(next.t1, 3);
  EXPECT_EQ(detector->body(body).motion.frame(0).stamp(), end.stamp());
  detector->set_positions(body, x);
  EXPECT_FALSE(detector->body(body).motion.moves());
  EXPECT_EQ(detector->advance(body, x).t0, 0);
}

// The rest of a segment that was half looked at, after its buffers were changed in place.
TEST(ReusedBuffers, AreSeenInTheMiddleOfAStep) {
  for (const char* method : {"kinetic", "kinetic-events"}) {
    Sheets sheets(11);
    Positions x_t0 = positions_of(*sheets.b), x_t1 = x_t0;
    for (Vec3& p : x_t0) p.z() += 2;
    for (Vec3& p : x_t1) p.z() += 1;
    const auto shared = make_detector(method), owned = make_detector(method);
    for (Detector* d : {shared.get(), owned.get()}) d->add_body(sheets.a), d->add_body(sheets.b);
    shared->set_motion(BodyId(1), Motion::linear(share_of(x_t0), share_of(x_t1)));
    owned->set_motion(BodyId(1), Motion::linear(copy_of(x_t0), copy_of(x_t1)));
    for (Detector* d : {shared.get(), owned.get()}) EXPECT_TRUE(d->detect({0, 0.5}).contacts.size() < 1000);
    for (Vec3& p : x_t1) p.z() -= 3;  // it falls further
    shared->set_motion(BodyId(1), Motion::linear(share_of(x_t0), share_of(x_t1)));
    owned->set_motion(BodyId(1), Motion::linear(copy_of(x_t0), copy_of(x_t1)));
    const Report expected = owned->detect({0.5, 1});
    EXPECT_FALSE(expected.contacts.empty());
    EXPECT_EQ(contacts_hash(shared->detect({0.5, 1})), contacts_hash(expected)) << method;
  }
}

// ---- memory ----

TEST_P(EveryMethod, NeedsNoMemoryPerFrame) {
  Sheets sheets(12);
  Positions x = positions_of(*sheets.b);
  const auto detector = make({.threads = {1}});
  detector->add_body(sheets.a);
  const BodyId body = detector->add_body(sheets.b);
  const auto allocations_of = [&](const std::function<void()>& give) {
    std::uint64_t after_first_frames = 0;
    for (int frame = 0; frame < 20; ++frame) {
      const std::uint64_t before = allocations.load();
      give();
      if (frame >= 10) after_first_frames += allocations.load() - before;
      detector->detect(question());
    }
    return after_first_frames;
  };
  EXPECT_EQ(allocations_of([&] { detector->set_positions(body, x); }), 0u);
  EXPECT_EQ(allocations_of([&] { detector->set_step(body, x, x); }), 0u);
  detector->reset(0);
  detector->set_positions(body, x);
  EXPECT_EQ(allocations_of([&] { detector->advance(body, x); }), 0u);
}

TEST(SafeSteps, NeedNoMemoryPerStepForPositions) {
  Sheets sheets(13);
  const Positions x = positions_of(*sheets.b);
  SafeStepper stepper({.threads = {1}});
  const BodyId body = stepper.add_body(sheets.b);
  std::uint64_t after_first_steps = 0;
  for (int step = 0; step < 12; ++step) {
    const std::uint64_t before = allocations.load();
    stepper.set_step(body, x, x);
    if (step >= 6) after_first_steps += allocations.load() - before;
    stepper.find();
  }
  EXPECT_EQ(after_first_steps, 0u);
}

TEST_P(EveryMethod, LeavesAloneWhatOthersHold) {
  Sheets sheets(14);
  Positions x = positions_of(*sheets.b);
  const auto detector = make();
  const BodyId body = detector->add_body(sheets.b);
  std::vector<Motion> motions;
  std::vector<Frame> frames;
  std::vector<Positions> expected;
  for (int i = 0; i < 30; ++i) {
    sheets.move(x);
    if (i % 3 == 0) detector->set_positions(body, x);
    if (i % 3 == 1) detector->set_step(body, positions_of(*sheets.b), x);
    if (i % 3 == 2) detector->advance(body, x);
    const Motion& motion = detector->body(body).motion;
    if (i % 2 == 0) motions.push_back(motion);
    frames.push_back(motion.frame(motion.frame_count() - 1));
    expected.push_back(x);
  }
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_TRUE(std::equal(expected[i].begin(), expected[i].end(), frames[i].positions().begin())) << i;
    if (i % 2 != 0) continue;
    const Frame last = motions[i / 2].frame(motions[i / 2].frame_count() - 1);
    EXPECT_EQ(last.stamp(), frames[i].stamp());
  }
}

TEST_P(EveryMethod, KeepsItsPositionsWhenNewOnesAreRefused) {
  Sheets sheets(15);
  Positions x = positions_of(*sheets.b);
  const auto detector = make();
  const BodyId body = detector->add_body(sheets.b);
  detector->set_positions(body, x);
  const Frame before = detector->body(body).motion.frame(0);
  Positions bad = x;
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    bad[37].y() = wrong;
    try {
      detector->set_positions(body, bad);
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("vertex 37"), std::string::npos) << error.what();
    }
    EXPECT_THROW(detector->set_step(body, x, bad), Error);
    EXPECT_THROW(detector->set_step(body, bad, x), Error);
    EXPECT_THROW(detector->advance(body, bad), Error);
  }
  EXPECT_THROW(detector->set_step(body, x, x, {1, 1}), Error);
  EXPECT_THROW(detector->set_step(body, x, x, {0, std::numeric_limits<double>::infinity()}), Error);
  EXPECT_THROW(detector->set_positions(body, std::span(x).first(3)), Error);
  EXPECT_THROW(detector->set_step(body, x, std::span(x).first(3)), Error);
  EXPECT_THROW(detector->advance(body, {}), Error);
  EXPECT_EQ(detector->body(body).motion.frame(0).stamp(), before.stamp());
}

// ---- work ----

// A region is a node of a tree: where a tree has one, it tells whether the tree was fitted anew. (Region 0 of still
// methods is the whole body, where it is now.)
TEST(KnownFrames, AreNotFittedAgain) {
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 8});
  for (const char* method : {"bvh", "swept-bvh", "kinetic"}) {
    const bool still = make_detector(method)->info().still;
    const Interval when = still ? Interval::instant(0) : Interval{0, 1};
    const std::uint32_t node = still ? 2 : 0;
    const auto motion_of = [&](const Frame& x) { return still ? Motion::at_rest(x) : Motion::linear(x, x); };
    Positions x = positions_of(*ball);
    const Frame frame = share_of(x);
    const auto detector = make_detector(method);
    const BodyId body = detector->add_body(ball, motion_of(frame));
    detector->detect(when);
    const double radius = detector->region(body, node).radius;
    for (Vec3& p : x) p *= 2;
    detector->set_motion(body, motion_of(frame));  // wrong: this is not the frame that it was
    detector->detect(when);
    EXPECT_EQ(detector->region(body, node).radius, radius) << method;
    detector->set_motion(body, motion_of(share_of(x)));
    detector->detect(when);
    EXPECT_GT(detector->region(body, node).radius, 1.5 * radius) << method;
  }
}

}  // namespace
}  // namespace pliant::testing
