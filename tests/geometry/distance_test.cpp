#include "pliant/geometry/distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "pliant/geometry/segment_triangle.h"
#include "pliant/geometry/triangle_triangle.h"
#include "tests/geometry/random_cases.h"

namespace pliant {
namespace {

using test::Random;

using Corners = std::vector<Vec3>;  // one: a point, two: a segment, three: a triangle

ClosestPoints closest(const Corners& a, const Corners& b) {
  if (a.size() == 1 && b.size() == 2) return closest_points(a[0], Segment3(b[0], b[1]));
  if (a.size() == 1) return closest_points(a[0], Triangle3(b[0], b[1], b[2]));
  if (b.size() == 2) return closest_points(Segment3(a[0], a[1]), Segment3(b[0], b[1]));
  if (a.size() == 2) return closest_points(Segment3(a[0], a[1]), Triangle3(b[0], b[1], b[2]));
  return closest_points(Triangle3(a[0], a[1], a[2]), Triangle3(b[0], b[1], b[2]));
}

double largest(const Corners& a, const Corners& b) {
  double most = 0;
  for (const Vec3& x : a) most = std::max(most, x.cwiseAbs().maxCoeff());
  for (const Vec3& x : b) most = std::max(most, x.cwiseAbs().maxCoeff());
  return most;
}

std::string text(const Corners& a, const Corners& b) {
  std::ostringstream out;
  out.precision(17);
  for (const Vec3& x : a) out << x.transpose() << " | ";
  out << " against ";
  for (const Vec3& x : b) out << x.transpose() << " | ";
  return out.str();
}

void expect_on(const Corners& corners, const std::array<double, 3>& weights, const Vec3& point, double tolerance) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < corners.size(); ++i) sum += weights[i] * corners[i];
  EXPECT_LE((sum - point).norm(), tolerance);
  EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1.0, 1e-15);
  EXPECT_GE(*std::min_element(weights.begin(), weights.end()), 0.0);
  for (std::size_t i = corners.size(); i < 3; ++i) EXPECT_EQ(weights[i], 0.0);
}

// Convex sets are at least as far apart as the slab between two parallel planes that separates them is wide. With the
// planes across the line between the closest points the slab is as wide as the distance, if they are closest.
double certified_distance(const Corners& a, const Corners& b, const Vec3& direction) {
  double least_b = std::numeric_limits<double>::infinity();
  double most_a = -least_b;
  for (const Vec3& x : a) most_a = std::max(most_a, direction.dot(x));
  for (const Vec3& x : b) least_b = std::min(least_b, direction.dot(x));
  return least_b - most_a;
}

void expect_optimal(const Corners& a, const Corners& b) {
  const ClosestPoints c = closest(a, b);
  const double tolerance = 1e-13 * largest(a, b);
  expect_on(a, c.weights_a, c.a, tolerance);
  expect_on(b, c.weights_b, c.b, tolerance);
  EXPECT_NEAR((c.a - c.b).norm(), c.distance, tolerance);
  EXPECT_NEAR(c.distance_sq, c.distance * c.distance, 1e-15 * c.distance_sq);
  if (c.distance > tolerance) {
    const Vec3 direction = (c.b - c.a).normalized();
    // The direction itself is off by the rounding of a and b over their distance.
    EXPECT_NEAR(certified_distance(a, b, direction), c.distance, tolerance * (1 + largest(a, b) / c.distance));
  }
  ASSERT_FALSE(testing::Test::HasFailure()) << text(a, b);
}

template <class MakePoint>
void expect_optimal_for_all_kinds(int cases, MakePoint make) {
  constexpr std::pair<std::size_t, std::size_t> kKinds[] = {{1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};
  for (int i = 0; i < cases; ++i) {
    for (const auto& [m, n] : kKinds) {
      Corners a(m), b(n);
      for (Vec3& x : a) x = make();
      for (Vec3& x : b) x = make();
      expect_optimal(a, b);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Distance, IsOptimalForGenericInput) {
  Random random(1);
  expect_optimal_for_all_kinds(20000, [&] { return random.in_cube(); });
}

TEST(Distance, IsOptimalOnGridsWithTheirDegenerateAndParallelCases) {
  Random random(2);
  for (const int n : {2, 3, 4, 7}) expect_optimal_for_all_kinds(10000, [&] { return random.on_grid(n); });
}

TEST(Distance, IsOptimalForNeedles) {
  Random random(3);
  for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
    const auto pair = with_needle(test::make_pair_of([&] { return random.in_cube(); }), random);
    const Corners a{pair.x[0], pair.x[1], pair.x[2]}, b{pair.x[3], pair.x[4], pair.x[5]};
    expect_optimal(a, b);
    expect_optimal(b, a);
    expect_optimal({b[0]}, a);
    expect_optimal({a[1], a[2]}, b);
  }
}

TEST(Distance, IsOptimalForNearlyParallelSegments) {
  Random random(4);
  for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
    const Vec3 p = random.in_cube(), along = random.in_cube(), beside = random.in_cube();
    const double tilt = std::ldexp(1.0, -random.between(5, 55));
    expect_optimal({p, p + along}, {p + 0.1 * beside, p + 0.1 * beside + along + tilt * random.in_cube()});
  }
}

TEST(Distance, IsOptimalFarFromTheOrigin) {
  Random random(5);
  const Vec3 far(1e6, -3e6, 2e6);
  expect_optimal_for_all_kinds(3000, [&] { return Vec3(far + random.in_cube()); });
}

TEST(Distance, IsNeverMoreThanThatOfAnySample) {
  Random random(6);
  const auto sample = [&](const Corners& x) {
    const double u = random.unit(), v = random.unit() * (1 - u);
    return Vec3((1 - u - v) * x[0] + u * x[1] + v * x[2]);
  };
  for (int i = 0; i < 1000; ++i) {
    const Corners a{random.in_cube(), random.in_cube(), random.in_cube()};
    const Corners b{random.in_cube(), random.in_cube(), random.in_cube()};
    const double distance = closest(a, b).distance;
    for (int k = 0; k < 100; ++k) ASSERT_LE(distance, (sample(a) - sample(b)).norm() + 1e-15) << text(a, b);
  }
}

TEST(Distance, IsZeroExactlyWhenTrianglesIntersect) {
  Random random(7);
  int zero = 0;
  for (int i = 0; i < 20000; ++i) {
    const int n = random.between(2, 6);
    const auto pair = test::make_pair_of([&] { return random.on_grid(n); });
    const ClosestPoints c = closest_points(pair.a(), pair.b());
    const bool meet = triangle_triangle_relation(pair.a(), pair.b()) != Relation::none;
    ASSERT_EQ(c.distance == 0, meet) << pair.text();
    if (meet) {
      ASSERT_EQ(c.a, c.b);
    }
    zero += meet;
    const ClosestPoints s = closest_points(Segment3(pair.x[0], pair.x[1]), pair.b());
    ASSERT_EQ(s.distance == 0, segment_triangle_relation(Segment3(pair.x[0], pair.x[1]), pair.b()) != Relation::none);
  }
  EXPECT_GT(zero, 1000);
}

TEST(Distance, ScalesWithTheInput) {
  Random random(8);
  for (const int power : {-1000, -600, -200, 150, 400, 600, 1000}) {
    for (int i = 0; i < 300; ++i) {
      const auto pair = test::make_pair_of([&] { return random.in_cube(); });
      const auto big = test::scaled(pair, power);
      const ClosestPoints c = closest_points(pair.a(), pair.b());
      const ClosestPoints scaled = closest_points(big.a(), big.b());
      ASSERT_NEAR(std::ldexp(scaled.distance, -power), c.distance, 1e-14);
      const ClosestPoints p = closest_points(pair.x[0], pair.b());
      ASSERT_NEAR(std::ldexp(closest_points(big.x[0], big.b()).distance, -power), p.distance, 1e-14);
    }
  }
}

TEST(Distance, ReportsWhereItIs) {
  const Vec3 o(0, 0, 0), x(4, 0, 0), y(0, 4, 0), above(1, 1, 3), beyond(6, 0, 0);
  const ClosestPoints face = closest_points(above, Triangle3(o, x, y));
  EXPECT_EQ(face.distance, 3);
  EXPECT_EQ(face.distance_sq, 9);
  EXPECT_EQ(face.b, Vec3(1, 1, 0));
  EXPECT_EQ(face.weights_b, (std::array<double, 3>{0.5, 0.25, 0.25}));
  const ClosestPoints corner = closest_points(beyond, Triangle3(o, x, y));
  EXPECT_EQ(corner.distance, 2);
  EXPECT_EQ(corner.weights_b, (std::array<double, 3>{0, 1, 0}));
  const ClosestPoints point = closest_points(above, Segment3(o, o));
  EXPECT_EQ(point.b, o);
  EXPECT_NEAR(point.distance_sq, 11, 1e-14);
}

}  // namespace
}  // namespace pliant
