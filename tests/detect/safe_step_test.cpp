// Steps that safe_step allows hold no contact, and what is there at the start is listed.
#include "pliant/detect/safe_step.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/error.h"
#include "tests/detect/motions.h"

namespace pliant::testing {
namespace {

RC_GTEST_PROP(SafeStep, NothingNewMeetsUpToTheFractionAndSomethingSoonAfter, (std::uint64_t seed)) {
  Dice dice(seed);
  const Mover m = thrown(dice, crumpled_sheet(dice, 6, dice.uniform(0, 0.1)), 2, dice.uniform(0, 0.2), Vec3::Zero());
  const auto x_t0 = m.motion.frame(0).positions(), x_t1 = m.motion.frame(1).positions();
  const SafeStep step = safe_step(m.mesh, x_t0, x_t1);
  RC_ASSERT(step.complete);
  RC_ASSERT(step.fraction >= 0 && step.fraction <= 1);
  const Report all = detect_moving("brute-force", {m}, {0, 1});
  std::size_t initial = 0;
  double first = 2;
  for (const Contact& c : all.contacts) {
    if (c.initial) ++initial;
    else first = std::min(first, c.time);
  }
  RC_ASSERT(step.initial.size() == initial);
  RC_ASSERT(step.first.has_value() == (first <= 1));
  if (step.first) {
    RC_ASSERT(step.fraction <= first);
    RC_ASSERT(step.fraction >= first - 1e-15);
  } else {
    RC_ASSERT(step.fraction == 1);
  }
  RC_ASSERT(face_pairs(detect_still("bvh", {m.mesh})).size() == step.intersecting.size());
}

TEST(SafeStep, SeveralBodiesStopBeforeTheFirstOfThemMeets) {
  Dice dice(1);
  const MeshPtr sheet = crumpled_sheet(dice, 4, 0);
  SafeStepper stepper;
  const BodyId lower = stepper.add_body(sheet);
  const BodyId upper = stepper.add_body(sheet);
  std::vector<Vec3> high = positions_of(*sheet), low = high;
  for (Vec3& p : high) p.z() += 1;
  for (Vec3& p : low) p.z() -= 1;
  stepper.set_step(upper, high, low);
  const SafeStep step = stepper.find();
  EXPECT_LT(step.fraction, 0.5);
  EXPECT_NEAR(step.fraction, 0.5, 1e-9);
  ASSERT_TRUE(step.first.has_value());
  EXPECT_EQ(std::min(step.first->a.body, step.first->b.body), lower);
  EXPECT_TRUE(step.initial.empty());
  EXPECT_TRUE(step.intersecting.empty());

  stepper.set_step(upper, high, high);
  EXPECT_EQ(stepper.find().fraction, 1);
}

TEST(SafeStep, IntersectionsAtTheStartAreListedAndDoNotStopTheStep) {
  Dice dice(1);
  const MeshPtr sheet = crumpled_sheet(dice, 2, 0);
  const MeshPtr needle =
      std::make_shared<const TriangleMesh>(std::vector<Vec3>{{0.3, 0.2, -1}, {0.31, 0.2, 1}, {0.3, 0.21, 1}},
                                           std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
  SafeStepper stepper;
  stepper.add_body(sheet);
  stepper.add_body(needle);
  const SafeStep step = stepper.find();
  EXPECT_EQ(step.fraction, 1);
  EXPECT_FALSE(step.intersecting.empty());
}

TEST(SafeStep, KeepsTheMinimumSeparation) {
  Dice dice(1);
  const MeshPtr sheet = crumpled_sheet(dice, 3, 0);
  SafeStepSettings settings;
  settings.min_separation = 0.25;
  settings.self = false;
  SafeStepper stepper(settings);
  stepper.add_body(sheet);
  const BodyId upper = stepper.add_body(sheet);
  std::vector<Vec3> high = positions_of(*sheet), low = high;
  for (Vec3& p : high) p.z() += 1;
  for (Vec3& p : low) p.z() -= 1;
  stepper.set_step(upper, high, low);
  EXPECT_NEAR(stepper.find().fraction, 0.375, 1e-6);
  EXPECT_LT(stepper.find().fraction, 0.375);
}

TEST(SafeStep, AnEmptyBudgetProvesNothingAndBadPositionsAreRefused) {
  Dice dice(1);
  const MeshPtr sheet = crumpled_sheet(dice, 4, 0);
  SafeStepper stepper;
  const BodyId body = stepper.add_body(sheet);
  stepper.set_step(body, sheet->positions(), sheet->positions());
  const SafeStep step = stepper.find(Budget::operations(1));
  EXPECT_FALSE(step.complete);
  EXPECT_EQ(step.fraction, 0);
  EXPECT_THROW(stepper.set_step(body, sheet->positions().subspan(1), sheet->positions()), Error);
}

}  // namespace
}  // namespace pliant::testing
