// Worlds whose contacts are answered by pulling particles back.
#include <gtest/gtest.h>

#include "tests/world/support.h"

namespace pliant {
namespace {

ResponseSettings pull_back(const PullBackSettings& own = {}) {
  ResponseSettings settings;
  settings.kind = ResponseKind::pull_back;
  settings.pull_back = own;
  return settings;
}

TEST(PullBackWorld, NoParticleGoesBelowTheGround) {
  World world({.response = pull_back()});
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId ball = world.add(soft_ball({0, 0, 0.3}), {"ball", {0.5, 0}, true});
  double lowest_ever = 1;
  for (int frame = 0; frame < 120; ++frame) {
    ASSERT_TRUE(world.step().ok());
    lowest_ever = std::min(lowest_ever, lowest(world.body(ball)));
  }
  EXPECT_GE(lowest_ever, 0);
  EXPECT_LT(lowest_ever, 1e-3) << "it never came down";
  EXPECT_EQ(world.method_in_use(), "subdivided-boxes");
}

// Thrown at the ground without gravity; whether it has passed through after some frames.
bool passes_through(double speed, const PullBackSettings& own) {
  World world({.response = pull_back(own)});
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId ball = world.add(soft_ball({0, 0, 0.3}, Vec3::Zero()), {"ball", {0.5, 0}, true});
  throw_body(world.body(ball), {0, 0, -speed});
  for (int frame = 0; frame < 6; ++frame)
    if (!world.step().ok()) return false;
  return centre_of(world.body(ball)).z() < 0;
}

TEST(PullBackWorld, FastParticlesDoNotTunnelOnceTheirPathsAreLookedAt) {
  const double tunnels = 40;  // m/s: 0.67 m a frame, through a slab of 0.1 m
  EXPECT_TRUE(passes_through(tunnels, {.passes = 1, .paths = false, .once_per_step = true}));
  EXPECT_FALSE(passes_through(tunnels, {.passes = 1, .once_per_step = true}));
  EXPECT_FALSE(passes_through(10 * tunnels, {.passes = 1, .once_per_step = true}));
}

TEST(PullBackWorld, ABodyInsideAnotherIsPushedOut) {
  const auto run = [](bool inside) {
    World world({.response = pull_back({.inside = inside})});
    world.add(std::make_unique<FixedBody>(make_box({.size = {1, 1, 1}})), {"box", {0, 0}, true});
    const BodyId ball = world.add(soft_ball({0.3, 0, 0}, Vec3::Zero()), {"ball", {0, 0}, true});
    for (int frame = 0; frame < 60; ++frame)
      if (!world.step().ok()) return 0.0;
    return centre_of(world.body(ball)).x();
  };
  EXPECT_NEAR(run(false), 0.3, 1e-6);
  EXPECT_GT(run(true), 0.4);
}

}  // namespace
}  // namespace pliant
