#include "pliant/geometry/apart_filter.h"

#include <gtest/gtest.h>

#include "pliant/core/cpu.h"
#include "tests/geometry/random_cases.h"
#include "tests/oracle/rational_triangles.h"

namespace pliant {
namespace {

using test::Random;
using test::TrianglePair;

struct Tally {
  int apart = 0;
  int crossing = 0;
  int decided = 0;
};

bool has(unsigned bits, std::size_t k) { return (bits >> k & 1u) != 0; }

// Four pairs: nothing that meets is told to be apart, only what crosses is told to cross, and all processors agree.
template <class Make>
Tally expect_sound(int cases, Make make) {
  Tally tally;
  for (int i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
    std::array<TrianglePair, 4> pairs;
    FourCorners a, b;
    for (std::size_t k = 0; k < 4; ++k) {
      pairs[k] = make();
      const auto& x = pairs[k].x;
      a.set(k, x[0].data(), x[1].data(), x[2].data());
      b.set(k, x[3].data(), x[4].data(), x[5].data());
    }
    const FourDecided decided = apart::portable::four_decided(a, b), here = decided_filter()(a, b);
    EXPECT_EQ(here.apart, decided.apart);
    EXPECT_EQ(here.crossing, decided.crossing);
    for (std::size_t k = 0; k < 4; ++k) {
      const Relation truth = oracle::triangle_triangle(pairs[k].a(), pairs[k].b(), {});
      EXPECT_FALSE(truth != Relation::none && has(decided.apart, k)) << pairs[k].text();
      EXPECT_FALSE(truth != Relation::crossing && has(decided.crossing, k)) << pairs[k].text();
      tally.apart += truth == Relation::none ? 1 : 0;
      tally.crossing += truth == Relation::crossing ? 1 : 0;
      tally.decided += has(decided.apart | decided.crossing, k) ? 1 : 0;
    }
  }
  return tally;
}

TEST(ApartFilter, DecidesRandomPairs) {
  Random random(1);
  const Tally tally = expect_sound(2000, [&] { return test::make_pair_of([&] { return random.in_cube(); }); });
  EXPECT_GT(tally.apart, 100);
  EXPECT_GT(tally.crossing, 100);
  EXPECT_EQ(tally.decided, 4 * 2000);  // at random there are no hard cases
}

TEST(ApartFilter, NeverPartsWhatMeets) {
  Random random(2);
  expect_sound(3000, [&] {
    const int n = random.between(2, 5);
    return test::make_pair_of([&] { return random.on_grid(n); });
  });
  expect_sound(1500, [&] { return test::nearly_coplanar(random); });
  expect_sound(1500,
               [&] { return test::touching(test::make_pair_of([&] { return Vec3(4 * random.on_grid(5)); }), random); });
  expect_sound(500, [&] { return test::with_needle(test::make_pair_of([&] { return random.in_cube(); }), random); });
}

TEST(ApartFilter, SaysNothingWrongAtAnyScale) {
  Random random(3);
  for (int power = -1060; power <= 1000; power += 40)
    expect_sound(4, [&] { return test::scaled(test::make_pair_of([&] { return random.on_grid(4); }), power); });
  expect_sound(100, [&] { return test::make_pair_of([&] { return random.of_exponents(-1074, 1023); }); });
}

}  // namespace
}  // namespace pliant
