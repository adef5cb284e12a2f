// Rigid bodies in the loop, against closed forms.
#include <gtest/gtest.h>

#include "pliant/bodies/rigid.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

std::unique_ptr<RigidBody> rigid_box(const Vec3& where, const Vec3& size, const RigidSettings& settings = {}) {
  return std::make_unique<RigidBody>(placed(make_box({.size = size}), where), settings);
}

Vec3 middle_of(const BodyModel& body) { return body.rigid_motion(body.positions(), body.velocities())->centre; }

World without_sleep() {
  WorldSettings settings;
  settings.sleep.enabled = false;
  return World(settings);
}

// Gravity turned instead of the ground.
Vec3 slope_gravity(double degrees) {
  const double angle = degrees * 3.14159265358979 / 180;
  return {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
}

void expect_free(const World& world, const Recorder& record) { EXPECT_TRUE(record.check(world).contacts.empty()); }

TEST(RigidWorld, ABoxSlidesAsCoulombSays) {
  for (const double friction : {0.0, 0.2, 0.4}) {
    World world = without_sleep();
    world.add(std::make_unique<FixedBody>(placed(make_box({.size = {12, 4, 0.1}, .cells = {24, 8, 1}}), {0, 0, -0.05})),
              {"slope", {friction, 0}, true});
    const Vec3 g = slope_gravity(35);
    const BodyId box = world.add(rigid_box({-3, 0, 0.0525}, {0.4, 0.4, 0.1}, {.gravity = g}), {"box", {friction, 0}});
    Recorder record(world);
    const double start = middle_of(world.body(box)).x();
    for (int k = 0; k < 45; ++k) ASSERT_TRUE(world.step({}, &record).ok());
    const double expected = 0.5 * (g.x() + friction * g.z()) * 0.75 * 0.75;
    EXPECT_NEAR(middle_of(world.body(box)).x() - start, expected, 0.03 * expected) << friction;
    expect_free(world, record);
  }
}

TEST(RigidWorld, ABallRollsDownFiveSeventhsAsFast) {
  World world = without_sleep();
  world.add(std::make_unique<FixedBody>(placed(make_box({.size = {12, 4, 0.1}}), {0, 0, -0.05})),
            {"slope", {1, 0}, true});
  const Vec3 g = slope_gravity(20);
  const BodyId ball =
      world.add(std::make_unique<RigidBody>(placed(make_icosphere({.radius = 0.2, .frequency = 24}), {-3, 0, 0.201}),
                                            RigidSettings{.gravity = g}),
                {"ball", {1, 0}});
  Recorder record(world);
  const double start = middle_of(world.body(ball)).x();
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(world.step({}, &record).ok());
  const double expected = 0.5 * 5.0 / 7 * g.x();
  EXPECT_NEAR(middle_of(world.body(ball)).x() - start, expected, 0.03 * expected);
  expect_free(world, record);
}

TEST(RigidWorld, Bounces) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    World world = without_sleep();
    world.add(ground(), {"ground", {0, restitution}, true});
    const BodyId ball =
        world.add(std::make_unique<RigidBody>(placed(make_icosphere({.radius = 0.1, .frequency = 4}), {0, 0, 0.3}),
                                              RigidSettings{.velocity = {0, 0, -3}, .gravity = Vec3::Zero()}),
                  {"ball", {0, restitution}});
    for (int k = 0; k < 12; ++k) ASSERT_TRUE(world.step().ok());
    const BodyModel& body = world.body(ball);
    const double speed = body.rigid_motion(body.positions(), body.velocities())->velocity.z();
    EXPECT_NEAR(speed, 3 * restitution, 0.05 * 3) << restitution;
  }
}

TEST(RigidWorld, RigidAndSoftExchangeMomentumToRounding) {
  World world = without_sleep();
  const BodyId rigid_id = world.add(rigid_box({-0.2, 0.02, 0.01}, {0.1, 0.12, 0.14},
                                              {.velocity = {2, 0, 0}, .spin = {1, 2, 3}, .gravity = Vec3::Zero()}),
                                    {"rigid", {0.4, 0.3}});
  const BodyId soft_id = world.add(soft_ball({0, 0, 0}, Vec3::Zero()), {"soft", {0.4, 0.3}});
  const auto momentum = [&] {
    Vec3 sum = static_cast<const RigidBody&>(world.body(rigid_id)).momentum();
    const BodyModel& soft = world.body(soft_id);
    for (std::size_t i = 0; i < soft.masses().size(); ++i) sum += soft.masses()[i] * soft.velocities()[i];
    return sum;
  };
  const Vec3 before = momentum();
  Recorder record(world);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(world.step({}, &record).ok());
  EXPECT_GT(record.contacts, 0U);
  EXPECT_LT((momentum() - before).norm(), 1e-9 * before.norm());
  expect_free(world, record);
}

TEST(RigidWorld, AStackRestsAndSleeps) {
  World world;
  world.add(ground(), {"ground", {0.6, 0}, true});
  std::vector<BodyId> boxes;
  for (int k = 0; k < 5; ++k)
    boxes.push_back(
        world.add(rigid_box({0.004 * (k % 2), 0, 0.0535 + 0.1055 * k}, {0.1, 0.1, 0.1}), {"box", {0.6, 0}}));
  Recorder record(world);
  for (int k = 0; k < 240; ++k) ASSERT_TRUE(world.step({}, &record).ok());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    EXPECT_TRUE(world.asleep(boxes[k])) << k;
    EXPECT_LT(middle_of(world.body(boxes[k])).head<2>().norm(), 0.01) << k;
  }
  expect_free(world, record);
}

TEST(RigidWorld, ABallRestsOnACloth) {
  World world;
  ClothBodySettings cloth;
  cloth.material = cloth_material("denim");
  const MeshPtr mesh = make_grid({.width = 0.6, .depth = 0.6, .columns = 10, .rows = 10});
  for (const std::size_t corner : {0, 10, 110, 120}) cloth.pinned.push_back(VertexId(corner));
  world.add(std::make_unique<ClothBody>(mesh, cloth), {"cloth", {0.5, 0}});
  const BodyId ball =
      world.add(std::make_unique<RigidBody>(placed(make_icosphere({.radius = 0.08, .frequency = 4}), {0, 0, 0.1}),
                                            RigidSettings{.density = 300}),
                {"ball", {0.5, 0}});
  Recorder record(world);
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(world.step({}, &record).ok());
  EXPECT_GT(record.contacts, 0U);
  EXPECT_GT(middle_of(world.body(ball)).z(), -0.2);
  expect_free(world, record);
}

}  // namespace
}  // namespace pliant
