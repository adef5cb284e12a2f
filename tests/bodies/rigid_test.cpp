#include "pliant/bodies/rigid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/error.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

MeshPtr brick() { return make_box({.size = {0.1, 0.2, 0.4}, .cells = {1, 2, 3}}); }

TEST(SolidMass, OfABoxAndABall) {
  const SolidMass box =
      mass_of(*with_positions(*brick(), transformed(brick()->positions(), rigid({0, 0, 1}, 0, {5, 6, 7}))));
  EXPECT_NEAR(box.volume, 0.008, 1e-14);
  EXPECT_LT((box.centre - Vec3(5, 6, 7)).norm(), 1e-13);
  const Vec3 expected = 0.008 / 12 * Vec3(0.04 + 0.16, 0.01 + 0.16, 0.01 + 0.04);
  EXPECT_LT((box.inertia - Eigen::Matrix3d(expected.asDiagonal())).norm(), 1e-14);

  const SolidMass ball = mass_of(*make_icosphere({.radius = 0.5, .frequency = 30}));
  EXPECT_NEAR(ball.volume, 4 * kPi / 3 * 0.125, 2e-3 * ball.volume);
  EXPECT_NEAR(ball.inertia(0, 0), 0.4 * ball.volume * 0.25, 3e-3 * ball.inertia(0, 0));
}

RC_GTEST_PROP(RigidFit, FindsPoseAndRates, (std::uint64_t seed)) {
  Random random(seed);
  const std::vector<Vec3> arms = jittered(random, brick()->positions(), 0.03);
  const RigidFit fit(arms);
  const RigidTransform where = random_rigid(random, 10);
  const Vec3 velocity = random_vector(random, 3), spin = random_vector(random, 5);
  const std::vector<Vec3> x = transformed(arms, where);
  const Vec3 origin = transformed(std::vector<Vec3>{Vec3::Zero()}, where)[0];
  std::vector<Vec3> v;
  for (const Vec3& p : x) v.push_back(velocity + spin.cross(p - origin));
  const RigidFit::Pose pose = fit.pose(x);
  const RigidFit::Rates rates = fit.rates(pose, v);
  RC_ASSERT((pose.origin - origin).norm() < 1e-13);
  RC_ASSERT((pose.turn * pose.turn.transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-14);
  for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT((pose.origin + pose.turn * arms[i] - x[i]).norm() < 1e-13);
  RC_ASSERT((rates.velocity - velocity).norm() < 1e-12);
  RC_ASSERT((rates.spin - spin).norm() < 1e-11);
}

// Free, spinning about no axis of its own.
RigidBody tumbling() {
  return RigidBody(brick(), {.velocity = {1, 2, 3}, .spin = {3, 5, -4}, .gravity = Vec3::Zero()});
}

TEST(RigidBody, FreeMotionKeepsEnergyAndMomentaToRounding) {
  RigidBody body = tumbling();
  const double energy = body.kinetic_energy();
  const Vec3 momentum = body.momentum(), angular = body.angular_momentum();
  ASSERT_TRUE(run(body, 1.0 / 240, 2400).ok());
  EXPECT_NEAR(body.kinetic_energy(), energy, 1e-11 * energy);
  EXPECT_LT((body.momentum() - momentum).norm(), 1e-11 * momentum.norm());
  // About the origin, from which it is some 40 m away by now.
  EXPECT_LT((body.angular_momentum() - angular).norm(), 1e-12 * 40 * momentum.norm());
}

TEST(RigidBody, KeepsItsShapeToRounding) {
  RigidBody body = tumbling();
  ASSERT_TRUE(run(body, 1.0 / 60, 600).ok());
  const std::span<const Vec3> x = body.positions();
  for (std::size_t i = 1; i < x.size(); ++i)
    EXPECT_NEAR((x[i] - x[0]).norm(), (brick()->positions()[i] - brick()->positions()[0]).norm(), 1e-13);
}

// A body with two equal moments A and the third C, free: its axis goes around the angular momentum L at |L| / A.
TEST(RigidBody, PrecessesAsEulerSays) {
  const MeshPtr rod = make_box({.size = {0.1, 0.1, 0.4}});
  const SolidMass mass = mass_of(*rod);
  const double a = mass.inertia(0, 0) * 1000, c = mass.inertia(2, 2) * 1000;
  const Vec3 spin(0.5, 0, 10);
  const Vec3 momentum(a * spin.x(), 0, c * spin.z());
  RigidBody body(rod, {.spin = spin, .gravity = Vec3::Zero()});
  const Vec3 along = momentum.normalized();
  // An edge along z shows where the axis points.
  std::size_t top = 0;
  for (std::size_t i = 1; i < rod->vertex_count(); ++i)
    if ((rod->positions()[i] - rod->positions()[0]).head<2>().norm() < 1e-12) top = i;
  ASSERT_GT(top, 0U);
  const auto direction = [&] { return Vec3(body.positions()[top] - body.positions()[0]); };
  const double sign = direction().z() > 0 ? 1 : -1;
  const auto turned = [&] {
    const Vec3 d = sign * direction().normalized();
    const Vec3 first = Vec3(Vec3::UnitZ() - along.z() * along).normalized();
    return std::atan2(d.dot(along.cross(first)), d.dot(first));
  };
  const double rate = momentum.norm() / a, seconds = 0.5;
  ASSERT_TRUE(run(body, seconds / 500, 500).ok());
  const double error = std::remainder(turned() - rate * seconds, 2 * kPi);
  EXPECT_LT(std::abs(error), 2e-4 * rate * seconds);
}

TEST(RigidBody, FallsOnAParabolaAndTurnsUnderForces) {
  RigidBody body(brick(), {.velocity = {1, 0, 2}, .gravity = {0, 0, -10}});
  const Vec3 start = body.rigid_motion(body.positions(), body.velocities())->centre;
  ASSERT_TRUE(run(body, 0.1, 5).ok());
  const Vec3 fallen = body.rigid_motion(body.positions(), body.velocities())->centre - start;
  EXPECT_LT((fallen - Vec3(0.5, 0, 1 - 1.25)).norm(), 1e-13);

  RigidBody pushed(brick(), {.gravity = Vec3::Zero()});
  std::vector<Vec3> forces(pushed.positions().size(), Vec3::Zero());
  forces[0] = Vec3(0, 3, 0);
  const Vec3 arm = pushed.positions()[0] - pushed.rigid_motion(pushed.positions(), pushed.velocities())->centre;
  pushed.apply_forces(forces);
  ASSERT_TRUE(run(pushed, 0.01, 1).ok());
  EXPECT_LT((pushed.momentum() - Vec3(0, 0.03, 0)).norm(), 1e-13);
  EXPECT_LT((pushed.angular_momentum() - 0.01 * arm.cross(Vec3(0, 3, 0)) -
             pushed.rigid_motion(pushed.positions(), pushed.velocities())->centre.cross(pushed.momentum()))
                .norm(),
            1e-12);
}

TEST(RigidBody, TakesAMassInsteadOfADensity) {
  EXPECT_NEAR(RigidBody(brick(), {.mass = 3, .velocity = {1, 0, 0}}).momentum().x(), 3, 1e-13);
  EXPECT_NEAR(RigidBody(brick(), {.density = 500, .velocity = {1, 0, 0}}).momentum().x(), 4, 1e-13);
}

TEST(RigidBody, RefusesWhatHasNoInside) {
  EXPECT_THROW(RigidBody{make_grid()}, Error);
  EXPECT_THROW(RigidBody(brick(), {.density = 0}), Error);
  EXPECT_THROW(RigidBody(brick(), {.mass = -1}), Error);
  EXPECT_THROW(RigidBody(brick(), {.spin = {0, 0, std::nan("")}}), Error);
}

}  // namespace
}  // namespace pliant
