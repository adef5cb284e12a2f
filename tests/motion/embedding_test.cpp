#include "pliant/motion/embedding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "pliant/core/error.h"
#include "pliant/core/random.h"
#include "pliant/core/rigid.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/motion/linked_frames.h"
#include "tests/support/vectors.h"

namespace pliant {
namespace {

class ListedFrames : public FrameSource {
 public:
  explicit ListedFrames(std::vector<Frame> frames) : frames_(std::move(frames)) {}
  std::size_t vertex_count() const override { return frames_[0].positions().size(); }
  std::size_t frame_count() const override { return frames_.size(); }
  Frame frame(std::size_t index) override { return frames_[index]; }

 private:
  std::vector<Frame> frames_;
};

// A dense ball on a coarse one.
struct Ball {
  MeshPtr dense = make_icosphere({.radius = 1, .frequency = 9});
  MeshPtr coarse = make_icosphere({.radius = 0.97, .frequency = 3});
  RigidLinks links{dense->positions(), coarse->positions()};
};

TEST(RigidLinks, ReproduceRestBitForBit) {
  const Ball ball;
  EXPECT_TRUE(same_bits(LinkFollower(ball.links).follow(ball.coarse->positions()), ball.dense->positions()));
}

TEST(RigidLinks, WeightsSumToOneAndNoneIsAboveOneHalf) {
  const Ball ball;
  for (const RigidLink& link : ball.links.links()) {
    EXPECT_NEAR(link.weights[0] + link.weights[1] + link.weights[2], 1, 1e-15);
    for (const double w : link.weights) {
      EXPECT_GE(w, 0);
      EXPECT_LE(w, 0.5);
    }
  }
}

RC_GTEST_PROP(RigidLinks, FollowRigidMotions, (std::uint64_t seed)) {
  Random random(seed);
  const Ball ball;
  LinkFollower follower(ball.links);
  for (int i = 0; i < 3; ++i) {
    const RigidTransform motion = random_rigid(random, 2);
    const std::vector<Vec3> expected = transformed(ball.dense->positions(), motion);
    RC_ASSERT(largest_difference(follower.follow(transformed(ball.coarse->positions(), motion)), expected) < 1e-13);
  }
}

RC_GTEST_PROP(RigidLinks, KeepTheirLengthWhateverTheCoarseVerticesDo, (std::uint64_t seed)) {
  Random random(seed);
  const Ball ball;
  LinkFollower follower(ball.links);
  std::vector<Vec3> coarse(ball.coarse->positions().begin(), ball.coarse->positions().end());
  for (int i = 0; i < 4; ++i) {
    for (Vec3& q : coarse) q += random_vector(random, 0.3);
    if (i == 2) std::fill(coarse.begin(), coarse.end(), Vec3(1, 2, 3));  // to a point
    if (i == 3)
      for (Vec3& q : coarse) q = Vec3(random.within(-1, 1), 0.5, -0.5);  // to a line
    const std::span<const Vec3> dense = follower.follow(coarse);
    if (i >= 2) RC_ASSERT(follower.collapsed_count() == ball.links.triples().size());
    for (std::size_t k = 0; k < dense.size(); ++k) {
      const RigidLink& link = ball.links.links()[k];
      Vec3 origin = Vec3::Zero();
      for (std::size_t c = 0; c < 3; ++c)
        origin += link.weights[c] * coarse[ball.links.triples()[link.triple][c].index()];
      RC_ASSERT(dense[k].allFinite());
      RC_ASSERT(std::abs((dense[k] - origin).norm() - link.offset.norm()) < 1e-12);
    }
  }
}

TEST(RigidLinks, ScalingMovesOnlyTheOrigins) {
  const Ball ball;
  std::vector<Vec3> coarse(ball.coarse->positions().begin(), ball.coarse->positions().end());
  for (Vec3& q : coarse) q *= 2;
  LinkFollower follower(ball.links);
  const std::span<const Vec3> dense = follower.follow(coarse);
  for (std::size_t k = 0; k < dense.size(); ++k) {
    const RigidLink& link = ball.links.links()[k];
    Vec3 origin = Vec3::Zero();
    for (std::size_t c = 0; c < 3; ++c)
      origin += link.weights[c] * ball.coarse->positions()[ball.links.triples()[link.triple][c].index()];
    EXPECT_LT((dense[k] - (ball.dense->positions()[k] + origin)).norm(), 1e-13);
  }
}

// The regression that the corrected weights stand for: the printed ones sum to two.
TEST(RigidLinks, PrintedWeightsWouldMoveAVertexTwiceAsFarAsItsTriangle) {
  const std::array<Vec3, 3> q = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const Vec3 p(0.3, 0.3, 0.2), move(1, 2, 3);
  double sum = 0;
  for (const Vec3& corner : q) sum += (p - corner).norm();
  Vec3 before = Vec3::Zero(), after = Vec3::Zero();
  for (const Vec3& corner : q) {
    const double printed = (sum - (p - corner).norm()) / sum;
    before += printed * corner;
    after += printed * (corner + move);
  }
  EXPECT_LT((after - before - 2 * move).norm(), 1e-14);
  const RigidLinks links(std::vector<Vec3>{p}, q);
  std::vector<Vec3> moved;
  for (const Vec3& corner : q) moved.emplace_back(corner + move);
  LinkFollower follower(links);
  EXPECT_LT((follower.follow(moved)[0] - p - move).norm(), 1e-14);
}

TEST(RigidLinks, SkipNeighboursThatLieOnALine) {
  // The four nearest are on a line; the fifth is not.
  const std::vector<Vec3> coarse = {{0, 0, 0}, {0.1, 0, 0}, {-0.1, 0, 0}, {0.2, 0, 0}, {0, 5, 0}};
  const RigidLinks links(std::vector<Vec3>{{0.01, 0.01, 0.3}}, coarse);
  EXPECT_EQ(links.triples()[0], (std::array{VertexId(0), VertexId(1), VertexId(4)}));
  const std::vector<Vec3> line(coarse.begin(), coarse.end() - 1);
  EXPECT_THROW(RigidLinks(std::vector<Vec3>{{0, 0, 1}}, line), Error);
}

TEST(RigidLinks, BreakTiesByIndex) {
  const std::vector<Vec3> square = {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
  const RigidLinks links(std::vector<Vec3>{{0, 0, 1}}, square);
  EXPECT_EQ(links.triples()[0], (std::array{VertexId(0), VertexId(1), VertexId(2)}));
}

TEST(RigidLinks, CarryAFrameThroughCollapseAndCountFlips) {
  const std::vector<Vec3> q = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const RigidLinks links(std::vector<Vec3>{{0.2, 0.2, 0.5}}, q);
  LinkFollower follower(links);
  Vec3 before = follower.follow(q)[0];
  for (int i = 1; i <= 20; ++i) {  // the third corner passes through the first edge: the normal flips once
    const double y = 1 - i / 10.0;
    const Vec3 now = follower.follow(std::vector<Vec3>{q[0], q[1], {0, y, 0}})[0];
    EXPECT_TRUE(now.allFinite());
    EXPECT_EQ(follower.collapsed_count(), i == 10 ? 1u : 0u);
    EXPECT_EQ(follower.flipped_count(), i == 11 ? 1u : 0u);
    if (i == 10) {
      EXPECT_LT((now - before).norm(), 0.1);  // at the collapse itself nothing jumps
    }
    before = now;
  }
}

TEST(RigidLinks, ContinueFromStoredFrames) {
  const Ball ball;
  Random random(4);
  LinkFollower follower(ball.links), other(ball.links);
  std::vector<Vec3> coarse(ball.coarse->positions().begin(), ball.coarse->positions().end());
  for (Vec3& q : coarse) q += random_vector(random, 0.2);
  follower.follow(coarse);
  other.restore(follower.frames());
  for (Vec3& q : coarse) q = Vec3(q.x(), 0, 0);
  EXPECT_TRUE(same_bits(follower.follow(coarse), other.follow(coarse)));
}

TEST(RigidLinks, RefuseBadInput) {
  const Ball ball;
  LinkFollower follower(ball.links);
  EXPECT_THROW(follower.follow(std::vector<Vec3>(3, Vec3::Zero())), Error);
  EXPECT_THROW(follower.restore({}), Error);
  const std::vector<Vec3> bad = {Vec3(std::nan(""), 0, 0)};
  EXPECT_THROW(RigidLinks(bad, ball.coarse->positions()), Error);
  const std::vector<Vec3> same(5, Vec3(1, 1, 1));
  EXPECT_THROW(RigidLinks(ball.dense->positions(), same), Error);
}

RC_GTEST_PROP(BarycentricEmbedding, FollowsAffineMaps, (std::uint64_t seed)) {
  Random random(seed);
  const auto mesh = make_tet_box({.cells = {3, 2, 4}});
  std::vector<Vec3> dense(50);
  for (Vec3& p : dense) p = random_vector(random, 0.6);  // some outside
  const BarycentricEmbedding embedding(dense, *mesh);
  Eigen::Matrix3d map;
  for (int i = 0; i < 3; ++i) map.col(i) = random_vector(random, 2);
  const Vec3 shift = random_vector(random, 2);
  std::vector<Vec3> coarse;
  for (const Vec3& q : mesh->positions()) coarse.emplace_back(map * q + shift);
  const std::vector<Vec3> followed = embedding.positions(coarse);
  for (std::size_t i = 0; i < dense.size(); ++i) RC_ASSERT((followed[i] - (map * dense[i] + shift)).norm() < 1e-12);
}

RC_GTEST_PROP(BarycentricEmbedding, PutsPointsIntoTheTetThatHoldsThem, (std::uint64_t seed)) {
  Random random(seed);
  const auto mesh = make_tet_box({.size = {3, 0.3, 1}, .cells = {2, 4, 3}});
  std::vector<Vec3> dense(40);
  std::size_t outside = 0;
  for (Vec3& p : dense) {
    p = Vec3(random.within(-1.8, 1.8), random.within(-0.18, 0.18), random.within(-0.6, 0.6));
    outside += std::abs(p.x()) > 1.5 || std::abs(p.y()) > 0.15 || std::abs(p.z()) > 0.5 ? 1 : 0;
  }
  const BarycentricEmbedding embedding(dense, *mesh);
  RC_ASSERT(embedding.outside_count() == outside);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    const auto& w = embedding.anchors()[i].weights;
    RC_ASSERT(std::abs(w[0] + w[1] + w[2] + w[3] - 1) < 1e-14);
    const bool is_outside = *std::min_element(w.begin(), w.end()) < -1e-12;
    RC_ASSERT(is_outside ==
              (std::abs(dense[i].x()) > 1.5 || std::abs(dense[i].y()) > 0.15 || std::abs(dense[i].z()) > 0.5));
  }
}

TEST(BarycentricEmbedding, RefusesBadInput) {
  const auto mesh = make_tet_box();
  const std::vector<Vec3> bad = {Vec3(std::nan(""), 0, 0)};
  EXPECT_THROW(BarycentricEmbedding(bad, *mesh), Error);
  const BarycentricEmbedding embedding(mesh->positions(), *mesh);
  EXPECT_EQ(embedding.outside_count(), 0u);
  EXPECT_THROW(embedding.positions(std::vector<Vec3>(2, Vec3::Zero())), Error);
}

TEST(LinkedFrames, FollowAMotionInAnyOrder) {
  Ball ball;
  const auto links = std::make_shared<const RigidLinks>(ball.dense->positions(), ball.coarse->positions());
  // Flat in the middle, so that frames depend on those before them.
  std::vector<Frame> frames;
  for (const double height : {1.0, 0.5, 0.0, 0.0, 0.8}) {
    std::vector<Vec3> x(ball.coarse->positions().begin(), ball.coarse->positions().end());
    for (Vec3& p : x) p.z() *= height;
    frames.push_back(Frame::own(std::move(x)));
  }
  LinkFollower follower(*links);
  std::vector<std::vector<Vec3>> expected;
  for (const Frame& frame : frames) {
    const auto dense = follower.follow(frame.positions());
    expected.emplace_back(dense.begin(), dense.end());
  }
  LinkedFrames linked(links, std::make_shared<ListedFrames>(frames));
  EXPECT_EQ(linked.vertex_count(), ball.dense->vertex_count());
  ASSERT_EQ(linked.frame_count(), 5u);
  for (const std::size_t k : {0u, 1u, 2u, 3u, 4u, 4u, 2u, 0u, 3u})
    EXPECT_TRUE(same_bits(linked.frame(k).positions(), expected[k])) << k;
  EXPECT_TRUE(same_bits(linked.frame(0).positions(), ball.dense->positions()));
  frames[0] = Frame::own({Vec3(0, 0, 0)});
  EXPECT_THROW(LinkedFrames(links, std::make_shared<ListedFrames>(frames)), Error);
}

}  // namespace
}  // namespace pliant
