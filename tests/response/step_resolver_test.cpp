// Steps that would pass things through each other, resolved; what is called free is searched again by brute force.
#include "pliant/response/step_resolver.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/shapes.h"
#include "tests/response/step_builder.h"
#include "tests/support/soups.h"

namespace pliant {
namespace {

using testing::Dice;

// Any method can find contacts on a step.
class MethodFinder : public StepFinder {
 public:
  explicit MethodFinder(const Step& step, std::string_view method = "swept-bvh") : detector_(make_detector(method)) {
    for (const StepBody& body : step.bodies) detector_->add_body(body.mesh);
  }
  Report find_meeting(const Step& step, const Budget& budget) override {
    for (const StepBody& body : step.bodies)
      detector_->set_motion(body.id, Motion::linear(body.x_t0, Frame::own(body.x_t1)));
    return detector_->detect({0, 1}, budget);
  }

 private:
  std::unique_ptr<Detector> detector_;
};

Vec3 mean_velocity(const StepBody& body) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : body.v_t1) sum += v;
  return sum / static_cast<double>(body.v_t1.size());
}

bool is_free(const Step& step) { return MethodFinder(step, "brute-force").find_meeting(step, {}).contacts.empty(); }

// A small cube above a slab that does not move, about to be 2 cm inside it.
StepBuilder falling_cube(Surface surface, const Vec3& velocity) {
  StepBuilder scene;
  scene.add(at(make_box({.size = {4, 4, 1}}), {0, 0, -0.5}), kInfinite, surface);
  scene.move(scene.add(at(make_box({.size = {0.1, 0.1, 0.1}}), {0, 0, 0.06}), 0.125, surface), velocity);
  return scene;
}

Resolution resolve(StepBuilder& scene, ResolverSettings settings = {}) {
  MethodFinder finder(scene.step);
  return StepResolver(settings).resolve(scene.step, finder);
}

TEST(StepResolver, LeavesAFreeStepAlone) {
  StepBuilder scene = falling_cube({}, {0, 0, -0.5});
  const std::vector<Vec3> x = scene.step.bodies[1].x_t1;
  const Resolution result = resolve(scene);
  EXPECT_TRUE(result.free);
  EXPECT_TRUE(result.impacts.empty());
  EXPECT_EQ(scene.step.bodies[1].x_t1, x);
}

TEST(StepResolver, StopsACubeAtTheSeparationAboveTheGround) {
  StepBuilder scene = falling_cube({0, 0}, {0, 0, -3});
  const Resolution result = resolve(scene);
  ASSERT_TRUE(result.free);
  EXPECT_EQ(result.zones, 0U);
  EXPECT_TRUE(is_free(scene.step));
  double low = 1;
  for (const Vec3& x : scene.step.bodies[1].x_t1) low = std::min(low, x.z());
  EXPECT_NEAR(low, 1e-3, 1e-4);
  for (std::size_t i = 0; i < 8; ++i)
    if (scene.step.bodies[1].x_t0.positions()[i].z() < 0.05) {
      EXPECT_NEAR(scene.step.bodies[1].v_t1[i].z(), 0, 1e-9);
    }
}

TEST(StepResolver, ReportsTheImpulseThatStopsTheCube) {
  StepBuilder scene = falling_cube({0, 0}, {0, 0, -3});
  const Resolution result = resolve(scene);
  Vec3 sum = Vec3::Zero();
  for (const Impact& impact : result.impacts)
    sum += impact.contact.a.body == BodyId(1) ? impact.impulse : -impact.impulse;
  // Four of eight vertices were stopped.
  EXPECT_NEAR(sum.z(), 4 * 0.125 * 3, 1e-6);
  EXPECT_NEAR(sum.head<2>().norm(), 0, 1e-9);
}

TEST(StepResolver, BouncesWithTheRestitution) {
  StepBuilder scene = falling_cube({0, 0.5}, {0, 0, -3});
  ASSERT_TRUE(resolve(scene).free);
  for (std::size_t i = 0; i < 8; ++i)
    if (scene.step.bodies[1].x_t0.positions()[i].z() < 0.05) {
      EXPECT_NEAR(scene.step.bodies[1].v_t1[i].z(), 1.5, 0.05);
    }
}

TEST(StepResolver, LimitsFrictionByTheNormalImpulse) {
  for (const double friction : {0.1, 0.3}) {
    StepBuilder scene = falling_cube({friction, 0}, {2, 0, -3});
    ASSERT_TRUE(resolve(scene).free);
    // Coulomb: half of the mass (the lower four vertices) lost 3 m/s down, so it loses friction * 3 m/s across.
    EXPECT_NEAR(mean_velocity(scene.step.bodies[1]).x(), 2 - friction * 3 / 2, 1e-3);
  }
}

TEST(StepResolver, FrictionHoldsWhatIsSlowEnough) {
  StepBuilder scene = falling_cube({1, 0}, {0.5, 0, -3});
  ASSERT_TRUE(resolve(scene).free);
  for (std::size_t i = 0; i < 8; ++i)
    if (scene.step.bodies[1].x_t0.positions()[i].z() < 0.05) {
      EXPECT_NEAR(scene.step.bodies[1].v_t1[i].x(), 0, 1e-2);
    }
}

TEST(StepResolver, KeepsMomentumBetweenTwoBodies) {
  StepBuilder scene;
  const MeshPtr cube = make_box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
  scene.move(scene.add(at(cube, {-0.06, 0.01, 0.02}), 0.1, {0.5, 0.3}), {3, 0, 0});
  scene.move(scene.add(at(cube, {0.06, 0, 0}), 0.3, {0.5, 0.3}), {-3, 0, 0});
  const Vec3 before = momentum(scene.step.bodies[0]) + momentum(scene.step.bodies[1]);
  ASSERT_TRUE(resolve(scene).free);
  EXPECT_TRUE(is_free(scene.step));
  const Vec3 after = momentum(scene.step.bodies[0]) + momentum(scene.step.bodies[1]);
  EXPECT_NEAR((after - before).norm(), 0, 1e-12);
}

TEST(StepResolver, NamesWhatObstaclesLeaveNoRoom) {
  StepBuilder scene;
  const MeshPtr slab = make_box({.size = {1, 1, 0.1}});
  scene.add(at(slab, {0, 0, -0.05}), kInfinite);
  scene.add(at(make_grid({.width = 0.5, .depth = 0.5, .columns = 3, .rows = 3}), {0, 0, 0.01}), 0.1);
  scene.move(scene.add(at(slab, {0.03, 0, 0.07}), kInfinite), {0, 0, -5});  // 3 cm into the other slab
  const Resolution result = resolve(scene);
  EXPECT_FALSE(result.free);
  EXPECT_TRUE(result.complete);
  ASSERT_TRUE(result.stuck.has_value());
}

TEST(StepResolver, SaysSoWhenTheBudgetRunsOut) {
  StepBuilder scene = falling_cube({0, 0}, {0, 0, -3});
  MethodFinder finder(scene.step);
  const Resolution result = StepResolver({}).resolve(scene.step, finder, Budget::operations(1));
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.free);
}

TEST(StepResolver, RefusesSettingsThatCanNotWork) {
  ResolverSettings flat;
  flat.separation = 0;
  EXPECT_THROW(StepResolver{flat}, Error);
  ResolverSettings idle;
  idle.passes = 0;
  EXPECT_THROW(StepResolver{idle}, Error);
}

// Sheets and balls at random places, apart at first, thrown at each other.
StepBuilder random_scene(Dice& dice) {
  StepBuilder scene;
  const std::uint32_t count = 2 + dice.below(4);
  const double wildness = dice.below(2) == 0 ? 0.2 : 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const MeshPtr shape = dice.below(2) == 0 ? make_icosphere({.radius = 0.4, .frequency = 2})
                                             : make_grid({.width = 0.8, .depth = 0.8, .columns = 4, .rows = 4});
    const MeshPtr placed = with_positions(
        *shape, transformed(shape->positions(), rigid(dice.point(-1, 1) + Vec3(0, 0, 1.5), dice.uniform(0, 6),
                                                      {1.0 * (i % 2), 0.9 * (i / 2), dice.uniform(-0.1, 0.1)})));
    StepBody& body = scene.add(placed, dice.below(5) == 0 && i > 0 ? kInfinite : dice.uniform(0.01, 1),
                               {dice.uniform(0, 1), dice.uniform(0, 1)});
    const bool obstacle = std::isinf(body.masses[0]);
    scene.move(body, wildness * (obstacle ? dice.point(-5, 5) : dice.point(-80, 80)));
    if (obstacle) continue;
    for (Vec3& x : body.x_t1) x += wildness * dice.point(-0.3, 0.3);
  }
  return scene;
}

RC_GTEST_PROP(StepResolver, WhatItCallsFreeIsFree, (std::uint64_t seed)) {
  Dice dice(seed);
  StepBuilder scene = random_scene(dice);
  RC_PRE(is_free([&] {
    Step still = scene.step;
    for (StepBody& body : still.bodies) body.x_t1.assign(body.x_t0.positions().begin(), body.x_t0.positions().end());
    return still;
  }()));
  ResolverSettings settings;
  settings.passes = 1 + static_cast<int>(dice.below(4));  // few, so that zones have to come in
  const Resolution result = resolve(scene, settings);
  RC_CLASSIFY(result.zones > 0, "zones");
  RC_CLASSIFY(!result.free, "stuck");
  if (result.free) RC_ASSERT(is_free(scene.step));
  // Without moving obstacles there is always a way: everything in one zone.
  bool all_finite = true;
  for (const StepBody& body : scene.step.bodies) all_finite = all_finite && std::isfinite(body.masses[0]);
  if (all_finite) RC_ASSERT(result.free);
}

}  // namespace
}  // namespace pliant
