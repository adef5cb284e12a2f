// Pairs whose contacts are answered without a proof, beside others that are proved.
#include <gtest/gtest.h>

#include "pliant/core/error.h"
#include "pliant/world/record_run.h"
#include "pliant/world/recorded_run.h"
#include "tests/world/recorded.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

constexpr double kWeight = 9.81;

ResponseSettings penalty(double seconds = 0.01) {
  return {.kind = ResponseKind::penalty, .proof = {}, .penalty = {.seconds = seconds, .damping = 0.5}};
}

// A soft cube over the ground, held up by springs alone.
struct CubeOnSprings {
  explicit CubeOnSprings(const ResponseSettings& response, int substeps = 1) : world({.substeps = substeps}) {
    world.add(ground(), {"ground", {0.5, 0}, true});
    cube = world.add(soft_cube({0, 0, 0.051}), {"cube", {0.5, 0}, true});
    world.set_response(BodyId(0), cube, response);
  }
  World world;
  BodyId cube;
};

TEST(UnprovedPairs, SpringsCarryABodyASlightWayIn) {
  CubeOnSprings scene(penalty());
  ImpulseOnBody1 weigh;
  for (int k = 0; k < 120; ++k) ASSERT_TRUE(scene.world.step().ok());
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(scene.world.step({}, &weigh).ok());
  EXPECT_LT(lowest(scene.world.body(scene.cube)), 0) << "nothing overlaps, so that no spring was used";
  EXPECT_GT(lowest(scene.world.body(scene.cube)), -0.02);
  EXPECT_NEAR(weigh.sum.z(), kWeight, 0.1 * kWeight);
}

TEST(UnprovedPairs, AreNamedByTheWorldAndOthersAreProved) {
  CubeOnSprings scene(penalty());
  const BodyId other = scene.world.add(soft_cube({0.3, 0, 0.2}), {"other", {0.5, 0}, true});
  const auto unproved = scene.world.unproved_pairs();
  ASSERT_EQ(unproved.size(), 1u);
  EXPECT_EQ(unproved[0].a, BodyId(0));
  EXPECT_EQ(unproved[0].b, scene.cube);
  EXPECT_EQ(unproved[0].response, ResponseKind::penalty);
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(scene.world.step().ok());
  EXPECT_GT(lowest(scene.world.body(other)), 0) << "kept apart by proof";
}

TEST(UnprovedPairs, AWorldOfSpringsNeedsNoContinuousMethod) {
  World world({.response = penalty()});
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId cube = world.add(soft_cube({0, 0, 0.06}), {"cube", {0.5, 0}, true});
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(world.step().ok());
  EXPECT_EQ(world.method_in_use(), "bvh");
  EXPECT_NEAR(centre_of(world.body(cube)).z(), 0.05, 0.02);
}

TEST(UnprovedPairs, MethodsThatDoNotFitAreRefused) {
  World world;
  const BodyId a = world.add(ground(), {"ground", {}, true});
  const BodyId b = world.add(soft_cube({0, 0, 0.06}), {"cube", {}, true});
  EXPECT_THROW(world.set_response(a, b, penalty(), "kinetic"), Error);
  EXPECT_THROW(world.set_response(a, b, {}, "bvh"), Error);
  EXPECT_THROW(world.set_response(a, b, penalty(0), "bvh"), Error);
  EXPECT_THROW(world.set_response(a, BodyId(7), penalty(), "bvh"), Error);
  EXPECT_THROW(World({.method = "kinetic", .response = penalty()}), Error);
}

TEST(UnprovedPairs, ContinueBitForBitFromAState) {
  CubeOnSprings one(penalty()), other(penalty());
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(one.world.step().ok());
  other.world.restore(one.world.snapshot());
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(one.world.step().ok());
    ASSERT_TRUE(other.world.step().ok());
  }
  EXPECT_EQ(one.world.snapshot().bodies, other.world.snapshot().bodies);
}

using UnprovedRecording = RecordingTest;

TEST_F(UnprovedRecording, IsCheckedWithoutThem) {
  CubeOnSprings scene(penalty());
  RunInfo info;
  info.scene = "springs";
  info.frames = 30;
  info.method = "auto";
  const RunEnding ending = record_run(scene.world, info, folder());
  ASSERT_TRUE(ending.done()) << ending.info.message;
  ASSERT_EQ(ending.info.unproved.size(), 1u);
  const RecordedRun run = read_recorded_run(folder());
  EXPECT_NE(run.left_out.find("ground with cube (answered by penalty)"), std::string::npos) << run.left_out;
  EXPECT_EQ(read_run(folder()).unproved.size(), 1u);
  const RecordedRun whole = read_recorded_run(folder(), true);
  EXPECT_EQ(whole.left_out.find("penalty"), std::string::npos) << whole.left_out;
  EXPECT_TRUE(whole.filter->bodies(BodyId(0), BodyId(1)));
  EXPECT_FALSE(run.filter->bodies(BodyId(0), BodyId(1)));
}

}  // namespace
}  // namespace pliant
