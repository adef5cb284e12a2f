#include "pliant/detect/mesh_distance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pliant/detect/queries.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/shapes.h"
#include "tests/support/soups.h"

namespace pliant {
namespace {

using testing::Dice;

double brute_force(const PosedMesh& a, const PosedMesh& b) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.mesh->face_count(); ++i) {
    for (std::size_t j = 0; j < b.mesh->face_count(); ++j) {
      const FaceId f(i), g(j);
      least = std::min(least, closest_points(Triangle3(a.corner(f, 0), a.corner(f, 1), a.corner(f, 2)),
                                             Triangle3(b.corner(g, 0), b.corner(g, 1), b.corner(g, 2)))
                                  .distance);
    }
  }
  return least;
}

void expect_consistent(const MeshDistance& d, const PosedMesh& a, const PosedMesh& b) {
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    on_a += d.weights_a[i] * a.corner(d.face_a, i);
    on_b += d.weights_b[i] * b.corner(d.face_b, i);
  }
  EXPECT_LT((on_a - d.point_a).norm(), 1e-12);
  EXPECT_LT((on_b - d.point_b).norm(), 1e-12);
  EXPECT_NEAR((d.point_a - d.point_b).norm(), d.distance, 1e-12);
}

TEST(MeshDistance, IsThatOfBruteForce) {
  Dice dice(3);
  for (int round = 0; round < 60; ++round) {
    const MeshPtr a = testing::loose_soup(dice, 1 + dice.below(40), 1, 0.3);
    const MeshPtr b = testing::loose_soup(dice, 1 + dice.below(40), 1, 0.3);
    std::vector<Vec3> x(b->positions().begin(), b->positions().end());
    for (Vec3& p : x) p += Vec3(dice.uniform(0, 4), 0, dice.uniform(0, 1));
    const MeshDistance d = distance(a, {b, x});
    EXPECT_EQ(d.distance, brute_force(a, {b, x}));
    expect_consistent(d, a, {b, x});
  }
}

TEST(MeshDistance, EndsWithItsBudgetAndSaysHowMuchNearerItMayBe) {
  const MeshPtr a = make_icosphere({.radius = 1, .frequency = 10}), b = make_torus({.segments = 40, .sides = 20});
  const auto x = testing::moved(b, {0.3, 0.7, 3});
  const MeshDistance whole = distance(a, {b, x});
  EXPECT_EQ(whole.bound, 0);
  bool found_some = false;
  for (std::uint64_t operations = 0; operations < 100'000; operations = 2 * operations + 1) {
    const MeshDistance part = distance(a, {b, x}, Budget::operations(operations));
    EXPECT_GE(part.distance, whole.distance);
    EXPECT_EQ(part.face_a.valid(), std::isfinite(part.distance));
    if (part.face_a.valid()) {
      EXPECT_LE(part.distance - part.bound, whole.distance);
      expect_consistent(part, a, {b, x});
    } else {
      EXPECT_EQ(part.bound, std::numeric_limits<double>::infinity());
    }
    found_some = found_some || (part.face_a.valid() && part.bound > 0);
  }
  EXPECT_TRUE(found_some);
}

TEST(MeshDistance, IsExactlyZeroIfAndOnlyIfTheyIntersect) {
  Dice dice(4);
  int zero = 0;
  for (int round = 0; round < 100; ++round) {
    const MeshPtr a = testing::grid_soup(dice, 6, 3, 4), b = testing::grid_soup(dice, 6, 3, 4);
    const MeshDistance d = distance(a, b);
    EXPECT_EQ(d.distance == 0, !intersections(a, b).empty());
    zero += d.distance == 0;
  }
  EXPECT_GT(zero, 10);
  EXPECT_LT(zero, 95);
}

TEST(MeshDistance, OfShapesIsAsExpected) {
  const MeshPtr box = make_box({.size = Vec3(2, 2, 2)});
  const MeshPtr small = make_box({.size = Vec3(1, 1, 1)});
  EXPECT_EQ(distance(box, small).distance, 0.5);  // one inside the other: from surface to surface
  std::vector<Vec3> x(small->positions().begin(), small->positions().end());
  for (Vec3& p : x) p += Vec3(4, 5, 0);
  EXPECT_EQ(distance(box, {small, x}).distance, std::hypot(2.5, 3.5));
}

TEST(MeshDistance, LooksAtFewPairsOfLargeMeshes) {
  // 20 million pairs of faces: brute force would take half a minute.
  const MeshPtr a = make_icosphere({.frequency = 15}), b = make_torus({.segments = 80, .sides = 30});
  std::vector<Vec3> x(b->positions().begin(), b->positions().end());
  for (Vec3& p : x) p += Vec3(3, 0, 0);
  const MeshDistance d = distance(a, {b, x});
  expect_consistent(d, a, {b, x});
  EXPECT_NEAR(d.distance, 3 - 1.35 - 1, 0.01);
}

TEST(MeshDistance, WithoutFacesIsInfinite) {
  const auto points = std::make_shared<const TriangleMesh>(std::vector<Vec3>{{0, 0, 0}}, std::vector<Triangle>{});
  const MeshDistance d = distance(points, make_box());
  EXPECT_EQ(d.distance, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(d.face_a.valid());
}

TEST(MeshDistance, HoldsAtExtremeSizes) {
  for (const double size : {1e-300, 1e-150, 1e30, 1e100, 1e300}) {
    const auto triangle = [&](double z) {
      return std::make_shared<const TriangleMesh>(
          std::vector<Vec3>{size * Vec3(0, 0, z), size * Vec3(1, 0, z), size * Vec3(0, 1, z)},
          std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
    };
    EXPECT_NEAR(distance(triangle(0), triangle(1)).distance / size, 1, 1e-12) << size;
    EXPECT_EQ(distance(triangle(1), triangle(1)).distance, 0) << size;
  }
}

}  // namespace
}  // namespace pliant
