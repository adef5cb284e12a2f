// Gas bodies that lie on each other: they come to rest, gain nothing, and go on from a stored state with the same bits.
#include <gtest/gtest.h>

#include "pliant/bodies/pressure_materials.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

std::unique_ptr<BodyModel> preset_ball(const Vec3& where, double radius = 0.1) {
  PressureSettings settings;
  settings.material = pressure_material("soft-ball");
  return std::make_unique<PressureBody>(placed(make_icosphere({.radius = radius, .frequency = 3}), where), settings);
}

// Four on the floor of a pit and one in the hollow between them, all a little above where they will lie.
void add_heap(World& world) {
  constexpr double kHalf = 0.103, kDrop = 0.01, kWall = 0.25;
  const Surface rough{0.6, 0};
  world.add(ground(), {"ground", rough, true});
  for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    const Vec3 size = side.x() != 0 ? Vec3(0.08, 0.6, 0.4) : Vec3(0.6, 0.08, 0.4);
    world.add(std::make_unique<FixedBody>(placed(make_box({.size = size}), kWall * side + Vec3(0, 0, 0.25))),
              {"wall", rough, true});
  }
  for (const double x : {-kHalf, kHalf})
    for (const double y : {-kHalf, kHalf}) world.add(preset_ball({x, y, 0.1 + kDrop}), {"ball", rough, true});
  world.add(preset_ball({0, 0, 0.1 + 0.14 + 2 * kDrop}), {"top", rough, true});
}
constexpr std::uint32_t kFirst = 5, kLast = 9;  // the balls

double energy_of(const World& world) {
  double sum = 0;
  for (std::size_t b = 0; b < world.body_count(); ++b) {
    const BodyModel& body = world.body(BodyId(b));
    if (body.gravity() == Vec3::Zero()) continue;
    sum += body.kinetic_energy() + body.potential_energy() + body.gravitational_energy();
  }
  return sum;
}

TEST(GasHeap, ComesToRestAndGainsNoEnergy) {
  World world;
  add_heap(world);
  double mass = 0;
  for (const double m : world.body(BodyId(kFirst)).masses()) mass += m;
  const double drop = 5 * mass * 9.81 * 0.012;
  double least = energy_of(world), gained = 0;
  int frame = 0;
  const auto all_asleep = [&] {
    for (std::uint32_t b = kFirst; b <= kLast; ++b)
      if (!world.asleep(BodyId(b))) return false;
    return true;
  };
  for (; frame < 480 && !all_asleep(); ++frame) {
    const FrameReport report = world.step();
    ASSERT_TRUE(report.ok()) << report.message;
    const double now = energy_of(world);
    gained = std::max(gained, now - least);
    least = std::min(least, now);
  }
  EXPECT_TRUE(all_asleep()) << "awake after " << frame << " frames";
  EXPECT_LT(gained, 0.01 * drop);  // explicit steps: the law is 1 %
  EXPECT_GT(centre_of(world.body(BodyId(kLast))).z(), 0.2) << "the one on top fell down";
}

TEST(GasHeap, HasTheSameBitsForAnyThreadsAndFromAStoredState) {
  std::vector<BodyState> ends;
  for (const int threads : {1, 2}) {
    World world(two_steps("swept-bvh", threads));
    add_heap(world);
    Recorder recorder(world);
    std::optional<WorldState> half;
    for (int frame = 0; frame < 16; ++frame) {
      if (frame == 9) half = world.snapshot();
      ASSERT_TRUE(world.step({}, &recorder).ok());
    }
    EXPECT_TRUE(recorder.check(world, "swept-classical").contacts.empty());
    World again(two_steps("kinetic", threads));
    add_heap(again);
    again.restore(*half);
    for (int frame = 9; frame < 16; ++frame) ASSERT_TRUE(again.step().ok());
    for (std::uint32_t b = kFirst; b <= kLast; ++b) {
      ends.push_back(world.body(BodyId(b)).snapshot());
      EXPECT_EQ(again.body(BodyId(b)).snapshot(), ends.back()) << "after resume, body " << b;
    }
  }
  for (std::size_t b = 0; b < 5; ++b) EXPECT_EQ(ends[b], ends[b + 5]) << "threads, body " << b;
}

}  // namespace
}  // namespace pliant
