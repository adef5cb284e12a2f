// Worlds whose searches have a time of their own.
#include <gtest/gtest.h>

#include "pliant/core/error.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

constexpr double kNoTime = 0;
constexpr double kHours = 1e4;

World falling_cube(std::optional<double> search_seconds, const ResponseSettings& response = {},
                   const std::string& method = "auto") {
  World world({.method = method, .response = response, .search_seconds = search_seconds});
  world.add(ground(), {"ground", {0.5, 0}, true});
  world.add(soft_cube({0, 0, 0.053}), {"cube", {0.5, 0}, true});
  return world;
}

ResponseSettings springs() {
  return {.kind = ResponseKind::penalty, .proof = {}, .penalty = {.seconds = 0.01, .damping = 0.5}};
}

// Until it lies on the ground.
void run_frames(World& world) {
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(world.step().ok());
}

TEST(SearchBudget, OneThatSufficesChangesNothing) {
  World limited = falling_cube(kHours), unlimited = falling_cube(std::nullopt);
  run_frames(limited);
  run_frames(unlimited);
  EXPECT_TRUE(limited.snapshot() == unlimited.snapshot());
}

TEST(SearchBudget, AProofThatIsCutShortEndsTheStepAndCommitsNothing) {
  World world = falling_cube(kNoTime);
  const BodyModel& cube = world.body(BodyId(1));
  const std::vector<Vec3> before(cube.positions().begin(), cube.positions().end());
  for (int call = 0; call < 2; ++call) {
    const FrameReport report = world.step();
    EXPECT_EQ(report.outcome, StepOutcome::out_of_budget);
    EXPECT_FALSE(report.message.empty());
    EXPECT_EQ(world.frame(), 0);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), cube.positions().begin()));
  }
  // With time enough it goes on from there.
  World other = falling_cube(kHours), whole = falling_cube(std::nullopt);
  other.restore(world.snapshot());
  run_frames(other);
  run_frames(whole);
  EXPECT_TRUE(other.snapshot() == whole.snapshot());
}

TEST(SearchBudget, SpringsWithTimeEnoughAnswerTheSameContactsWhateverTheMethod) {
  World limited = falling_cube(kHours, springs(), "anytime"), unlimited = falling_cube(std::nullopt, springs(), "bvh");
  run_frames(limited);
  run_frames(unlimited);
  EXPECT_EQ(limited.snapshot().bodies, unlimited.snapshot().bodies);
  EXPECT_LT(lowest(limited.body(BodyId(1))), 0) << "nothing overlaps, so that no spring was used";
}

// All that is left are two regions that are whole bodies: the steps are done, and nothing is lost from sight.
TEST(SearchBudget, StepsThatNeedNoProofAreDoneHoweverLittleTimeThereIs) {
  for (const char* method : {"anytime", "sphere-tree"}) {
    World world = falling_cube(kNoTime, springs(), method);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(world.step().ok()) << method;
    for (const Vec3& x : world.body(BodyId(1)).positions()) ASSERT_TRUE(x.allFinite()) << method;
    EXPECT_EQ(world.unproved_pairs().size(), 2u) << method;  // and the cube with itself
  }
}

}  // namespace
}  // namespace pliant
