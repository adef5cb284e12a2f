// The oracle itself, on cases that can be checked by looking at them.
#include "tests/oracle/rational_triangles.h"

#include <gtest/gtest.h>

namespace pliant::oracle {
namespace {

const Vec3 kO(0, 0, 0), kX(4, 0, 0), kY(0, 4, 0), kZ(0, 0, 4), kInside(1, 1, 0), kAbove(1, 1, 1), kBelow(1, 1, -1);
const Triangle3 kFloor(kO, kX, kY);

TEST(RationalTriangles, ClippingKeepsThePartInside) {
  const auto common = common_points({kO, kX, kY}, {Vec3(-1, 1, 0), Vec3(9, 1, 0)});
  const auto ends = farthest(common);
  ASSERT_EQ(common.size(), 2u);
  EXPECT_EQ((ends[0] - ends[1]).norm(), 3);
  EXPECT_TRUE(common_points({kO, kX, kY}, {kZ, kAbove}).empty());
  EXPECT_EQ(common_points({kO, kX, kY}, {kAbove, kBelow}), std::vector<Vec3>{kInside});
}

TEST(RationalTriangles, OverlapOfTwoTrianglesIsTheirCommonPolygon) {
  const Vec3 p(1, -1, 0), q(1, 9, 0), r(-9, 0, 0);
  EXPECT_EQ(common_points({kO, kX, kY}, {p, q, r}).size(), 4u);
}

TEST(RationalTriangles, RelationsAreToldApart) {
  const Vec3 far(9, 9, 9), deep(2, 1, -3), high(1, 2, 3), outside(-4, -4, 0), near(3, 3, 0);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kAbove, kZ, far)), Relation::none);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kInside, kZ, far)), Relation::touching);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(deep, high, far)), Relation::crossing);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kO, kInside, near)), Relation::touching);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kO, kX, near)), Relation::coplanar);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kO, kX, outside)), Relation::touching);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kAbove, kBelow, kAbove)), Relation::touching);
}

TEST(RationalTriangles, SharedPartsDoNotCount) {
  const SharedVertices corner{1, {{{0, 0}}}}, edge{2, {{{0, 0}, {1, 1}}}}, all{3, {{{0, 0}, {1, 1}, {2, 2}}}};
  const Vec3 beside(1, -3, 0), middle(1, 0, 0);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kO, kX, kZ), edge), Relation::none);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kO, kX, kZ), corner), Relation::touching);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kO, kX, beside), edge), Relation::none);
  EXPECT_EQ(triangle_triangle(kFloor, Triangle3(kO, kX, kInside), edge), Relation::coplanar);
  EXPECT_EQ(triangle_triangle(kFloor, kFloor, all), Relation::coplanar);
  const Triangle3 flat(kO, kX, middle);
  EXPECT_EQ(triangle_triangle(flat, flat, all), Relation::none);
  EXPECT_EQ(triangle_triangle(flat, flat, corner), Relation::touching);
}

TEST(RationalTriangles, AnswersDoNotDependOnTheScale) {
  for (const int power : {-1070, -300, 300, 1000}) {
    const double s = std::ldexp(1.0, power);
    const Vec3 x = s * kX, y = s * kY, above = s * kAbove, below = s * kBelow, z = s * kZ;
    EXPECT_EQ(triangle_triangle(Triangle3(kO, x, y), Triangle3(above, below, z)), Relation::crossing);
    EXPECT_EQ(orient3d(kO, x, y, above), -1);
    EXPECT_EQ(orient2d(kO, x, y, 2), 1);
  }
}

TEST(RationalTriangles, SegmentsAreToldApart) {
  const Vec3 corner(9, -1, 0), left(-1, 1, 0), right(9, 1, 0);
  EXPECT_EQ(segment_triangle(kAbove, kBelow, kFloor), Relation::crossing);
  EXPECT_EQ(segment_triangle(kAbove, kInside, kFloor), Relation::touching);
  EXPECT_EQ(segment_triangle(kAbove, kZ, kFloor), Relation::none);
  EXPECT_EQ(segment_triangle(left, right, kFloor), Relation::coplanar);
  EXPECT_EQ(segment_triangle(kO, kX, kFloor), Relation::touching);
  EXPECT_EQ(segment_triangle(kInside, kInside, kFloor), Relation::touching);
  EXPECT_EQ(segment_triangle(corner, corner, kFloor), Relation::none);
}

}  // namespace
}  // namespace pliant::oracle
