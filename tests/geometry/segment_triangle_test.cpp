#include "pliant/geometry/segment_triangle.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/geometry/random_cases.h"
#include "tests/oracle/rational_triangles.h"

namespace pliant {
namespace {

using test::Random;

using Points = std::array<Vec3, 5>;  // p, q and the triangle

Relation relation_of(const Points& x) {
  return segment_triangle_relation(Segment3(x[0], x[1]), Triangle3(x[2], x[3], x[4]));
}

SegmentTriangleContact contact_of(const Points& x) {
  return segment_triangle_contact(Segment3(x[0], x[1]), Triangle3(x[2], x[3], x[4]));
}

std::string text(const Points& points) {
  std::ostringstream out;
  out.precision(17);
  for (const Vec3& v : points) out << v.transpose() << " | ";
  return out.str();
}

template <class MakePoints>
std::array<int, 5> expect_oracle(int cases, MakePoints make) {
  std::array<int, 5> seen{};
  for (int i = 0; i < cases; ++i) {
    const Points x = make();
    const Relation expected = oracle::segment_triangle(x[0], x[1], Triangle3(x[2], x[3], x[4]));
    EXPECT_EQ(to_string(relation_of(x)), std::string(to_string(expected))) << text(x);
    EXPECT_EQ(to_string(contact_of(x).relation), std::string(to_string(expected))) << text(x);
    if (testing::Test::HasFailure()) break;
    ++seen[static_cast<std::size_t>(expected)];
  }
  return seen;
}

template <class MakePoint>
Points points_of(MakePoint make) {
  Points x;
  for (Vec3& v : x) v = make();
  return x;
}

TEST(SegmentTriangle, SmallGridsAreDecidedExactly) {
  Random random(1);
  const auto seen = expect_oracle(30000, [&] {
    const int n = random.between(2, 5);
    return points_of([&] { return random.on_grid(n); });
  });
  for (const Relation r : {Relation::none, Relation::touching, Relation::crossing, Relation::coplanar}) {
    EXPECT_GT(seen[static_cast<std::size_t>(r)], 300) << to_string(r);
  }
}

TEST(SegmentTriangle, OnePlaneIsDecidedExactly) {
  Random random(2);
  expect_oracle(20000, [&] {
    const int axis = random.below(3);
    const int n = random.between(2, 5);
    return points_of([&] {
      Vec3 v = random.on_grid(n);
      v[axis] = 3;
      return v;
    });
  });
}

TEST(SegmentTriangle, OneLineIsDecidedExactly) {
  Random random(3);
  expect_oracle(10000, [&] {
    const Vec3 origin = random.on_grid(3), u = random.on_grid(3);
    Points x = points_of([&] { return Vec3(origin + random.below(5) * u); });
    if (random.coin()) x[static_cast<std::size_t>(random.below(5))] = random.on_grid(3);
    return x;
  });
}

TEST(SegmentTriangle, GenericAndNearlyCoplanarAreDecidedExactly) {
  Random random(4);
  expect_oracle(5000, [&] { return points_of([&] { return random.in_cube(); }); });
  expect_oracle(5000, [&] {
    const Vec3 u = random.in_cube(), v = random.in_cube();
    return points_of([&] { return random.nudged(random.unit() * u + random.unit() * v, 2); });
  });
}

TEST(SegmentTriangle, EveryScaleIsDecidedExactly) {
  Random random(5);
  for (int power = -1074; power <= 1020; power += 6) {
    const double scale = std::ldexp(1.0, power);
    expect_oracle(6, [&] { return points_of([&] { return Vec3(scale * random.on_grid(4)); }); });
    expect_oracle(3, [&] { return points_of([&] { return Vec3(scale * random.in_cube()); }); });
  }
  expect_oracle(300, [&] { return points_of([&] { return random.of_exponents(-1074, 1023); }); });
}

TEST(SegmentTriangle, HitIsWhereTheLineMeetsThePlane) {
  const Points x{Vec3(1, 1, -1), Vec3(1, 1, 3), Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  const auto hit = contact_of(x);
  EXPECT_EQ(hit.relation, Relation::crossing);
  EXPECT_EQ(hit.t0, 0.25);
  EXPECT_EQ(hit.t1, 0.25);
  EXPECT_EQ(hit.first, Vec3(1, 1, 0));
  EXPECT_EQ(hit.last, Vec3(1, 1, 0));
}

TEST(SegmentTriangle, PartInsideAPlaneHasTwoEnds) {
  const Points x{Vec3(-1, 1, 0), Vec3(7, 1, 0), Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  const auto hit = contact_of(x);
  EXPECT_EQ(hit.relation, Relation::coplanar);
  EXPECT_EQ(hit.t0, 0.125);
  EXPECT_EQ(hit.t1, 0.5);
  EXPECT_EQ(hit.first, Vec3(0, 1, 0));
  EXPECT_EQ(hit.last, Vec3(3, 1, 0));
}

TEST(SegmentTriangle, EndsOfTheCommonPartAgreeWithTheOracle) {
  Random random(6);
  for (int i = 0; i < 8000; ++i) {
    const int n = random.between(2, 6);
    const bool grid = random.coin();
    const Points x = points_of([&] { return grid ? random.on_grid(n) : random.in_cube(); });
    const auto hit = contact_of(x);
    if (hit.relation == Relation::none) continue;
    const auto common = oracle::common_points({x[0], x[1]}, {x[2], x[3], x[4]});
    const auto [first, last] = oracle::farthest(common);
    const double error = std::min((hit.first - first).norm() + (hit.last - last).norm(),
                                  (hit.first - last).norm() + (hit.last - first).norm());
    ASSERT_LT(error, 1e-9) << text(x);
    ASSERT_LE(hit.t0, hit.t1);
    ASSERT_EQ(hit.t0 == hit.t1, common.size() == 1) << text(x);
    ASSERT_LT(((1 - hit.t0) * x[0] + hit.t0 * x[1] - hit.first).norm(), 1e-9) << text(x);
  }
}

}  // namespace
}  // namespace pliant
