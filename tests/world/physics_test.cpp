// What the whole loop does, against what mechanics says.
#include <gtest/gtest.h>

#include "tests/support/soups.h"
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
  ImpulseOnBody1 weigh;
  for (int k = 0; k < 90; ++k) ASSERT_TRUE(world.step().ok());
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(world.step({}, &weigh).ok());
  // One cubic decimetre of water's density, one second.
  EXPECT_NEAR(weigh.sum.z(), 1.0 * 9.81, 0.05 * 9.81);
  EXPECT_LT(weigh.sum.head<2>().norm(), 0.1);
}

// A grid whose inner vertices are moved about within its plane.
MeshPtr irregular_grid(int cells, double size) {
  const MeshPtr grid = make_grid({.width = size, .depth = size, .columns = cells, .rows = cells});
  std::vector<Vec3> x(grid->positions().begin(), grid->positions().end());
  testing::Dice dice(7);
  const double edge = size / cells;
  for (Vec3& p : x)
    if (p.head<2>().cwiseAbs().maxCoeff() < (size - edge) / 2) p.head<2>() += 0.3 * edge * dice.point(-1, 1).head<2>();
  return with_positions(*grid, x);
}

// A plate on a slope (its upper side in z = 0): how far it slides in half a second, m.
double slide(const MeshPtr& slope, double degrees, double friction) {
  WorldSettings settings;
  settings.method = "swept-bvh";
  settings.sleep.enabled = false;
  World world(settings);
  const double angle = degrees * 3.14159265358979 / 180;
  const Vec3 gravity(9.81 * std::sin(angle), 0, -9.81 * std::cos(angle));
  world.add(std::make_unique<FixedBody>(slope), {"slope", {friction, 0}, true});
  FemSettings fem;
  fem.gravity = gravity;
  fem.integrator = FemIntegrator::runge_kutta4;
  fem.material = ElasticMaterial{.young = 1e5, .poisson = 0.3, .density = 1000}.with_damping(0.01);
  auto model = std::make_unique<FemBody>(make_tet_box({.size = {0.2, 0.2, 0.05}, .cells = {4, 4, 1}}), fem);
  BodyState state = model->snapshot();
  for (Vec3& x : state.positions) x += Vec3(0, 0, 0.0275);
  model->restore(state);
  const BodyId plate = world.add(std::move(model), {"plate", {friction, 0}, true});
  const double start = centre_of(world.body(plate)).x();
  for (int k = 0; k < 30; ++k) {
    const FrameReport report = world.step();
    EXPECT_TRUE(report.ok()) << report.message;
    EXPECT_EQ(report.zones, 0U);
  }
  return centre_of(world.body(plate)).x() - start;
}

const std::vector<std::pair<const char*, MeshPtr>>& slopes() {
  static const std::vector<std::pair<const char*, MeshPtr>> all = {
      {"one cell", placed(make_box({.size = {8, 4, 0.1}}), {0, 0, -0.05})},
      {"fine", make_grid({.width = 4, .depth = 4, .columns = 120, .rows = 120})},
      {"irregular", irregular_grid(150, 4)}};
  return all;
}

TEST(WorldPhysics, FrictionHoldsOnAGentleSlope) {
  for (const auto& [name, slope] : slopes()) EXPECT_LT(slide(slope, 15, 0.5), 0.001) << name;
}

TEST(WorldPhysics, SlidesOnASteepSlopeAsCoulombSaysHoweverItIsMeshed) {
  const double angle = 35 * 3.14159265358979 / 180;
  for (const auto& [name, slope] : slopes())
    for (const double friction : {0.0, 0.3, 0.5}) {
      const double expected = 0.5 * 9.81 * (std::sin(angle) - friction * std::cos(angle)) * 0.25;
      EXPECT_NEAR(slide(slope, 35, friction), expected, 0.03 * expected) << name << ", friction " << friction;
    }
}

// A sheet that falls flat on the ground: nothing in it is strained, so that all of its vertices do what one would.
TEST(WorldPhysics, BouncesWithItsRestitution) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    World world;
    world.add(ground(), {"ground", {0, restitution}, true});
    ClothBodySettings in_space;
    in_space.gravity = Vec3::Zero();
    in_space.air_density = 0;
    const MeshPtr grid = placed(make_grid({.width = 0.2, .depth = 0.2, .columns = 4, .rows = 4}), {0, 0, 0.07});
    const BodyId cloth = world.add(std::make_unique<ClothBody>(grid, in_space), {"sheet", {0, restitution}, true});
    throw_body(world.body(cloth), {0, 0, -3});
    double before = 0, after = 0;
    for (int k = 0; k < 6; ++k) {
      before = world.body(cloth).velocities()[0].z();
      const FrameReport report = world.step();
      ASSERT_TRUE(report.ok()) << report.message;
      if (report.impacts > 0) after = world.body(cloth).velocities()[0].z();
      if (report.impacts > 0) break;
    }
    EXPECT_NEAR(before, -3, 1e-6);
    EXPECT_NEAR(after, restitution * 3, 0.05 * 3) << restitution;
    double least = after, most = after;
    for (const Vec3& v : world.body(cloth).velocities()) {
      least = std::min(least, v.z());
      most = std::max(most, v.z());
    }
    EXPECT_LT(most - least, 0.01 * 3) << restitution;
  }
}

// Where a body goes that touches nothing, alone in the world or far from others that do.
TEST(WorldPhysics, WhatTouchesNothingGoesItsOwnWayAtWholeSteps) {
  std::uint64_t hashes[2];
  for (const bool others : {false, true}) {
    WorldSettings settings;
    settings.separation = 1e-3;
    World world(settings);
    const BodyId ball = world.add(soft_ball({0, 0, 2}), {"ball", {}, true});
    if (others) {
      world.add(ground(), {"ground", {0.5, 0}, true});
      world.add(soft_cube({0, 0, 0.055}), {"cube", {0.5, 0}, true});
    }
    std::size_t impacts = 0;
    for (int k = 0; k < 20; ++k) impacts += world.step().impacts;
    EXPECT_EQ(impacts > 0, others);
    WorldState state;
    state.bodies.push_back(world.body(ball).snapshot());
    hashes[others] = hash_of(state);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(WorldPhysics, ShortensStepsThatABodyCannotTake) {
  FemSettings settings;
  settings.integrator = FemIntegrator::runge_kutta4;
  settings.material = {.young = 1e6, .poisson = 0.3, .density = 1000};
  settings.integrator = FemIntegrator::runge_kutta4;
  settings.max_substeps = 20;
  auto cube = std::make_unique<FemBody>(make_tet_box({.size = {0.1, 0.1, 0.1}, .cells = {3, 3, 3}}), settings);
  ASSERT_EQ(cube->predict(1.0 / 60).status.trouble, Trouble::too_many_substeps);
  World world;
  const BodyId body = world.add(std::move(cube), {"cube", {}, true});
  for (int k = 0; k < 6; ++k) {
    const FrameReport report = world.step();
    ASSERT_TRUE(report.ok()) << report.message;
  }
  EXPECT_NEAR(centre_of(world.body(body)).z(), -0.5 * 9.81 * 0.01, 1e-3);
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
