// Bodies that bend and touch each other: no energy from nothing, momentum to rounding, and rest.
#include <gtest/gtest.h>

#include "pliant/bodies/materials.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

struct BoxSettings {
  ElasticMaterial material;
  Vec3 size = Vec3::Constant(0.1);
  int cells = 2;
  Vec3 where = Vec3::Zero();
  Vec3 gravity = Vec3::Zero();
  double turn = 0;  // radians
};

std::unique_ptr<BodyModel> box(const BoxSettings& s) {
  FemSettings fem;
  fem.material = s.material;
  fem.gravity = s.gravity;
  const int n = s.cells;
  auto model = std::make_unique<FemBody>(make_tet_box({.size = s.size, .cells = {n, n, n}}), fem);
  BodyState state = model->snapshot();
  for (Vec3& x : state.positions) x = rigid({0.3, 1, 0.2}, s.turn, s.where) * x;
  model->restore(state);
  return model;
}

void throw_all(BodyModel& body, const Vec3& velocity) {
  BodyState state = body.snapshot();
  for (Vec3& v : state.velocities) v = velocity;
  body.restore(state);
}

Vec3 momentum_of(const BodyModel& body) {
  const BodyState state = body.snapshot();
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < state.velocities.size(); ++i)
    if (std::isfinite(body.node_masses()[i])) sum += body.node_masses()[i] * state.velocities[i];
  return sum;
}

double energy_of_all(const World& world) {
  double sum = 0;
  for (std::uint32_t b = 0; b < world.body_count(); ++b) {
    const BodyModel& body = world.body(BodyId(b));
    sum += body.kinetic_energy() + body.potential_energy() + body.gravitational_energy();
  }
  return sum;
}

struct Impact2 {
  double gained = 0;     // of the kinetic energy at first: the most above an earlier minimum
  double drifted = 0;    // of the momentum of one of them at first
  double exchanged = 0;  // likewise: what the second got
};

// One thrown at another, both free.
Impact2 collide(const BoxSettings& first, const BoxSettings& second, double speed, int frames) {
  World world;
  const BodyId a = world.add(box(first), {"a", {0.5, 0}, true});
  const BodyId b = world.add(box(second), {"b", {0.5, 0}, true});
  throw_all(world.body(a), {0, 0, -speed});
  const double scale = momentum_of(world.body(a)).norm(), kinetic = world.body(a).kinetic_energy();
  const Vec3 before = momentum_of(world.body(a)) + momentum_of(world.body(b));
  Impact2 outcome;
  double least = energy_of_all(world);
  for (int frame = 0; frame < frames; ++frame) {
    EXPECT_TRUE(world.step().ok());
    const double energy = energy_of_all(world);
    least = std::min(least, energy);
    outcome.gained = std::max(outcome.gained, (energy - least) / kinetic);
  }
  outcome.drifted = (momentum_of(world.body(a)) + momentum_of(world.body(b)) - before).norm() / scale;
  outcome.exchanged = momentum_of(world.body(b)).norm() / scale;
  return outcome;
}

TEST(SoftContact, ImpactsOfEveryPresetAndSizeAddNoEnergyAndKeepMomentum) {
  for (const NamedElasticMaterial& named : elastic_materials()) {
    for (const double size : {0.05, 0.2}) {
      const double speed = named.name == "jelly" ? 0.5 : 2;
      for (const double turn : {0.0, 0.5}) {
        const Impact2 hit = collide({.material = named.material,
                                     .size = Vec3::Constant(size),
                                     .where = {0.1 * size, 0, 1.5 * size},
                                     .turn = turn},
                                    {.material = named.material, .size = Vec3::Constant(size), .cells = 3}, speed, 20);
        EXPECT_LT(hit.gained, 1e-3) << named.name << ' ' << size << ' ' << turn;
        EXPECT_LT(hit.drifted, 1e-6) << named.name << ' ' << size << ' ' << turn;
        EXPECT_GT(hit.exchanged, 0.3) << named.name << ' ' << size << ' ' << turn;
      }
    }
  }
}

TEST(SoftContact, BodiesOfUnlikeStiffnessAndMassAddNoEnergy) {
  const Impact2 hit = collide({.material = elastic_material("rubber"), .where = {0, 0, 0.16}},
                              {.material = elastic_material("foam"), .size = {0.3, 0.3, 0.1}, .cells = 3}, 1, 20);
  EXPECT_LT(hit.gained, 1e-3);
  EXPECT_LT(hit.drifted, 1e-6);
  EXPECT_GT(hit.exchanged, 0.02);
}

TEST(SoftContact, GasBallsThatCollideAddNoEnergyAndKeepMomentum) {
  World world;
  const BodyId a = world.add(soft_ball({0, 0, 0.23}, Vec3::Zero()), {"a", {0.5, 0}, true});
  const BodyId b = world.add(soft_ball({0.03, 0, 0}, Vec3::Zero()), {"b", {0.5, 0}, true});
  throw_all(world.body(a), {0, 0, -1});
  const Vec3 before = momentum_of(world.body(a));
  const double kinetic = world.body(a).kinetic_energy();
  double least = energy_of_all(world), gained = 0;
  for (int frame = 0; frame < 30; ++frame) {
    ASSERT_TRUE(world.step().ok());
    least = std::min(least, energy_of_all(world));
    gained = std::max(gained, energy_of_all(world) - least);
  }
  EXPECT_LT(gained, 2e-3 * kinetic);
  EXPECT_LT((momentum_of(world.body(a)) + momentum_of(world.body(b)) - before).norm(), 1e-9 * before.norm());
  EXPECT_GT(momentum_of(world.body(b)).norm(), 0.3 * before.norm());
}

// Frames until all sleep; -1: they do not.
int frames_to_sleep(World& world, int most) {
  for (int frame = 1; frame <= most; ++frame) {
    const FrameReport report = world.step();
    EXPECT_TRUE(report.ok()) << report.message;
    if (report.asleep == world.body_count() - 1) return frame;
  }
  return -1;
}

World stack_of(int count) {
  World world;
  world.add(ground(), {"ground", {0.8, 0}, true});
  for (int k = 0; k < count; ++k)
    world.add(box({.material = elastic_material("foam"),
                   .size = {0.2, 0.2, 0.06},
                   .where = {0.002 * k, 0, 0.035 + 0.065 * k},
                   .gravity = {0, 0, -9.81}}),
              {"box", {0.6, 0}, true});
  return world;
}

TEST(SoftContact, AStackOfFourBoxesFallsAsleep) {
  World world = stack_of(4);
  const int frames = frames_to_sleep(world, 240);
  EXPECT_GT(frames, 30);
}

TEST(SoftContact, SleepersThatAreHitWakeTogetherAndSleepAgain) {
  World world = stack_of(2);
  const BodyId late =
      world.add(box({.material = elastic_material("foam"), .where = {0, 0, 0.9}, .gravity = {0, 0, -0.5}}),
                {"late", {0.6, 0}, true});
  bool slept = false, woke = false;
  int frame = 0;
  for (; frame < 400 && !(woke && world.asleep(late)); ++frame) {
    ASSERT_TRUE(world.step().ok());
    const bool lower = world.asleep(BodyId(1)), upper = world.asleep(BodyId(2));
    EXPECT_EQ(lower, upper) << frame;
    slept = slept || lower;
    woke = woke || (slept && !lower);
  }
  EXPECT_TRUE(slept);
  EXPECT_TRUE(woke);
  EXPECT_TRUE(world.asleep(late) && world.asleep(BodyId(1))) << frame;
}

}  // namespace
}  // namespace pliant
