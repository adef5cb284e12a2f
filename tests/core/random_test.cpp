#include "pliant/core/random.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pliant/core/trig.h"

namespace pliant {
namespace {

TEST(Random, GivesThePublishedSequenceOfSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.bits(), 6457827717110365317u);
  EXPECT_EQ(random.bits(), 3203168211198807973u);
  EXPECT_EQ(random.bits(), 9817491932198370423u);
}

TEST(Random, UnitNumbersFillTheirRangeEvenly) {
  Random random(3);
  double sum = 0, least = 1, most = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = random.unit();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    least = std::min(least, x);
    most = std::max(most, x);
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.01);
  EXPECT_LT(least, 0.001);
  EXPECT_GT(most, 0.999);
}

TEST(Random, SplitGeneratorsDifferFromEachOtherAndTheirParent) {
  Random parent(9);
  Random a = parent.split(), b = parent.split();
  const auto x = a.bits(), y = b.bits(), z = parent.bits();
  EXPECT_NE(x, y);
  EXPECT_NE(x, z);
  EXPECT_NE(y, z);
}

TEST(Trig, AgreesWithTheCLibraryToTheLastPlace) {
  Random random(5);
  for (int i = 0; i < 200'000; ++i) {
    const double x = random.within(-1, 1) * (i % 2 ? 10.0 : 1e5);
    const SinCos got = sin_cos(x);
    ASSERT_NEAR(got.sin, std::sin(x), 3e-16) << x;
    ASSERT_NEAR(got.cos, std::cos(x), 3e-16) << x;
  }
}

TEST(Trig, IsExactAtZero) {
  EXPECT_EQ(sin_cos(0).sin, 0);
  EXPECT_EQ(sin_cos(0).cos, 1);
}

}  // namespace
}  // namespace pliant
