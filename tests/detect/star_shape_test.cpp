// What star_shape.h proves is true, and it proves what it is there for.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/detect/moving/star_shape.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/detect/motions.h"

namespace pliant::testing {
namespace {

SweptBody swept(const MeshPtr& mesh, std::vector<Vec3> x_t0, std::vector<Vec3> x_t1) {
  return sweep_body(BodyId(0), {mesh, Motion::at_rest(mesh)}, Frame::own(std::move(x_t0)), Frame::own(std::move(x_t1)),
                    true);
}

bool proved(const MeshPtr& mesh, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1, double separation) {
  return StarShapes().prove_apart(swept(mesh, x_t0, x_t1), mesh, separation);
}

std::size_t contacts_of(const MeshPtr& mesh, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1,
                        double separation) {
  DetectorSettings settings;
  settings.min_separation = separation;
  return detect_moving("brute-force", {{mesh, Motion::linear(Frame::own(x_t0), Frame::own(x_t1))}}, {0, 1}, settings)
      .contacts.size();
}

std::vector<Vec3> jittered(Dice& dice, std::span<const Vec3> x, double noise) {
  std::vector<Vec3> result(x.begin(), x.end());
  for (Vec3& p : result) p += dice.point(-noise, noise);
  return result;
}

RC_GTEST_PROP(StarShape, WhatItProvesNoSearchContradicts, (std::uint64_t seed)) {
  Dice dice(seed);
  const bool box = dice.below(2) == 1;
  const MeshPtr mesh = box ? make_box({.size = {1, 1.5, 0.7}, .cells = {3, 3, 2}}) : make_icosphere({.frequency = 3});
  const double noise = 0.02 * dice.below(8), separation = 0.03 * dice.below(6);
  const std::vector<Vec3> x_t0 = jittered(dice, mesh->positions(), noise);
  const std::vector<Vec3> turned = transformed(x_t0, rigid({1, 2, 3}, 0.1 * dice.below(8), dice.point(-2, 2)));
  const std::vector<Vec3> x_t1 = jittered(dice, turned, noise);
  const bool apart = proved(mesh, x_t0, x_t1, separation);
  RC_CLASSIFY(apart);
  if (apart) RC_ASSERT(contacts_of(mesh, x_t0, x_t1, separation) == 0u);
}

TEST(StarShape, ProvesBallsAndBoxesThatFlyAndTurn) {
  for (const MeshPtr& mesh : {make_icosphere({.radius = 0.5, .frequency = 8}), make_box({.cells = {4, 4, 4}})}) {
    const std::vector<Vec3> x = positions_of(*mesh);
    const std::vector<Vec3> away = transformed(x, rigid({1, 1, 0}, 0.3, {100, 3, 2}));
    EXPECT_TRUE(proved(mesh, x, away, 0));
    EXPECT_TRUE(proved(mesh, x, away, 0.01));
    EXPECT_FALSE(proved(mesh, x, away, 1));  // no two features are so far apart
  }
}

TEST(StarShape, DoesNotProveWhatIsPushedThroughItself) {
  const MeshPtr mesh = make_icosphere({.frequency = 4});
  const std::vector<Vec3> x = positions_of(*mesh);
  std::vector<Vec3> pushed = x;
  pushed[0] *= -1.5;
  EXPECT_FALSE(proved(mesh, x, pushed, 0));
  EXPECT_GT(contacts_of(mesh, x, pushed, 0), 0u);
}

// Both look outward from the common centre: only the ray tells that there are two.
TEST(StarShape, DoesNotTakeOneSurfaceWithinAnotherForOne) {
  const MeshPtr one = make_icosphere({.frequency = 2});
  std::vector<Vec3> x = positions_of(*one);
  std::vector<Triangle> faces(one->triangles().begin(), one->triangles().end());
  const std::size_t count = x.size();
  for (std::size_t i = 0; i < count; ++i) x.push_back(0.7 * x[i]);
  for (const Triangle& t : one->triangles())
    faces.push_back({VertexId(t[0].index() + count), VertexId(t[1].index() + count), VertexId(t[2].index() + count)});
  const auto two = std::make_shared<const TriangleMesh>(x, faces);
  EXPECT_FALSE(proved(two, x, x, 0));
}

TEST(StarShape, ProvesNothingOfSurfacesWithBorders) {
  const MeshPtr grid = make_grid({.columns = 3, .rows = 3});
  const std::vector<Vec3> x = positions_of(*grid);
  EXPECT_FALSE(proved(grid, x, x, 0));
  const MeshPtr torus = make_torus({});
  EXPECT_FALSE(proved(torus, positions_of(*torus), positions_of(*torus), 0));
}

}  // namespace
}  // namespace pliant::testing
