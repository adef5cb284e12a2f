// Worlds whose contacts are answered by pulling particles back.
#include <gtest/gtest.h>

#include "pliant/world/run_health.h"
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
  EXPECT_LT(lowest_ever, 2e-3) << "it never came down";  // contacts that act keep a twentieth of an edge, 1.75 mm
  EXPECT_EQ(world.method_in_use(), "subdivided-boxes");
}

// Thrown at the ground without gravity; whether it has passed through after some frames.
bool passes_through(double speed, const PullBackSettings& own) {
  World world({.response = pull_back(own)});
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId ball = world.add(soft_ball({0, 0, 0.3}, Vec3::Zero()), {"ball", {0.5, 0}, true});
  throw_body(world.body(ball), {0, 0, -speed});
  for (int frame = 0; frame < 6; ++frame) EXPECT_TRUE(world.step().ok()) << speed;
  return lowest(world.body(ball)) < 0;
}

TEST(PullBackWorld, FastParticlesDoNotTunnelOnceTheirPathsAreLookedAt) {
  const double tunnels = 40;  // m/s: 0.67 m a frame, through a slab of 0.1 m
  for (const bool foresee : {false, true}) {
    const PullBackSettings own{.passes = 1, .once_per_step = true, .foresee = foresee};
    PullBackSettings blind = own;
    blind.paths = false;
    EXPECT_TRUE(passes_through(tunnels, blind)) << foresee;
    EXPECT_FALSE(passes_through(tunnels, own)) << foresee;
    EXPECT_FALSE(passes_through(10 * tunnels, own)) << foresee;
  }
}

// The deepest pair of triangles after each frame, in mean edges, ascending.
std::vector<double> depths_of(World& world, int frames, double edge) {
  DetectorSettings settings;
  settings.self = false;
  const auto detector = make_detector("bvh", settings);
  for (std::uint32_t b = 0; b < world.body_count(); ++b) detector->add_body(world.body(BodyId(b)).mesh());
  std::vector<double> depths;
  for (int frame = 0; frame < frames; ++frame) {
    EXPECT_TRUE(world.step().ok());
    for (std::uint32_t b = 0; b < world.body_count(); ++b)
      detector->set_positions(BodyId(b), world.body(BodyId(b)).positions());
    double deepest = 0;
    for (const Contact& contact : detector->detect(Interval::instant(0)).contacts)
      deepest = std::max(deepest, contact.depth / edge);
    depths.push_back(deepest);
  }
  std::sort(depths.begin(), depths.end());
  return depths;
}

// Three balls fall onto each other and the ground, past a fixed ball. The long form is in tests/soak.
TEST(PullBackWorld, WhatFallsOnEachOtherIsLeftHardlyInEachOther) {
  for (const bool once : {false, true}) {
    World world({.response = pull_back({.once_per_step = once})});
    world.add(ground(), {"ground", {0.5, 0}, true});
    world.add(std::make_unique<FixedBody>(placed(make_icosphere({.radius = 0.1, .frequency = 5}), {0, 0, 0.101})),
              {"fixed", {0.3, 0}, true});
    std::vector<BodyId> balls;
    for (const Vec3& place : {Vec3(0.02, 0.01, 0.32), Vec3(-0.05, 0.02, 0.55), Vec3(0.01, -0.03, 0.8)})
      balls.push_back(world.add(soft_ball(place), {"", {0.3, 0}, true}));
    const std::vector<double> depths = depths_of(world, 90, 0.035);
    EXPECT_LT(depths[89 * 99 / 100], 0.05) << once;
    EXPECT_LT(depths.back(), 0.5) << once;
    for (const BodyId ball : balls) EXPECT_GE(lowest(world.body(ball)), 0);
  }
}

// A vertex of a coarse ground lies inside the ball, and its edges leave the ball far away, at the rim of the contact.
TEST(PullBackWorld, ABallComesToRestOnAVertexOfTheGround) {
  World world({.response = pull_back()});
  world.add(std::make_unique<FixedBody>(placed(make_box({.size = {4, 4, 0.2}, .cells = {4, 4, 1}}), {0, 0, -0.1})),
            {"ground", {0.6, 0}, true});
  PressureSettings settings;
  settings.material = pressure_material("soft-ball");
  const BodyId ball = world.add(
      std::make_unique<PressureBody>(placed(make_icosphere({.radius = 0.1, .frequency = 4}), {0, 0, 0.15}), settings),
      {"ball", {0.6, 0}, true});
  double fastest = 0;
  for (int frame = 0; frame < 60; ++frame) {
    ASSERT_TRUE(world.step().ok());
    EXPECT_GE(lowest(world.body(ball)), 0);
    for (const Vec3& v : world.body(ball).velocities()) fastest = std::max(fastest, v.norm());
  }
  EXPECT_LT(fastest, 6);  // it falls with 1 m/s
  EXPECT_NEAR(centre_of(world.body(ball)).head<2>().norm(), 0, 5e-3);
}

TEST(PullBackWorld, AnOpenSurfaceIsKeptApartFromItselfByProof) {
  World world({.response = pull_back()});
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId cloth = world.add(sheet({0, 0, 0.3}, 4), {"cloth", {0.5, 0}, true});
  const BodyId ball = world.add(soft_ball({0, 0, 0.15}), {"ball", {0.5, 0}, true});
  for (const World::UnprovedPair& pair : world.unproved_pairs()) EXPECT_FALSE(pair.a == cloth && pair.b == cloth);
  EXPECT_EQ(world.unproved_pairs().size(), 4u);  // ground with both, cloth with ball, ball with itself
  world.set_response(cloth, cloth, pull_back(), "bvh");
  EXPECT_EQ(world.unproved_pairs().size(), 5u);
  (void)ball;
}

// What is answered only at the end of a step was free until then: two balls that met gained several times what they
// had.
TEST(PullBackWorld, AnImpactAddsNoEnergy) {
  for (const bool once : {false, true}) {
    World world({.response = pull_back({.once_per_step = once})});
    const BodyId left = world.add(soft_ball({-0.12, 0, 0}, Vec3::Zero()), {"left", {0.3, 0}, true});
    const BodyId right = world.add(soft_ball({0.12, 0.03, 0.01}, Vec3::Zero()), {"right", {0.3, 0}, true});
    throw_body(world.body(left), {1, 0, 0});
    throw_body(world.body(right), {-1, 0, 0});
    RunHealth health;
    std::size_t impacts = 0;
    Vec3 momentum = Vec3::Zero();
    for (int frame = 0; frame < 60; ++frame) {
      const FrameReport report = world.step();
      ASSERT_TRUE(report.ok());
      health.frame_done(world, report);
      impacts += report.impacts;
    }
    for (const BodyId ball : {left, right})
      for (std::size_t i = 0; i < world.body(ball).velocities().size(); ++i)
        momentum += world.body(ball).masses()[i] * world.body(ball).velocities()[i];
    EXPECT_GT(impacts, 0u) << once;
    EXPECT_LT(health.energy_gained, 0.01 * health.most_kinetic) << once;
    EXPECT_LT(momentum.norm(), 1e-9) << once;
    EXPECT_LT(world.body(left).velocities()[0].x(), 0.5) << "they did not meet";
  }
}

// The ridge goes into the ball and out again: no vertex of either is inside the other.
TEST(PullBackWorld, ABallOnALongRidgeIsHardlyInIt) {
  World world({.response = pull_back()});
  world.add(std::make_unique<FixedBody>(
                placed(make_box({.size = {2, 0.3, 0.3}}), rigid({1, 0, 0}, 0.7853981, {0, 0, -0.2121}))),
            {"ridge", {0.8, 0}, true});
  world.add(soft_ball({0.01, 0.0, 0.14}), {"ball", {0.8, 0}, true});
  const std::vector<double> depths = depths_of(world, 30, 0.035);
  EXPECT_LT(depths[29 * 99 / 100], 0.05);
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
