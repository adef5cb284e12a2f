// Bodies that lie still sleep, and wake when something happens to them.
#include <gtest/gtest.h>

#include "pliant/world/world.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

TEST(World, LetsBodiesSleepAndWakesThem) {
  WorldSettings settings = two_steps();
  World world(settings);
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId cube = world.add(soft_cube({0, 0, 0.06}), {"cube", {0.5, 0}, true});
  int frames = 0;
  while (!world.asleep(cube) && frames < 300) {
    ASSERT_TRUE(world.step().ok());
    ++frames;
  }
  ASSERT_TRUE(world.asleep(cube)) << frames;
  const Vec3 asleep = centre_of(world.body(cube));
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(world.step().ok());
  EXPECT_EQ(centre_of(world.body(cube)), asleep);
  EXPECT_GT(lowest(world.body(cube)), 0);
}

TEST(World, WakesWhatLiesOnSomethingThatMovesAway) {
  WorldSettings settings = two_steps();
  World world(settings);
  // A table that stands still for two seconds and then goes down slowly.
  world.add(moving(make_box({.size = {1, 1, 0.1}}), 200, 60,
                   [](int k) {
                     return rigid({0, 0, 1}, 0, {0, 0, -0.05 - 0.002 * std::max(0, k - 120)});
                   }),
            {"table", {0.5, 0}, true});
  const BodyId cube = world.add(soft_cube({0, 0, 0.06}), {"cube", {0.5, 0}, true});
  for (int k = 0; k < 120; ++k) ASSERT_TRUE(world.step().ok());
  ASSERT_TRUE(world.asleep(cube));
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(world.step().ok());
  EXPECT_LT(lowest(world.body(cube)), -0.04);
}

TEST(World, WhatFloatsFreeNeverStops) {
  World world;
  const BodyId ball = world.add(soft_ball({0, 0, 0}, Vec3::Zero()));
  throw_body(world.body(ball), {0.008, 0, 0});
  const double start = centre_of(world.body(ball)).x();
  for (int k = 0; k < 120; ++k) ASSERT_TRUE(world.step().ok());
  EXPECT_FALSE(world.asleep(ball));
  EXPECT_NEAR(centre_of(world.body(ball)).x() - start, 0.016, 1e-4);
}

// What a press that comes down at 4 mm/s weighs on a cube that slept before, in the last second.
double force_of_slow_press(bool sleep) {
  WorldSettings settings;
  settings.sleep.enabled = sleep;
  World world(settings);
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId cube = world.add(soft_cube({0, 0, 0.055}), {"cube", {0.5, 0}, true});
  world.add(moving(make_box({.size = {0.3, 0.3, 0.02}}), 200, 60,
                   [](int k) {
                     return rigid({0, 0, 1}, 0, {0, 0, 0.12 - 0.004 / 60 * k});
                   }),
            {"press", {0.5, 0}, true});
  struct Weigh : WorldObserver {
    void piece(const World&, double) override {}
    void contact(const World&, const WorldContact& contact) override {
      if (contact.impact.contact.a.body == BodyId(2)) sum += contact.impact.impulse.z();
      if (contact.impact.contact.b.body == BodyId(2)) sum -= contact.impact.impulse.z();
    }
    double sum = 0;
  } weigh;
  bool slept = false;
  for (int k = 0; k < 140; ++k) {
    EXPECT_TRUE(world.step().ok());
    slept = slept || world.asleep(cube);
  }
  EXPECT_EQ(slept, sleep);
  for (int k = 0; k < 60; ++k) EXPECT_TRUE(world.step({}, &weigh).ok());
  return weigh.sum;
}

TEST(World, ASleeperPushesBackAgainstASlowPress) {
  const double awake = force_of_slow_press(false);
  EXPECT_GT(awake, 1);
  EXPECT_NEAR(force_of_slow_press(true), awake, 0.1 * awake);
}

}  // namespace
}  // namespace pliant
