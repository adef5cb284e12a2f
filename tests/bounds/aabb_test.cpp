#include "pliant/bounds/aabb.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>

namespace pliant {
namespace {

double any_finite() {
  const double x = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  RC_PRE(std::isfinite(x));
  return x;
}

RC_GTEST_PROP(Aabb, RoundingIsOutwardAndTight, ()) {
  const double x = any_finite();
  const float down = round_down(x);
  const float up = round_up(x);
  RC_ASSERT(static_cast<double>(down) <= x);
  RC_ASSERT(x <= static_cast<double>(up));
  RC_ASSERT(down == up || std::nextafter(down, std::numeric_limits<float>::infinity()) == up);
}

TEST(Aabb, RoundingHandlesTheEdgesOfTheFloatRange) {
  EXPECT_EQ(round_down(1e300), std::numeric_limits<float>::max());
  EXPECT_EQ(round_up(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(round_down(-1e300), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(round_down(1e-300), 0.0f);
  EXPECT_EQ(round_up(1e-300), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(round_down(-1e-300), -std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(round_down(0.0), 0.0f);
  EXPECT_EQ(round_up(0.5), 0.5f);
}

RC_GTEST_PROP(Aabb, BoxOfPointsHoldsThem, ()) {
  std::vector<Vec3> points;
  const int count = *rc::gen::inRange(1, 20);
  for (int i = 0; i < count; ++i) points.emplace_back(any_finite(), any_finite(), any_finite());
  const Aabb box = Aabb::of_points(points);
  Aabb one_by_one;
  for (const Vec3& p : points) one_by_one.add(Aabb::of(p));
  RC_ASSERT(box == one_by_one);
  for (const Vec3& p : points) RC_ASSERT(box.contains(p));
}

TEST(Aabb, EmptyBoxOverlapsNothing) {
  const Aabb all{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_TRUE(Aabb{}.empty());
  EXPECT_FALSE(Aabb{}.overlaps(all));
  EXPECT_FALSE(Aabb{}.overlaps(Aabb{}));
  EXPECT_TRUE(all.contains(Aabb{}));
  EXPECT_EQ(Aabb{}.diagonal(), 0);
}

TEST(Aabb, TouchingBoxesOverlap) {
  const Aabb a{{0, 0, 0}, {1, 1, 1}};
  EXPECT_TRUE(a.overlaps({{1, 1, 1}, {2, 2, 2}}));
  EXPECT_FALSE(a.overlaps({{1.0000001f, 1, 1}, {2, 2, 2}}));
}

}  // namespace
}  // namespace pliant
