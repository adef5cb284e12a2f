// The motion of some vertices of a whole.
#include "pliant/motion/part_motion.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

std::vector<Frame> three_frames() {
  std::vector<Frame> frames;
  for (const double k : {0.0, 1.0, 2.0}) frames.push_back(Frame::own({{k, 0, 0}, {k, 1, 0}, {k, 2, 0}}));
  return frames;
}

TEST(PartMotion, HasThePositionsOfItsVertices) {
  for (const std::vector<double>& times : {std::vector<double>{}, std::vector<double>{0, 0.5, 4}}) {
    const Motion whole = Motion::keyframes(three_frames(), times);
    const Motion part = part_of(whole, {VertexId(2), VertexId(0)});
    EXPECT_EQ(part.vertex_count(), 2u);
    ASSERT_EQ(part.frame_count(), 3u);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(part.time_of(k), whole.time_of(k));
    for (const double t : {0.0, 0.25, 1.0, 1.75, 2.0}) {
      const Frame x = part.positions_at(t);
      EXPECT_EQ(x.positions()[0], whole.positions_at(t).positions()[2]) << t;
      EXPECT_EQ(x.positions()[1], whole.positions_at(t).positions()[0]) << t;
    }
  }
  const Motion still = part_of(Motion::at_rest(three_frames()[1]), {VertexId(1)});
  EXPECT_FALSE(still.moves());
  EXPECT_EQ(still.frame(0).positions()[0], Vec3(1, 1, 0));
}

}  // namespace
}  // namespace pliant
