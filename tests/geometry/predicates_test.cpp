#include "pliant/geometry/predicates.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/geometry/expansion.h"
#include "tests/geometry/random_cases.h"
#include "tests/oracle/rational_triangles.h"

namespace pliant {
namespace {

using test::Random;

using Points = std::array<Vec3, 4>;

void expect_exact(const Points& p) {
  const int sign = oracle::orient3d(p[0], p[1], p[2], p[3]);
  ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), sign)
      << p[0].transpose() << " | " << p[1].transpose() << " | " << p[2].transpose() << " | " << p[3].transpose();
  ASSERT_EQ(orient3d(p[1], p[0], p[2], p[3]), -sign);
  ASSERT_EQ(orient3d(p[0], p[1], p[3], p[2]), -sign);
  ASSERT_EQ(orient3d(p[3], p[0], p[1], p[2]), -sign);
  for (int axis = 0; axis < 3; ++axis) {
    const int turn = oracle::orient2d(p[0], p[1], p[2], axis);
    ASSERT_EQ(orient2d(p[0], p[1], p[2], axis), turn);
    ASSERT_EQ(orient2d(p[1], p[0], p[2], axis), -turn);
    ASSERT_EQ(orient2d(p[1], p[2], p[0], axis), turn);
  }
}

template <class MakePoint>
void expect_exact_for(int count, MakePoint make) {
  for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) expect_exact({make(), make(), make(), make()});
}

TEST(Predicates, SignFollowsTheStatedConvention) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0), above(0, 0, 1), below(0, 0, -1), beside(5, 7, 0);
  EXPECT_EQ(orient3d(a, b, c, below), 1);
  EXPECT_EQ(orient3d(a, b, c, above), -1);
  EXPECT_EQ(orient3d(a, b, c, beside), 0);
  EXPECT_EQ(orient2d(a, b, c, 2), 1);
  EXPECT_EQ(orient2d(a, c, b, 2), -1);
  EXPECT_EQ(orient2d(a, b, c, 0), 0);
  EXPECT_EQ(projection_axis(a, b, c), 2);
  EXPECT_TRUE(collinear(a, b, Vec3(-3, 0, 0)));
}

TEST(Predicates, AreExactForGenericPoints) {
  Random random(1);
  expect_exact_for(3000, [&] { return random.in_cube(); });
}

TEST(Predicates, AreExactOnSmallGrids) {
  Random random(2);
  expect_exact_for(3000, [&] { return random.on_grid(3); });
}

TEST(Predicates, AreExactForPointsAnUlpFromAPlane) {
  Random random(3);
  const Vec3 u = random.in_cube(), v = random.in_cube(), origin = random.in_cube();
  expect_exact_for(3000, [&] { return random.nudged(origin + (random.unit() * u + random.unit() * v), 1); });
}

TEST(Predicates, AreExactForPointsAnUlpFromALine) {
  Random random(4);
  const Vec3 u = random.in_cube(), origin = random.in_cube();
  expect_exact_for(3000, [&] { return random.nudged(origin + random.unit() * u, 1); });
}

TEST(Predicates, AreExactForPointsFarFromTheOrigin) {
  Random random(5);
  expect_exact_for(3000, [&] { return Vec3(Vec3(1e8, -3e9, 2e7) + 1e-6 * random.in_cube()); });
}

TEST(Predicates, AreExactAtEveryScale) {
  Random random(6);
  for (int power = -1074; power <= 1020; power += 6) {
    const double scale = std::ldexp(1.0, power);
    expect_exact_for(4, [&] { return Vec3(scale * random.on_grid(4)); });
    expect_exact_for(4, [&] { return Vec3(scale * random.in_cube()); });
    expect_exact_for(4, [&] { return random.nudged(Vec3(scale * random.on_grid(4)), 1); });
  }
}

TEST(Predicates, AreExactForMixedExponents) {
  Random random(7);
  expect_exact_for(500, [&] { return random.of_exponents(-1074, 1023); });
  expect_exact_for(1000, [&] { return random.of_exponents(-310, -290); });
  expect_exact_for(1000, [&] { return random.of_exponents(290, 345); });
  expect_exact_for(1000, [&] { return random.of_exponents(-380, -320); });
  expect_exact_for(500, [&] { return random.coin() ? random.on_grid(3) : random.of_exponents(-1074, -1000); });
}

TEST(Predicates, AreExactWhereDifferencesOverflow) {
  const double most = std::numeric_limits<double>::max();
  Random random(8);
  const auto extreme = [&] {
    const double values[] = {most, -most, 0, 1, most / 2, std::numeric_limits<double>::denorm_min()};
    const double x = values[random.below(6)], y = values[random.below(6)], z = values[random.below(6)];
    return Vec3(x, y, z);
  };
  expect_exact_for(2000, extreme);
}

// A product that underflows inside a minor is multiplied by a large difference: its error is then far from tiny.
TEST(Predicates, AreExactWhereAnUnderflowIsAmplified) {
  Random random(9);
  const auto tiny_and_huge = [&] {
    const double x = random.of_exponent(-545, -530), y = random.of_exponent(-545, -530);
    return Vec3(x, y, random.of_exponent(400, 1000));
  };
  expect_exact_for(1000, tiny_and_huge);
}

TEST(Predicates, SameRayNeedsBothPointsOnOneSide) {
  const Vec3 v(1, 1, 1), near(1, 2, 3), far(1, 3, 5), behind(1, 0, -1);
  EXPECT_TRUE(same_ray(v, near, far));
  EXPECT_FALSE(same_ray(v, near, behind));
  EXPECT_FALSE(same_ray(v, v, far));
  EXPECT_FALSE(same_ray(v, near, v));
}

RC_GTEST_PROP(Predicates, OneDirectionOfAPlaneSideIsTheOtherOfItsMirror, ()) {
  const auto coordinate = rc::gen::inRange(-3, 4);
  const auto point = [&] { return Vec3(*coordinate, *coordinate, *coordinate); };
  const Vec3 a = point(), b = point(), c = point(), d = point();
  const auto mirrored = [](const Vec3& v) { return Vec3(v.x(), -v.y(), v.z()); };
  RC_ASSERT(orient3d(a, b, c, d) == -orient3d(mirrored(a), mirrored(b), mirrored(c), mirrored(d)));
  RC_ASSERT(orient3d(a, b, c, d) == oracle::orient3d(a, b, c, d));
}

// --- expansions, on integers so that cpp_int can follow ---

template <int N>
oracle::Integer value(const Expansion<N>& e) {
  oracle::Integer sum = 0;
  for (int i = 0; i < e.size(); ++i) sum += oracle::Integer(e[i]);
  return sum;
}

RC_GTEST_PROP(Expansions, SumsAndProductsAreExact, ()) {
  const auto whole = [] { return static_cast<double>(*rc::gen::inRange<std::int64_t>(-(1LL << 53), 1LL << 53)); };
  const double a = whole(), b = whole() * 0x1p60, c = whole() * 0x1p30, d = whole();
  const auto e = difference(a, b) * difference(c, d);
  const oracle::Integer expected =
      (oracle::Integer(a) - oracle::Integer(b)) * (oracle::Integer(c) - oracle::Integer(d));
  RC_ASSERT(value(e) == expected);
  RC_ASSERT(e.sign() == expected.sign());
  RC_ASSERT((e - e).sign() == 0);
  RC_ASSERT(value((e + e) * difference(d, a)) == 2 * expected * (oracle::Integer(d) - oracle::Integer(a)));
}

}  // namespace
}  // namespace pliant
