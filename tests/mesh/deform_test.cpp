#include "pliant/mesh/deform.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "pliant/core/random.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/shapes.h"

namespace pliant {
namespace {

Vec3 random_point(Random& random) { return {random.within(-3, 3), random.within(-3, 3), random.within(-3, 3)}; }

RC_GTEST_PROP(SmoothField, NeverExceedsItsAmplitudeAndSlope, (std::uint64_t seed)) {
  const double amplitude = *rc::gen::inRange(1, 100) / 100.0, wavelength = *rc::gen::inRange(1, 100) / 20.0;
  const SmoothField field({.seed = seed, .amplitude = amplitude, .wavelength = wavelength});
  RC_ASSERT(field.slope() <= 2 * kPi * amplitude / wavelength * (1 + 1e-12));
  Random random(seed);
  for (int i = 0; i < 50; ++i) {
    const Vec3 p = random_point(random), q = p + 0.1 * random_point(random);
    const double time = random.within(0, 10);
    RC_ASSERT(field.at(p, time).norm() <= amplitude * (1 + 1e-12));
    RC_ASSERT((field.at(p, time) - field.at(q, time)).norm() <= field.slope() * (p - q).norm() * (1 + 1e-9) + 1e-12);
  }
}

TEST(SmoothField, IsTheSameForTheSameSeedOnly) {
  const Vec3 p(0.3, -1, 2);
  EXPECT_EQ(SmoothField({.seed = 5}).at(p, 0.7), SmoothField({.seed = 5}).at(p, 0.7));
  EXPECT_NE(SmoothField({.seed = 5}).at(p, 0.7), SmoothField({.seed = 6}).at(p, 0.7));
}

RC_GTEST_PROP(Rigid, KeepsDistancesAndHandedness, (std::uint64_t seed)) {
  Random random(seed);
  const RigidTransform transform = rigid(random_point(random), random.within(-7, 7), random_point(random));
  const std::vector<Vec3> points = {random_point(random), random_point(random)};
  const std::vector<Vec3> moved = transformed(points, transform);
  RC_ASSERT(std::abs((moved[0] - moved[1]).norm() - (points[0] - points[1]).norm()) < 1e-13);
  RC_ASSERT(std::abs(transform.rotation.determinant() - 1) < 1e-13);
}

TEST(Rigid, TurnsCounterClockwiseThenMoves) {
  const Vec3 p = rigid({0, 0, 2}, kPi / 2, {1, 0, 0}) * Vec3(1, 0, 5);
  EXPECT_NEAR((p - Vec3(1, 1, 5)).norm(), 0, 1e-15);
}

TEST(Deform, TwistAndBendKeepTheVolumeOfABar) {
  const MeshPtr bar = make_box({.size = {0.4, 0.4, 2}, .cells = {8, 8, 80}});
  EXPECT_NEAR(enclosed_volume(*bar), 0.32, 1e-12);
  EXPECT_NEAR(enclosed_volume(*bar, twisted(bar->positions(), 1.5)), 0.32, 0.002);
  EXPECT_NEAR(enclosed_volume(*bar, bent(bar->positions(), 1.2)), 0.32, 0.002);
}

TEST(Deform, BendTurnsTheAxisIntoACircleTowardsX) {
  const std::vector<Vec3> axis = {{0, 0, 0}, {0, 1, kPi / 2}};
  const std::vector<Vec3> moved = bent(axis, 1);
  EXPECT_EQ(moved[0], Vec3(0, 0, 0));
  EXPECT_NEAR((moved[1] - Vec3(1, 1, 1)).norm(), 0, 1e-15);
  EXPECT_EQ(bent(axis, 0), axis);
}

TEST(Deform, KeepsFacesAndOriginAtOtherPlaces) {
  const MeshPtr sphere = make_icosphere({.radius = 1});
  const MeshPtr moved = with_positions(*sphere, displaced(sphere->positions(), SmoothField({.amplitude = 0.05})));
  EXPECT_EQ(moved->face_count(), sphere->face_count());
  EXPECT_EQ(moved->origin().name, "icosphere");
  EXPECT_NE(moved->position(VertexId(3)), sphere->position(VertexId(3)));
  EXPECT_NEAR(enclosed_volume(*moved), enclosed_volume(*sphere), 0.3);
}

}  // namespace
}  // namespace pliant
