#include "pliant/geometry/contact_kernel.h"

#include <gtest/gtest.h>

#include <bit>

#include "pliant/geometry/distance.h"
#include "pliant/geometry/parting.h"
#include "tests/geometry/random_cases.h"

namespace pliant {
namespace {

using test::Random;
using test::TrianglePair;

using Bits = std::array<std::uint64_t, 13>;

void put(Bits& bits, std::size_t at, double x) { bits[at] = std::bit_cast<std::uint64_t>(x); }

// What detectors make of a pair that crosses, one by one.
Bits one_by_one(const TrianglePair& pair) {
  const TriangleContact where = triangle_triangle_contact(pair.a(), pair.b(), Relation::crossing);
  const Vec3 point = 0.5 * where.p + 0.5 * where.q;
  const auto wa = closest_points(point, pair.a()).weights_b, wb = closest_points(point, pair.b()).weights_b;
  const Parting apart = parting(pair.a(), pair.b());
  Bits bits;
  for (std::size_t k = 0; k < 3; ++k) {
    put(bits, k, point[static_cast<int>(k)]);
    put(bits, 3 + k, wa[k]);
    put(bits, 6 + k, wb[k]);
    put(bits, 9 + k, apart.direction[static_cast<int>(k)]);
  }
  put(bits, 12, apart.depth);
  return bits;
}

Bits lane(const FourCrossings& found, std::size_t i) {
  Bits bits;
  for (std::size_t k = 0; k < 3; ++k) {
    put(bits, k, found.point[k][i]);
    put(bits, 3 + k, found.weights_a[k][i]);
    put(bits, 6 + k, found.weights_b[k][i]);
    put(bits, 9 + k, found.normal[k][i]);
  }
  put(bits, 12, found.depth[i]);
  return bits;
}

struct Tally {
  int crossing = 0;
  int known = 0;
};

template <class Make>
Tally expect_same_bits(int cases, Make make) {
  Tally tally;
  for (int n = 0; n < cases && !testing::Test::HasFailure(); ++n) {
    std::array<TrianglePair, 4> pairs;
    FourCorners a, b;
    for (std::size_t i = 0; i < 4; ++i) {
      pairs[i] = make();
      const auto& x = pairs[i].x;
      a.set(i, x[0].data(), x[1].data(), x[2].data());
      b.set(i, x[3].data(), x[4].data(), x[5].data());
    }
    FourCrossings here, portable;
    crossing_kernel()(a, b, here);
    crossing::portable::four_crossings(a, b, portable);
    EXPECT_EQ(here.known, portable.known);
    for (std::size_t i = 0; i < 4; ++i) {
      const bool crosses = triangle_triangle_relation(pairs[i].a(), pairs[i].b()) == Relation::crossing;
      const bool known = (here.known >> i & 1u) != 0;
      tally.crossing += crosses ? 1 : 0;
      tally.known += known ? 1 : 0;
      if (!known) continue;
      EXPECT_TRUE(crosses) << pairs[i].text();
      EXPECT_EQ(lane(here, i), one_by_one(pairs[i])) << pairs[i].text();
      EXPECT_EQ(lane(portable, i), lane(here, i)) << pairs[i].text();
    }
  }
  return tally;
}

TEST(ContactKernel, GivesTheBitsOfOneByOneForNearlyAllPairsThatCross) {
  Random random(1);
  const Tally tally = expect_same_bits(2000, [&] { return test::make_pair_of([&] { return random.in_cube(); }); });
  EXPECT_GT(tally.crossing, 500);
  EXPECT_GT(tally.known, tally.crossing * 9 / 10);
}

TEST(ContactKernel, GivesTheBitsOfOneByOneOrNothingInHardCases) {
  Random random(2);
  const Tally on_grid = expect_same_bits(2000, [&] {
    const int n = random.between(2, 5);
    return test::make_pair_of([&] { return Vec3(random.on_grid(n) - Vec3(1, 2, 1)); });
  });
  EXPECT_GT(on_grid.known, 0);
  expect_same_bits(1000, [&] { return test::nearly_coplanar(random); });
  expect_same_bits(
      500, [&] { return test::touching(test::make_pair_of([&] { return Vec3(4 * random.on_grid(5)); }), random); });
  expect_same_bits(500,
                   [&] { return test::with_needle(test::make_pair_of([&] { return random.in_cube(); }), random); });
}

TEST(ContactKernel, KeepsOutOfExtremeCoordinates) {
  Random random(3);
  for (int power = -1060; power <= 1000; power += 20)
    expect_same_bits(4, [&] { return test::scaled(test::make_pair_of([&] { return random.on_grid(4); }), power); });
  expect_same_bits(300, [&] { return test::make_pair_of([&] { return random.of_exponents(-340, 10); }); });
  expect_same_bits(100, [&] { return test::make_pair_of([&] { return random.of_exponents(-1074, 1023); }); });
}

}  // namespace
}  // namespace pliant
