#include "pliant/motion/motion.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "pliant/core/error.h"

namespace pliant {
namespace {

Frame frame_at(double x, std::size_t count = 3) { return Frame::own(std::vector<Vec3>(count, Vec3(x, -x, 2 * x))); }

TEST(Motion, AtRestStandsStillForEver) {
  const Motion motion = Motion::at_rest(frame_at(3));
  EXPECT_FALSE(motion.moves());
  for (const double t : {-5.0, 0.0, 7.5}) EXPECT_EQ(motion.positions_at(t).positions()[0].x(), 3.0);
}

TEST(Motion, RestOfAMeshSharesItsPositions) {
  const auto mesh =
      std::make_shared<const TriangleMesh>(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                           std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
  EXPECT_EQ(Motion::at_rest(mesh).positions_at(0).positions().data(), mesh->positions().data());
}

TEST(Motion, KeyframesAreReturnedAsStored) {
  const std::vector<Frame> frames{frame_at(0), frame_at(10), frame_at(4)};
  const Motion motion = Motion::keyframes(frames);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(motion.positions_at(static_cast<double>(k)).positions().data(), frames[k].positions().data());
  EXPECT_EQ(motion.positions_at(99).positions().data(), frames[2].positions().data());
  EXPECT_EQ(motion.positions_at(-1).positions().data(), frames[0].positions().data());
}

TEST(Motion, SegmentsAreHalfOpenAndTheLastOneIsClosed) {
  const Motion motion = Motion::keyframes({frame_at(0), frame_at(1), frame_at(2)}, {1, 2, 4});
  EXPECT_EQ(motion.segment_at(1).t0, 1);
  EXPECT_EQ(motion.segment_at(2).t0, 2);
  EXPECT_EQ(motion.segment_at(4).t0, 2);
  EXPECT_EQ(motion.segment_at(4).t1, 4);
  EXPECT_EQ(motion.segment_at(5).t0, motion.segment_at(5).t1);
  EXPECT_EQ(motion.segment_at(0.5).t0, motion.segment_at(0.5).t1);
}

RC_GTEST_PROP(Motion, PositionsLieBetweenTheirKeyframes, ()) {
  const auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000)));
  std::vector<Frame> frames;
  for (const int value : values) frames.push_back(frame_at(value));
  const Motion motion = Motion::keyframes(frames);
  const double t = *rc::gen::inRange(0, 1000) / 1000.0 * static_cast<double>(values.size() - 1);
  const double x = motion.positions_at(t).positions()[0].x();
  const MotionSegment segment = motion.segment_at(t);
  const auto [low, high] = std::minmax(segment.x_t0.positions()[0].x(), segment.x_t1.positions()[0].x());
  RC_ASSERT(segment.t0 <= t);
  RC_ASSERT(t <= segment.t1 || values.size() == 1);
  RC_ASSERT(low - 1e-9 <= x);
  RC_ASSERT(x <= high + 1e-9);
}

class CountingSource : public FrameSource {
 public:
  std::size_t vertex_count() const override { return 3; }
  std::size_t frame_count() const override { return 100; }
  Frame frame(std::size_t index) override {
    ++reads;
    return frame_at(static_cast<double>(index));
  }
  int reads = 0;
};

TEST(Motion, SourceIsReadOncePerFrameWhenPlayedForward) {
  const auto source = std::make_shared<CountingSource>();
  const Motion motion = Motion::from_source(source);
  for (int step = 0; step < 99 * 4; ++step) {
    const double t = step / 4.0;
    EXPECT_EQ(motion.positions_at(t).positions()[0].x(), t);
  }
  EXPECT_EQ(source->reads, 100);
}

TEST(Motion, RefusesWhatIsNotAMotion) {
  EXPECT_THROW(Motion::keyframes({}), Error);
  EXPECT_THROW(Motion::keyframes({frame_at(0, 3), frame_at(1, 4)}), Error);
  EXPECT_THROW(Motion::keyframes({frame_at(0), frame_at(1)}, {1, 1}), Error);
  EXPECT_THROW(Motion::keyframes({frame_at(0), frame_at(1)}, {1}), Error);
  EXPECT_THROW(Motion::at_rest(frame_at(std::numeric_limits<double>::quiet_NaN())), Error);
}

TEST(Frame, IsKnownByItsStamp) {
  const std::vector<Vec3> x(3, Vec3(1, 2, 3));
  const Frame own = Frame::own(x), same = own;
  const Frame again = Frame::own(x), shared = Frame::share(nullptr, x), shared_again = Frame::share(nullptr, x);
  EXPECT_EQ(same.stamp(), own.stamp());
  EXPECT_LT(own.stamp(), again.stamp());
  EXPECT_LT(shared.stamp(), shared_again.stamp());
  EXPECT_EQ(shared.positions().data(), x.data());
  EXPECT_EQ(Frame().stamp(), 0u);
  EXPECT_TRUE(own.same_as(again));
  EXPECT_TRUE(shared.same_as(shared));
  EXPECT_FALSE(shared.same_as(shared_again));  // x may have been changed in between
  EXPECT_FALSE(own.same_as(shared));
}

TEST(Frame, KeepsItsOwnerAlive) {
  auto x = std::make_shared<std::vector<Vec3>>(3, Vec3(1, 2, 3));
  const std::weak_ptr<std::vector<Vec3>> watch = x;
  Frame frame = Frame::share(x, *x);
  x.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(frame.positions()[2], Vec3(1, 2, 3));
  frame = Frame();
  EXPECT_TRUE(watch.expired());
}

TEST(Frame, FindsWhatIsNotFinite) {
  constexpr double kMost = std::numeric_limits<double>::max(), kLeast = std::numeric_limits<double>::denorm_min();
  for (std::size_t count = 0; count < 20; ++count) {
    std::vector<Vec3> x(count, Vec3(kMost, -kMost, -kLeast));
    EXPECT_EQ(Frame::own(x).first_not_finite(), std::nullopt);
    for (std::size_t v = 0; v < count; ++v)
      for (const double wrong : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN()})
        for (int axis = 0; axis < 3; ++axis) {
          std::vector<Vec3> bad = x;
          bad[v][axis] = wrong;
          EXPECT_EQ(Frame::own(bad).first_not_finite(), v);
          EXPECT_EQ(Frame::share(nullptr, bad).first_not_finite(), v);
        }
  }
  EXPECT_THROW(Frame::of_mesh(nullptr), Error);
}

TEST(Motion, RefusesFramesThatThereAreNot) {
  EXPECT_THROW(Motion::at_rest(frame_at(1)).frame(1), Error);
  EXPECT_THROW(Motion::from_source(nullptr), Error);
  EXPECT_THROW(Motion::at_rest(MeshPtr{}), Error);
}

TEST(Motion, ReadsSharedFramesWhenTheyAreAskedFor) {
  std::vector<Vec3> x(3, Vec3::Zero());
  x[1].y() = std::numeric_limits<double>::quiet_NaN();
  const Motion motion = Motion::keyframes({frame_at(0), Frame::share(nullptr, x), frame_at(2)});
  EXPECT_NO_THROW(motion.positions_at(0));
  EXPECT_THROW(motion.positions_at(1), Error);
  EXPECT_THROW(motion.positions_at(0.5), Error);
  EXPECT_THROW(motion.segment_at(1.5), Error);
  EXPECT_NO_THROW(motion.positions_at(2));
}

}  // namespace
}  // namespace pliant
