#include "pliant/geometry/parting.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <limits>
#include <vector>

#include "pliant/geometry/triangle_triangle.h"
#include "tests/geometry/random_cases.h"

namespace pliant {
namespace {

using test::Random;
using test::TrianglePair;

// The nearest facet of the Minkowski difference b - a, by looking at every plane through three of its nine points.
// Not for differences that are flat.
double facet_distance(const TrianglePair& pair) {
  std::vector<Vec3> points;
  for (int i = 0; i < 3; ++i)
    for (int j = 3; j < 6; ++j)
      points.push_back(pair.x[static_cast<std::size_t>(j)] - pair.x[static_cast<std::size_t>(i)]);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = i + 1; j < 9; ++j) {
      for (std::size_t k = j + 1; k < 9; ++k) {
        const Vec3 n = (points[j] - points[i]).cross(points[k] - points[i]);
        if (!(n.norm() > 1e-9)) continue;
        const Vec3 unit = n.normalized();
        const double offset = unit.dot(points[i]);
        double low = 0, high = 0;
        for (const Vec3& p : points) {
          low = std::min(low, unit.dot(p) - offset);
          high = std::max(high, unit.dot(p) - offset);
        }
        if (low > -1e-12 || high < 1e-12) least = std::min(least, std::abs(offset));
      }
    }
  }
  return least;
}

Relation relation_after(const TrianglePair& pair, const Vec3& way) {
  TrianglePair moved = pair;
  for (std::size_t i = 0; i < 3; ++i) moved.x[i] += way;
  return triangle_triangle_relation(moved.a(), moved.b());
}

TrianglePair crossing_pair(Random& random) {
  for (;;) {
    const TrianglePair pair = test::make_pair_of([&] { return random.in_cube(); });
    if (triangle_triangle_relation(pair.a(), pair.b()) == Relation::crossing) return pair;
  }
}

TEST(Parting, IsTheNearestFacetOfTheMinkowskiDifference) {
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    const TrianglePair pair = crossing_pair(random);
    const Parting found = parting(pair.a(), pair.b());
    EXPECT_NEAR(found.depth, facet_distance(pair), 1e-11) << pair.text();
    EXPECT_NEAR(found.direction.norm(), 1, 1e-14);
  }
}

TEST(Parting, JustMorePartsThemAndNothingShorterDoes) {
  Random random(2);
  for (int i = 0; i < 400; ++i) {
    const TrianglePair pair = crossing_pair(random);
    const Parting found = parting(pair.a(), pair.b());
    EXPECT_EQ(relation_after(pair, (found.depth + 1e-12) * found.direction), Relation::none) << pair.text();
    for (int j = 0; j < 50; ++j) {
      const Vec3 way = (random.in_cube() - Vec3::Constant(0.5)).normalized() * (found.depth - 1e-12);
      EXPECT_NE(relation_after(pair, way), Relation::none) << pair.text();
    }
  }
}

TEST(Parting, IsTheSameForEitherOrder) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const TrianglePair pair = crossing_pair(random);
    EXPECT_NEAR(parting(pair.a(), pair.b()).depth, parting(pair.b(), pair.a()).depth, 1e-14);
  }
}

TEST(Parting, OfACornerThroughAFaceIsHowFarItIsThrough) {
  const Vec3 a0(0.2, 0.2, -0.125), a1(0, 0.2, 1), a2(0.4, 0.2, 1);
  const Vec3 b0(-1, -1, 0), b1(2, -1, 0), b2(-1, 2, 0);
  const Parting found = parting({a0, a1, a2}, {b0, b1, b2});
  EXPECT_NEAR(found.depth, 0.125, 1e-15);
  EXPECT_NEAR((found.direction - Vec3::UnitZ()).norm(), 0, 1e-15);
  const Parting other = parting({b0, b1, b2}, {a0, a1, a2});
  EXPECT_NEAR(other.depth, 0.125, 1e-15);
  EXPECT_NEAR((other.direction + Vec3::UnitZ()).norm(), 0, 1e-15);
}

TEST(Parting, IsZeroWhereTheyTouchOrLieInOnePlane) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const TrianglePair flat = test::flattened(test::make_pair_of([&] { return random.on_grid(5); }), random.below(3));
    if (triangle_triangle_relation(flat.a(), flat.b()) == Relation::none) continue;
    EXPECT_LE(parting(flat.a(), flat.b()).depth, 1e-14) << flat.text();
  }
  for (int i = 0; i < 300; ++i) {
    const TrianglePair pair = test::touching(test::make_pair_of([&] { return Vec3(4 * random.on_grid(5)); }), random);
    if (triangle_triangle_relation(pair.a(), pair.b()) != Relation::touching) continue;
    const double area_a = (pair.x[1] - pair.x[0]).cross(pair.x[2] - pair.x[0]).norm();
    const double area_b = (pair.x[4] - pair.x[3]).cross(pair.x[5] - pair.x[3]).norm();
    // One without area that runs through the other "touches" it, and has a depth.
    if (area_a > 0 && area_b > 0) {
      EXPECT_LE(parting(pair.a(), pair.b()).depth, 1e-13) << pair.text();
    }
  }
}

TEST(Parting, OfTrianglesWithoutAreaHasNoNonsense) {
  const Vec3 o = Vec3::Zero(), x = Vec3::UnitX(), y = Vec3::UnitY();
  const Parting points = parting({o, o, o}, {o, o, o});
  EXPECT_EQ(points.depth, 0);
  EXPECT_EQ(points.direction, Vec3(Vec3::Zero()));
  const Vec3 mx = -x, my = -y;
  const Parting segments = parting({mx, x, x}, {my, y, y});
  EXPECT_EQ(segments.depth, 0);
  EXPECT_NEAR(std::abs(segments.direction.z()), 1, 1e-15);
  const Vec3 low(0, 0, -0.25), high(0, 0, 3), b0(-1, -1, 0), b1(2, -1, 0), b2(-1, 2, 0);
  const Parting needle = parting({low, high, high}, {b0, b1, b2});
  EXPECT_NEAR(needle.depth, 0.25, 1e-15);
  EXPECT_NEAR((needle.direction - Vec3::UnitZ()).norm(), 0, 1e-15);
}

TEST(Parting, ScalesWithAnyExponent) {
  Random random(5);
  for (const int power : {-1040, -700, -300, 300, 700, 1020}) {
    const TrianglePair pair = crossing_pair(random);
    const TrianglePair other = test::scaled(pair, power);
    const double depth = parting(pair.a(), pair.b()).depth;
    if (depth < 1e-3) continue;
    EXPECT_NEAR(std::ldexp(parting(other.a(), other.b()).depth, -power) / depth, 1, power < -1000 ? 0.05 : 1e-9)
        << power;
  }
}

}  // namespace
}  // namespace pliant
