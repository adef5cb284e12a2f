// No particle is left inside a closed obstacle, and each comes out on its own side.
#include "pliant/response/kept_out.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/mesh/shapes.h"
#include "tests/response/step_builder.h"
#include "tests/support/soups.h"

namespace pliant {
namespace {

using testing::Dice;

struct KeptOutScene : StepBuilder {
  // All vertices of all bodies are looked at, unless slots are given.
  std::vector<Impact> keep_out(std::vector<std::uint32_t> slots = {}) {
    std::vector<MeshPtr> meshes;
    for (const StepBody& body : step.bodies) meshes.push_back(body.mesh);
    FlatStep flat(step);
    if (slots.empty())
      for (std::uint32_t i = 0; i < flat.size(); ++i) slots.push_back(i);
    std::vector<Impact> impacts;
    KeptOut(meshes).move_out(
        step, flat, slots, [](BodyId, BodyId) { return true; }, impacts);
    flat.write_to(step);
    return impacts;
  }
  std::size_t count_inside(std::size_t body, std::size_t obstacle) const {
    const StepBody& around = step.bodies[obstacle];
    const auto surface = ClosedSurface::make(PosedMesh(around.mesh, around.x_t1));
    std::size_t count = 0;
    for (const Vec3& x : step.bodies[body].x_t1) count += surface->locate(x) == PointSide::inside ? 1 : 0;
    return count;
  }
};

MeshPtr ball(double radius, const Vec3& place, int frequency = 4) {
  return at(make_icosphere({.radius = radius, .frequency = frequency}), place);
}

RC_GTEST_PROP(KeptOut, NoParticleIsLeftInside, (std::uint64_t seed)) {
  Dice dice(seed);
  KeptOutScene scene;
  const double far = dice.below(3) == 0 ? 1000 : 0;
  scene.add(dice.below(2) == 0 ? ball(0.3, {far, 0, 0}) : at(make_box({.size = {0.5, 0.4, 0.3}}), {far, 0, 0}),
            kInfinite);
  const StepBody& soft = scene.add(ball(0.1, {far + dice.uniform(-0.3, 0.3), dice.uniform(-0.3, 0.3), 0.45}), 1);
  std::vector<Vec3> before = soft.x_t1;
  for (Vec3& x : before) x += Vec3(0, 0, dice.uniform(-0.45, -0.1)) + dice.point(-0.05, 0.05);
  scene.step.bodies[1].x_t1 = before;
  for (Vec3& v : scene.step.bodies[1].v_t1) v = dice.point(-1, 1);
  const std::vector<Vec3> speeds = scene.step.bodies[1].v_t1;
  scene.keep_out();
  RC_ASSERT(scene.count_inside(1, 0) == 0U);
  const auto surface = ClosedSurface::make(PosedMesh(scene.step.bodies[0].mesh, scene.step.bodies[0].x_t1));
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (surface->locate(before[i]) == PointSide::inside) continue;
    RC_ASSERT(scene.step.bodies[1].x_t1[i] == before[i]);
    RC_ASSERT(scene.step.bodies[1].v_t1[i] == speeds[i]);
  }
}

TEST(KeptOut, ParticlesComeOutOnTheSideThatTheyCameFrom) {
  KeptOutScene scene;
  scene.add(at(make_box({.size = {4, 4, 0.1}}), {0, 0, -0.05}), kInfinite);
  scene.move(scene.add(ball(0.02, {0, 0, 0.03}), 1), {0, 0, -10});  // its middle is below that of the slab
  EXPECT_GT(scene.count_inside(1, 0), 0U);
  Vec3 sum = Vec3::Zero();
  std::size_t stopped = 0;
  for (const Impact& impact : scene.keep_out()) {
    EXPECT_EQ(impact.contact.a.body, BodyId(1));
    sum += impact.impulse;
    ++stopped;
  }
  for (const Vec3& x : scene.step.bodies[1].x_t1)
    EXPECT_TRUE(x.z() >= 0 || x.z() < -0.1) << x.z();  // what is through is for the search of paths
  EXPECT_EQ(scene.count_inside(1, 0), 0U);
  EXPECT_NEAR(sum.z(), 10.0 * static_cast<double>(stopped), 1e-9);
}

TEST(KeptOut, WhatHangsTogetherWithOneInsideIsFound) {
  KeptOutScene scene;
  scene.add(at(make_box({.size = {4, 4, 1}}), {0, 0, -0.5}), kInfinite);
  scene.move(scene.add(ball(0.1, {0, 0, 0.11}), 1), {0, 0, -10});
  const FlatStep flat(scene.step);
  std::uint32_t low = flat.first[1];
  for (std::uint32_t i = low; i < flat.size(); ++i)
    if (flat.x_t1[i].z() < flat.x_t1[low].z()) low = i;
  scene.keep_out({low});
  EXPECT_EQ(scene.count_inside(1, 0), 0U);
}

TEST(KeptOut, AParticleBetweenTwoObstaclesIsInNeither) {
  KeptOutScene scene;  // a floor and a wall
  scene.add(at(make_box({.size = {2, 2, 1}}), {0, 0, -0.5}), kInfinite);
  scene.add(at(make_box({.size = {1, 2, 2}}), {0.5, 0, 0.9}), kInfinite);
  scene.move(scene.add(ball(0.1, {-0.11, 0, 0.11}), 1), {5, 0, -5});
  EXPECT_GT(scene.count_inside(2, 0), 0U);
  EXPECT_GT(scene.count_inside(2, 1), 0U);
  scene.keep_out();
  EXPECT_EQ(scene.count_inside(2, 0), 0U);
  EXPECT_EQ(scene.count_inside(2, 1), 0U);
}

TEST(KeptOut, OpenSurfacesAndBodiesThatGiveWayAreNoObstacles) {
  KeptOutScene scene;
  scene.add(make_grid({.width = 1, .depth = 1, .columns = 2, .rows = 2}), kInfinite);
  scene.add(ball(0.3, {0, 0, 0}), 1);
  const StepBody& small = scene.add(ball(0.1, {0, 0, 0}), 1);
  const std::vector<Vec3> before = small.x_t1;
  scene.keep_out();
  EXPECT_EQ(scene.step.bodies[2].x_t1, before);
}

}  // namespace
}  // namespace pliant
