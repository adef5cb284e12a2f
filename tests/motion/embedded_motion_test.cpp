#include <gtest/gtest.h>

#include "pliant/core/error.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/motion/embedding.h"
#include "pliant/motion/motion.h"

namespace pliant {
namespace {

struct EmbeddedMotion : testing::Test {
  MeshPtr dense = make_icosphere({.radius = 1, .frequency = 8});
  MeshPtr coarse = make_icosphere({.radius = 1, .frequency = 2});
  std::shared_ptr<const RigidLinks> links = std::make_shared<const RigidLinks>(dense->positions(), coarse->positions());

  Frame coarse_frame(double stretch) const {
    std::vector<Vec3> q(coarse->positions().begin(), coarse->positions().end());
    for (Vec3& p : q) p.x() *= stretch;
    return Frame::own(q);
  }
};

TEST_F(EmbeddedMotion, FollowsTheCoarseOneAtItsKeyframes) {
  const Motion motion = Motion::embedded(Motion::linear(coarse_frame(1), coarse_frame(2), {3, 5}), links);
  LinkFollower follower(*links);
  EXPECT_EQ(motion.vertex_count(), dense->vertex_count());
  EXPECT_EQ(motion.domain().t0, 3);
  EXPECT_EQ(motion.domain().t1, 5);
  for (const double t : {3.0, 5.0}) {
    const auto expected = follower.follow(coarse_frame(t == 3 ? 1 : 2).positions());
    const Frame frame = motion.positions_at(t);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(frame.positions()[i], expected[i]);
  }
}

TEST_F(EmbeddedMotion, IsLinearBetweenKeyframes) {
  const Motion motion = Motion::embedded(Motion::linear(coarse_frame(1), coarse_frame(2)), links);
  const Frame start = motion.frame(0), end = motion.frame(1), middle = motion.positions_at(0.5);
  for (std::size_t i = 0; i < dense->vertex_count(); ++i)
    EXPECT_LT((middle.positions()[i] - 0.5 * (start.positions()[i] + end.positions()[i])).norm(), 1e-15);
}

TEST_F(EmbeddedMotion, SaysWhatItFollows) {
  const Motion whole = Motion::at_rest(coarse);
  const Motion motion = Motion::embedded(whole, links);
  ASSERT_NE(motion.embedded_in(), nullptr);
  EXPECT_EQ(motion.embedded_in()->links, links);
  EXPECT_EQ(motion.embedded_in()->barycentric, nullptr);
  EXPECT_EQ(motion.embedded_in()->coarse.frame(0).stamp(), whole.frame(0).stamp());
  EXPECT_EQ(whole.embedded_in(), nullptr);
}

TEST_F(EmbeddedMotion, GoesWithTetrahedraToo) {
  const auto tets = make_tet_box();
  const TetMesh& box = *tets;
  const MeshPtr inner = make_box({.size = Vec3::Constant(0.5)});
  const auto embedding = std::make_shared<const BarycentricEmbedding>(inner->positions(), box);
  std::vector<Vec3> moved(box.positions().begin(), box.positions().end());
  for (Vec3& p : moved) p += Vec3(1, 2, 3);
  const Motion motion = Motion::embedded(Motion::at_rest(Frame::own(moved)), embedding);
  for (std::size_t i = 0; i < inner->vertex_count(); ++i)
    EXPECT_LT((motion.frame(0).positions()[i] - inner->positions()[i] - Vec3(1, 2, 3)).norm(), 1e-14);
}

TEST_F(EmbeddedMotion, RefusesAMotionOfAnotherMesh) {
  EXPECT_THROW(Motion::embedded(Motion::at_rest(dense), links), Error);
  EXPECT_THROW(Motion::embedded(Motion::at_rest(coarse), std::shared_ptr<const RigidLinks>()), Error);
}

TEST_F(EmbeddedMotion, RefusesAFrameThatIsNotFinite) {
  std::vector<Vec3> q(coarse->positions().begin(), coarse->positions().end());
  q[5].y() = std::nan("");
  EXPECT_THROW(Motion::embedded(Motion::at_rest(Frame::own(q)), links), Error);
  const Frame shared = Frame::share(nullptr, q);
  const Motion motion = Motion::embedded(Motion::at_rest(shared), links);
  EXPECT_THROW(motion.frame(0), Error);
}

}  // namespace
}  // namespace pliant
