// What the whole loop does, against what mechanics says.
#include <gtest/gtest.h>

#include "tests/world/support.h"

namespace pliant {
namespace {

Vec3 momentum(const BodyModel& body) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < body.masses().size(); ++i) sum += body.masses()[i] * body.velocities()[i];
  return sum;
}

TEST(WorldPhysics, KeepsMomentumWhenBallsCollide) {
  WorldSettings settings;
  settings.substeps = 2;
  World world(settings);
  const BodyId a = world.add(soft_ball({0, 0, 0}, Vec3::Zero()), {"a", {0.4, 0.5}, true});
  const BodyId b = world.add(soft_ball({0.25, 0.03, 0.01}, Vec3::Zero()), {"b", {0.4, 0.5}, true});
  throw_body(world.body(a), {2, 0, 0});
  const Vec3 before = momentum(world.body(a)) + momentum(world.body(b));
  Recorder record(world);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(world.step({}, &record).ok());
  EXPECT_GT(record.contacts, 0U);
  EXPECT_GT(momentum(world.body(b)).x(), 0.2 * before.x());
  EXPECT_NEAR((momentum(world.body(a)) + momentum(world.body(b)) - before).norm(), 0, 1e-9 * before.norm());
}

TEST(WorldPhysics, ABodyAtRestPressesWithItsWeight) {
  WorldSettings settings;
  settings.substeps = 2;
  settings.sleep.enabled = false;
  World world(settings);
  world.add(ground(), {"ground", {0.5, 0}, true});
  world.add(soft_cube({0, 0, 0.055}), {"cube", {0.5, 0}, true});
  struct Weigh : WorldObserver {
    void piece(const World&, double) override {}
    void contact(const World&, const WorldContact& contact) override {
      sum += contact.impact.contact.a.body == BodyId(1) ? contact.impact.impulse : -contact.impact.impulse;
    }
    Vec3 sum = Vec3::Zero();
  } weigh;
  for (int k = 0; k < 90; ++k) ASSERT_TRUE(world.step().ok());
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(world.step({}, &weigh).ok());
  // One cubic decimetre of water's density, one second.
  EXPECT_NEAR(weigh.sum.z(), 1.0 * 9.81, 0.05 * 9.81);
  EXPECT_LT(weigh.sum.head<2>().norm(), 0.1);
}

// A cube on a slope: how far it slides in half a second, m.
double slide(double degrees, double friction) {
  WorldSettings settings;
  settings.substeps = 2;
  settings.sleep.enabled = false;
  World world(settings);
  const double angle = degrees * 3.14159265358979 / 180;
  const Vec3 gravity(9.81 * std::sin(angle), 0, -9.81 * std::cos(angle));
  world.add(std::make_unique<FixedBody>(placed(make_box({.size = {8, 4, 0.1}}), {0, 0, -0.05})),
            {"slope", {friction, 0}, true});
  FemSettings fem;
  fem.gravity = gravity;
  fem.material = ElasticMaterial{.young = 1e5, .poisson = 0.3, .density = 1000}.with_damping(0.01);
  auto model = std::make_unique<FemBody>(make_tet_box({.size = {0.2, 0.2, 0.05}, .cells = {4, 4, 1}}), fem);
  BodyState state = model->snapshot();
  for (Vec3& x : state.positions) x += Vec3(0, 0, 0.0275);
  model->restore(state);
  const BodyId cube = world.add(std::move(model), {"cube", {friction, 0}, true});
  const double start = centre_of(world.body(cube)).x();
  for (int k = 0; k < 30; ++k) EXPECT_TRUE(world.step().ok());
  return centre_of(world.body(cube)).x() - start;
}

TEST(WorldPhysics, FrictionHoldsOnAGentleSlope) { EXPECT_LT(slide(15, 0.5), 0.01); }

TEST(WorldPhysics, SlidesOnASteepSlopeAsCoulombSays) {
  const double angle = 35 * 3.14159265358979 / 180;
  for (const double friction : {0.0, 0.3}) {
    const double expected = 0.5 * 9.81 * (std::sin(angle) - friction * std::cos(angle)) * 0.25;
    EXPECT_NEAR(slide(35, friction), expected, 0.1 * expected) << friction;
  }
}

TEST(WorldPhysics, AFallingBallLosesEnergyAndComesToRest) {
  WorldSettings settings;
  settings.substeps = 2;
  World world(settings);
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId ball = world.add(soft_ball({0, 0, 0.3}), {"ball", {0.5, 0}, true});
  double mass = 0;
  for (const double m : world.body(ball).masses()) mass += m;
  const auto energy = [&] {
    const BodyModel& body = world.body(ball);
    return body.kinetic_energy() + body.potential_energy() + mass * 9.81 * centre_of(body).z();
  };
  const double before = energy();
  double highest = before;
  for (int k = 0; k < 120; ++k) {
    ASSERT_TRUE(world.step().ok());
    highest = std::max(highest, energy());
  }
  // Of what it can lose (its height above the ground) it never gains more than a little.
  EXPECT_LT(highest - before, 0.05 * mass * 9.81 * 0.2);
  EXPECT_LT(energy(), before);
}

}  // namespace
}  // namespace pliant
