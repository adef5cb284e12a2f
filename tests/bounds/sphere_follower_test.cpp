#include "pliant/bounds/sphere_tree/sphere_follower.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>

#include "pliant/bounds/sphere_tree/build_sphere_tree.h"
#include "pliant/bounds/sphere_tree/fit_rotation.h"
#include "pliant/core/random.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"

namespace pliant {
namespace {

Vec3 random_vector(Random& random, double size) {
  return {random.within(-size, size), random.within(-size, size), random.within(-size, size)};
}

Eigen::Matrix3d random_rotation(Random& random) {
  return Eigen::Quaterniond(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1), random.within(-1, 1))
      .normalized()
      .toRotationMatrix();
}

// A dense torus on a coarse one.
struct LinkedTorus {
  explicit LinkedTorus(int coarseness = 1)
      : coarse(make_torus({.segments = 10 * coarseness, .sides = 6 * coarseness})) {}
  MeshPtr dense = make_torus();
  MeshPtr coarse;
  std::shared_ptr<const RigidLinks> links = std::make_shared<const RigidLinks>(dense->positions(), coarse->positions());
  SphereTreePtr tree = build_sphere_tree(*dense, [] {
    SphereTreeSettings settings;
    settings.builder = SphereTreeBuilder::boxes;
    settings.shape = {4, 3};
    return settings;
  }());
};

// Rigid, bent, collapsed into a plane or a point, turned inside out, shaken.
std::vector<Vec3> deformed(std::span<const Vec3> rest, Random& random) {
  const Eigen::Matrix3d turn = random_rotation(random);
  const Vec3 shift = random_vector(random, 3);
  const std::uint64_t kind = random.below(6);
  const double bend = random.within(-2, 2);
  std::vector<Vec3> result;
  for (const Vec3& p : rest) {
    Vec3 x = p;
    if (kind == 1)
      x = Vec3(x.x() * std::cos(bend * x.y()) - x.z() * std::sin(bend * x.y()), x.y(),
               x.x() * std::sin(bend * x.y()) + x.z() * std::cos(bend * x.y()));
    if (kind == 2) x.z() = 0;
    if (kind == 3) x = Vec3::Constant(0.1);
    if (kind == 4) x = Vec3(-x.x(), x.y(), x.z());
    if (kind == 5) x += random_vector(random, 0.3);
    result.emplace_back(turn * x + shift);
  }
  return result;
}

// Every sphere, and every box, holds random points of its pieces.
void expect_held(SphereFollower& follower, std::span<const Vec3> positions, Random& random, bool& held) {
  const SphereTree& tree = follower.tree();
  for (std::uint32_t node = 0; node < tree.spheres().size(); ++node) {
    if (!tree.has(node)) continue;
    const Sphere sphere = follower.sphere(node);
    for (const SurfacePiece& piece : tree.pieces(node)) {
      const std::array<Vec3, 3> face = face_corners(follower.mesh().triangle(piece.face), positions);
      double u = random.unit(), v = random.unit();
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const Vec3 a = tree.corner(piece, 0, face), b = tree.corner(piece, 1, face), c = tree.corner(piece, 2, face);
      const Vec3 p = a + u * (b - a) + v * (c - a);
      held = held && fixed_length(p - sphere.centre) <= sphere.radius * (1 + 1e-12);
      if (!follower.is_printed()) held = held && follower.box(node).contains(p);
    }
  }
}

RC_GTEST_PROP(SphereFollower, LosesNothingHoweverTheCoarseMeshDeforms, (std::uint64_t seed)) {
  static const LinkedTorus coarse_torus, fine_torus(3);
  Random random(seed);
  const LinkedTorus& torus = random.below(2) == 0 ? coarse_torus : fine_torus;
  const FollowSettings settings{.fitted_pieces = static_cast<std::uint32_t>(random.below(3) * 16)};
  SphereFollower follower(torus.tree, torus.dense, settings);
  const Motion coarse = Motion::linear(Frame::own(deformed(torus.coarse->positions(), random)),
                                       Frame::own(deformed(torus.coarse->positions(), random)));
  const Motion motion = Motion::embedded(coarse, torus.links);
  bool held = true;
  for (const double t : {0.0, 0.3, 1.0}) {
    follower.place(motion, t);
    const Frame frame = motion.positions_at(t);
    expect_held(follower, frame.positions(), random, held);
    for (std::size_t v = 0; v < torus.dense->vertex_count(); v += 7)
      RC_ASSERT(follower.vertex(VertexId(v)) == frame.positions()[v]);
  }
  RC_ASSERT(held);
}

RC_GTEST_PROP(SphereFollower, LosesNothingWithoutACoarseMesh, (std::uint64_t seed)) {
  static const LinkedTorus torus;
  Random random(seed);
  SphereFollower follower(torus.tree, torus.dense, {});
  const Frame frame = Frame::own(deformed(torus.dense->positions(), random));
  const Motion motion = Motion::at_rest(frame);
  follower.place(motion, 0);
  bool held = true;
  expect_held(follower, frame.positions(), random, held);
  RC_ASSERT(held);
}

// Few tetrahedra and many; some vertices of the surface lie outside of the smaller box.
RC_GTEST_PROP(SphereFollower, LosesNothingInTetrahedra, (std::uint64_t seed)) {
  struct Cage {
    Cage(double size, int cells)
        : tets(make_tet_box({.size = Vec3::Constant(size), .cells = Eigen::Vector3i::Constant(cells)})),
          embedding(std::make_shared<const BarycentricEmbedding>(torus.dense->positions(), *tets)) {}
    LinkedTorus torus;
    std::shared_ptr<const TetMesh> tets;
    std::shared_ptr<const BarycentricEmbedding> embedding;
  };
  static const Cage cages[]{{3, 1}, {2, 1}, {3, 7}, {2, 7}};
  Random random(seed);
  const Cage& cage = cages[random.below(4)];
  SphereFollower follower(cage.torus.tree, cage.torus.dense, {.fitted_pieces = 0});
  const Motion coarse = Motion::linear(Frame::own(deformed(cage.tets->positions(), random)),
                                       Frame::own(deformed(cage.tets->positions(), random)));
  const Motion motion = Motion::embedded(coarse, cage.embedding);
  bool held = true;
  for (const double t : {0.0, 0.4}) {
    follower.place(motion, t);
    expect_held(follower, motion.positions_at(t).positions(), random, held);
  }
  RC_ASSERT(held);
}

RC_GTEST_PROP(SphereFollower, RadiiStayInARigidMotion, (std::uint64_t seed)) {
  static const LinkedTorus torus;
  Random random(seed);
  const Eigen::Matrix3d turn = random_rotation(random);
  const Vec3 shift = random_vector(random, 3);
  std::vector<Vec3> moved;
  for (const Vec3& p : torus.coarse->positions()) moved.emplace_back(turn * p + shift);
  const Motion motion = Motion::embedded(Motion::at_rest(Frame::own(moved)), torus.links);
  SphereFollower follower(torus.tree, torus.dense, {.fitted_pieces = 0});
  follower.place(motion, 0);
  for (std::uint32_t node = 0; node < torus.tree->spheres().size(); ++node) {
    if (!torus.tree->has(node)) continue;
    const Sphere& rest = torus.tree->spheres()[node];
    // Those with too many triples to follow each have the longest offsets added.
    if (follower.links()->triples(node).empty()) continue;
    RC_ASSERT(follower.sphere(node).radius <= rest.radius + 1e-6);
    RC_ASSERT((follower.sphere(node).centre - (turn * rest.centre + shift)).norm() < 1e-6);
  }
}

TEST(SphereFollower, AsPrintedLosesWhatItCoversEvenWhereTheBodyOnlyTurns) {
  const LinkedTorus torus;
  Random random(5);
  int lost = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::Matrix3d turn = random_rotation(random);
    std::vector<Vec3> moved;
    for (const Vec3& p : torus.coarse->positions()) moved.emplace_back(turn * p);
    const Motion motion = Motion::embedded(Motion::at_rest(Frame::own(moved)), torus.links);
    SphereFollower follower(torus.tree, torus.dense, {.printed = true});
    follower.place(motion, 0);
    bool held = true;
    expect_held(follower, motion.frame(0).positions(), random, held);
    lost += held ? 0 : 1;
  }
  EXPECT_GT(lost, 10);
}

TEST(SphereFollower, AsPrintedGoesByTheMeanAndLambda) {
  const LinkedTorus torus;
  std::vector<Vec3> stretched;
  for (const Vec3& p : torus.coarse->positions()) stretched.emplace_back(2 * p + Vec3(1, 0, 0));
  const Motion motion = Motion::embedded(Motion::at_rest(Frame::own(stretched)), torus.links);
  SphereFollower follower(torus.tree, torus.dense, {.printed = true, .near_vertices = 3});
  follower.place(motion, 0);
  for (const std::uint32_t node : {0U, 2U, 7U}) {
    const Sphere& rest = torus.tree->spheres()[node];
    Vec3 mean = Vec3::Zero();
    for (const VertexId v : follower.near_vertices(node))
      mean += stretched[v.index()] - torus.coarse->positions()[v.index()];
    const Vec3 centre = rest.centre + mean / 3;
    double lambda = 0;
    for (const VertexId v : follower.near_vertices(node))
      lambda = std::max(
          lambda, (stretched[v.index()] - centre).norm() / (torus.coarse->positions()[v.index()] - rest.centre).norm());
    EXPECT_LT((follower.sphere(node).centre - centre).norm(), 1e-12);
    EXPECT_NEAR(follower.sphere(node).radius, lambda * rest.radius, 1e-12);
  }
}

TEST(SphereFollower, OfOneCoarseVertexKeepsTheRadiusAsPrinted) {
  const LinkedTorus torus;
  Random random(9);
  const Motion motion =
      Motion::embedded(Motion::at_rest(Frame::own(deformed(torus.coarse->positions(), random))), torus.links);
  SphereFollower follower(torus.tree, torus.dense, {.printed = true, .near_vertices = 1});
  follower.place(motion, 0);
  for (std::uint32_t node = 0; node < 21; ++node)
    EXPECT_NEAR(follower.sphere(node).radius, torus.tree->spheres()[node].radius, 1e-12);
}

TEST(SphereFollower, UpdatesOnlyWhatIsVisited) {
  const LinkedTorus torus;
  SphereFollower follower(torus.tree, torus.dense, {});
  const Motion motion = Motion::embedded(Motion::at_rest(torus.coarse), torus.links);
  follower.place(motion, 0);
  follower.sphere(0);
  follower.sphere(0);
  follower.sphere(3);
  EXPECT_EQ(follower.updated(), 2u);
  follower.place(motion, 0);
  follower.sphere(3);
  EXPECT_EQ(follower.updated(), 2u);  // a frame that it knows
}

TEST(FitRotation, FindsTheRotationOfARigidMotion) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Eigen::Matrix3d turn = random_rotation(random);
    std::vector<Vec3> from, to;
    Vec3 mean = Vec3::Zero();
    for (int i = 0; i < 8; ++i) mean += from.emplace_back(random_vector(random, 1)) / 8;
    for (Vec3& p : from) {
      p -= mean;
      to.emplace_back(turn * p);
    }
    EXPECT_LT((fit_rotation(from, to) - turn).norm(), 1e-7);
  }
}

TEST(FitRotation, GivesSomeRotationForCollapsedPoints) {
  const std::vector<Vec3> from{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}}, to(3, Vec3::Zero());
  const Eigen::Matrix3d q = fit_rotation(from, to);
  EXPECT_LT((q * q.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  EXPECT_GT(q.determinant(), 0);
}

}  // namespace
}  // namespace pliant
