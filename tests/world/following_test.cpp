// Pins tied to obstacles that move.
#include <gtest/gtest.h>

#include <numbers>

#include "pliant/core/error.h"
#include "pliant/world/record_run.h"
#include "pliant/world/recorded_run.h"
#include "tests/world/recorded.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

constexpr int kCells = 6;

std::unique_ptr<BodyModel> banner(const Vec3& where) {
  ClothBodySettings settings;
  settings.material = cloth_material("cotton");
  for (std::uint32_t i = 0; i <= kCells; ++i) settings.pinned.emplace_back(i);
  return std::make_unique<ClothBody>(
      placed(make_grid({.width = 0.3, .depth = 0.3, .columns = kCells, .rows = kCells}), where), settings);
}

std::vector<VertexId> first_row() {
  std::vector<VertexId> pins;
  for (std::uint32_t i = 0; i <= kCells; ++i) pins.emplace_back(i);
  return pins;
}

// A bar that moves sideways and turns, with a banner tied to it.
struct Carried {
  Carried() {
    bar = world.add(moving(make_box({.size = {0.5, 0.05, 0.05}}), 60, 60,
                           [](int k) {
                             return rigid({0, 0, 1}, k * 0.02, {0.01 * k, 0, 0.005 * k});
                           }),
                    {"bar", {0.5, 0}, true});
    cloth = world.add(banner({0, 0.15, 0.0265}), {"banner", {0.5, 0}, true});
  }
  World world;
  BodyId bar, cloth;
};

TEST(FollowingPins, KeepTheirPlaceBesideTheLeader) {
  Carried scene;
  scene.world.follow(scene.cloth, first_row(), scene.bar);
  const std::vector<Vec3> start(scene.world.body(scene.cloth).positions().begin(),
                                scene.world.body(scene.cloth).positions().end());
  Recorder record(scene.world);
  constexpr int kFrames = 40;
  for (int k = 0; k < kFrames; ++k) ASSERT_TRUE(scene.world.step({}, &record).ok());
  const RigidTransform there = rigid({0, 0, 1}, kFrames * 0.02, {0.01 * kFrames, 0, 0.005 * kFrames});
  const std::vector<Vec3> expected = transformed(start, there);
  for (const VertexId pin : first_row())
    EXPECT_LT((scene.world.body(scene.cloth).positions()[pin.index()] - expected[pin.index()]).norm(), 1e-9);
}

TEST(FollowingPins, StayWhereTheyAreWithoutALeader) {
  World world;
  const BodyId cloth = world.add(banner({0, 0, 1}), {"banner", {0.5, 0}, true});
  const Vec3 start = world.body(cloth).positions()[0];
  ASSERT_TRUE(world.step().ok());
  EXPECT_EQ(world.body(cloth).positions()[0], start);
}

TEST(FollowingPins, GoOnBitForBitFromAState) {
  Carried one, other;
  one.world.follow(one.cloth, first_row(), one.bar);
  other.world.follow(other.cloth, first_row(), other.bar);
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(one.world.step().ok());
  other.world.restore(one.world.snapshot());
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(one.world.step().ok());
    ASSERT_TRUE(other.world.step().ok());
  }
  EXPECT_EQ(one.world.snapshot().bodies, other.world.snapshot().bodies);
}

TEST(FollowingPins, WhatIsNoPinOrNoObstacleIsRefused) {
  Carried scene;
  EXPECT_THROW(scene.world.follow(scene.cloth, {VertexId(kCells + 2)}, scene.bar), Error);
  EXPECT_THROW(scene.world.follow(scene.cloth, {VertexId(9999)}, scene.bar), Error);
  EXPECT_THROW(scene.world.follow(scene.cloth, first_row(), scene.cloth), Error);
  EXPECT_THROW(scene.world.follow(BodyId(8), first_row(), scene.bar), Error);
  scene.world.follow(scene.cloth, first_row(), scene.bar);
  ASSERT_TRUE(scene.world.step().ok());
  EXPECT_THROW(scene.world.follow(scene.cloth, first_row(), scene.bar), Error);
}

using FollowingRecording = RecordingTest;

TEST_F(FollowingRecording, IsCheckedWithoutTheSeamAndFreeElsewhere) {
  Carried scene;
  scene.world.follow(scene.cloth, first_row(), scene.bar);
  RunInfo info;
  info.scene = "banner";
  info.frames = 20;
  info.method = "swept-bvh";
  ASSERT_TRUE(record_run(scene.world, info, folder()).done());
  const RecordedRun run = read_recorded_run(folder());
  EXPECT_NE(run.left_out.find("banner with bar around the 7 pins that follow it"), std::string::npos) << run.left_out;
  const auto detector = make_detector("swept-bvh");
  for (const CheckBody& body : run.bodies) detector->add_body(body.mesh, body.motion);
  detector->set_filter(run.filter);
  EXPECT_TRUE(detector->detect({0, static_cast<double>(run.times.size() - 1)}).contacts.empty());
}

}  // namespace
}  // namespace pliant
