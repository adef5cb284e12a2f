// Gas bodies that lie on each other go on from a stored state with the same bits.
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

// Three on the ground and one in the hollow between them, all a little above where they will lie.
void add_heap(World& world) {
  constexpr double kSide = 0.203, kDrop = 0.01;
  const Surface rough{0.8, 0};
  world.add(ground(), {"ground", rough, true});
  const double height = kSide * std::sqrt(3.0) / 2;
  world.add(preset_ball({0, 0, 0.1 + kDrop}), {"a", rough, true});
  world.add(preset_ball({kSide, 0, 0.1 + kDrop}), {"b", rough, true});
  world.add(preset_ball({kSide / 2, height, 0.1 + kDrop}), {"c", rough, true});
  world.add(preset_ball({kSide / 2, height / 3, 0.1 + 0.17 + 2 * kDrop}), {"top", rough, true});
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
    for (std::uint32_t b = 1; b < 5; ++b) {
      ends.push_back(world.body(BodyId(b)).snapshot());
      EXPECT_EQ(again.body(BodyId(b)).snapshot(), ends.back()) << "after resume, body " << b;
    }
  }
  for (std::size_t b = 0; b < 4; ++b) EXPECT_EQ(ends[b], ends[b + 4]) << "threads, body " << b;
}

}  // namespace
}  // namespace pliant
