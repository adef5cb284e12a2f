#include "pliant/core/rigid.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

namespace pliant {
namespace {

Vec3 any_vector() {
  const auto number = [] { return *rc::gen::inRange(-1000, 1001) / 7.0; };
  const double x = number(), y = number();
  return {x, y, number()};
}

Vec3 any_unit_vector() {
  const Vec3 v = any_vector();
  RC_PRE(fixed_length(v) > 0);
  return v / fixed_length(v);
}

void expect_near(const Vec3& a, const Vec3& b, double error) { RC_ASSERT((a - b).cwiseAbs().maxCoeff() <= error); }

// Rodrigues' formula for the axis from x to.
Vec3 turned_by_formula(const Vec3& v, const Vec3& from, const Vec3& to) {
  const Vec3 axis = from.cross(to);
  const double cosine = fixed_dot(from, to);
  return v * cosine + axis.cross(v) + axis * (fixed_dot(axis, v) / (1 + cosine));
}

RC_GTEST_PROP(Turned, TakesOneVectorToTheOtherTheShortestWay, ()) {
  const Vec3 from = any_unit_vector(), to = any_unit_vector(), v = any_vector();
  expect_near(turned(from, from, to), to, 1e-12);
  RC_PRE(fixed_dot(from, to) > -0.9);
  expect_near(turned(v, from, to), turned_by_formula(v, from, to), 1e-11);
}

RC_GTEST_PROP(Turned, MakesHalfATurnOfOppositeVectors, ()) {
  const Vec3 from = any_unit_vector(), v = any_vector();
  expect_near(turned(from, from, -from), -from, 1e-15);
  const Vec3 image = turned(v, from, -from);
  RC_ASSERT(std::abs(fixed_length(image) - fixed_length(v)) <= 1e-12 * (1 + fixed_length(v)));
  expect_near(turned(image, from, -from), v, 1e-12 * (1 + fixed_length(v)));  // twice is a whole turn
}

TEST(Turned, LeavesEverythingWhereTheVectorsAreEqual) {
  const Vec3 unit = Vec3(2, -3, 6) / 7;
  EXPECT_LT((turned(Vec3(1, 2, 3), unit, unit) - Vec3(1, 2, 3)).norm(), 1e-14);
}

RC_GTEST_PROP(Across, IsAUnitVectorAtARightAngle, ()) {
  const Vec3 v = any_unit_vector();
  RC_ASSERT(std::abs(fixed_dot(v, across(v))) <= 1e-15);
  RC_ASSERT(std::abs(fixed_length(across(v)) - 1) <= 1e-15);
}

}  // namespace
}  // namespace pliant
