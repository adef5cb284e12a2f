// Penalty forces from what an interrupted search leaves: momentum, no attraction, rest, at any cut.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/motion/embedding.h"
#include "pliant/response/least_overlap.h"
#include "pliant/world/region_sides.h"
#include "tests/response/step_builder.h"
#include "tests/support/soups.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

using testing::Dice;

// Bodies where they are, and what pushes them after so many operations.
struct PushedScene : StepBuilder {
  StepBody& add_closed(const MeshPtr& mesh, double mass) {
    StepBody& body = add(mesh, mass, {0.5, 0});
    body.has_outside = true;
    return body;
  }
  struct Pushes {
    std::vector<Vec3> on_body;  // sums, N
    std::vector<Impact> impacts;
    bool complete = false;
  };
  Pushes push(std::string_view method, std::uint64_t operations, const PenaltySettings& penalty = {}) const {
    DetectorSettings settings{.self = false};
    settings.threads = {1};
    if (method == "sphere-tree") settings.method = {{"exact", exact}, {"depth", std::int64_t{3}}};
    const auto detector = make_detector(method, settings);
    for (const StepBody& body : step.bodies) detector->add_body(body.mesh, Motion::at_rest(body.x_t0));
    const Report found = detector->detect(Interval::instant(0), Budget::operations(operations));
    const FlatStep flat(step);
    RegionSides sides(*detector, penalty.averaged);
    const std::vector<RegionOverlap> regions = sides.overlaps(found, step, flat);
    Pushes pushes;
    pushes.complete = found.complete;
    std::vector<Vec3> forces(flat.size(), Vec3::Zero());
    ResponseSettings response{.kind = ResponseKind::penalty, .proof = {}, .penalty = penalty};
    const auto springs = make_response(response)->forces(step, flat, {found.contacts, regions});
    springs->add(flat, forces);
    springs->add_impacts(pushes.impacts);
    for (const StepBody& body : step.bodies) {
      pushes.on_body.push_back(Vec3::Zero());
      for (const Vec3& f : flat.part(forces, body.id)) pushes.on_body.back() += f;
    }
    return pushes;
  }
  bool exact = true;
};

constexpr const char* kInterruptible[] = {"sphere-tree", "anytime"};

MeshPtr ball_at(const Vec3& place, double radius = 1) {
  return at(make_icosphere({.radius = radius, .frequency = 3}), place);
}

// Every cut from that of no operation to the complete one: visit(pushes).
template <class Visit>
void at_every_cut(const PushedScene& scene, std::string_view method, Visit&& visit) {
  for (std::uint64_t operations = 0;; operations = operations * 4 + 1) {
    const PushedScene::Pushes pushes = scene.push(method, operations);
    visit(pushes, operations);
    if (pushes.complete) return;
  }
}

RC_GTEST_PROP(RegionPenalty, BothSidesGetTheSameForceAtEveryCut, (std::uint64_t seed)) {
  Dice dice(seed);
  PushedScene scene;
  scene.exact = dice.below(2) == 0;
  scene.add_closed(make_torus({.segments = 8, .sides = 5}), dice.uniform(0.1, 2));
  scene.add_closed(ball_at(dice.point(-1.2, 1.2), 0.5), dice.uniform(0.1, 2));
  scene.add_closed(ball_at(dice.point(-1.2, 1.2), 0.4), dice.uniform(0.1, 2));
  for (StepBody& body : scene.step.bodies)
    for (Vec3& v : body.v_t1) v = dice.point(-1, 1);
  for (const char* method : kInterruptible)
    at_every_cut(scene, method, [&](const PushedScene::Pushes& pushes, std::uint64_t) {
      double size = 1e-300;
      for (const Impact& impact : pushes.impacts) size += impact.impulse.norm() / scene.step.seconds;
      RC_ASSERT((pushes.on_body[0] + pushes.on_body[1] + pushes.on_body[2]).norm() <= 1e-10 * size);
    });
}

RC_GTEST_PROP(RegionPenalty, NothingIsDrawnTogetherAtAnyCut, (std::uint64_t seed)) {
  Dice dice(seed);
  PushedScene scene;
  scene.exact = dice.below(2) == 0;
  scene.add_closed(make_torus({.segments = 8, .sides = 5}), 1);
  scene.add_closed(ball_at(dice.point(-1.2, 1.2), 0.5), 1);
  for (StepBody& body : scene.step.bodies) body.surface = {0, 0};
  for (const char* method : kInterruptible)
    at_every_cut(scene, method, [&](const PushedScene::Pushes& pushes, std::uint64_t) {
      for (const Impact& impact : pushes.impacts) {
        RC_ASSERT(impact.contact.depth > 0);
        RC_ASSERT(impact.impulse.dot(impact.contact.normal) > 0);
      }
    });
}

TEST(RegionPenalty, BallsThatAreApartAreLeftAloneAtEveryCut) {
  for (const Vec3& place : {Vec3(2.01, 0, 0), Vec3(0, -2.05, 0), Vec3(1.2, 1.2, 1.2)})
    for (const char* method : kInterruptible) {
      PushedScene scene;
      scene.add_closed(ball_at({0, 0, 0}), 1);
      scene.add_closed(ball_at(place), 1);
      at_every_cut(scene, method, [&](const PushedScene::Pushes& pushes, std::uint64_t operations) {
        EXPECT_TRUE(pushes.impacts.empty()) << method << " after " << operations;
      });
    }
}

TEST(RegionPenalty, WhatFloatsAboveTheGroundIsLeftAloneAtEveryCut) {
  for (const Vec3& place : {Vec3(0, 0, 0.11), Vec3(1.3, -0.7, 0.11), Vec3(-1.9, 1.9, 0.11)})
    for (const char* method : kInterruptible) {
      PushedScene scene;
      scene.add_closed(at(make_box({.size = {4, 4, 0.1}, .cells = {4, 4, 1}}), {0, 0, -0.05}), kInfinite);
      scene.add_closed(ball_at(place, 0.1), 1);
      at_every_cut(scene, method, [&](const PushedScene::Pushes& pushes, std::uint64_t operations) {
        EXPECT_TRUE(pushes.impacts.empty()) << method << " after " << operations;
      });
    }
}

TEST(RegionPenalty, WhatSinksIntoTheGroundIsPushedUpAtEveryCut) {
  for (const Vec3& place : {Vec3(0, 0, 0.09), Vec3(0.7, 0.3, 0.05), Vec3(1.3, -0.7, 0.08)})
    for (const char* method : kInterruptible) {
      PushedScene scene;
      scene.add_closed(at(make_box({.size = {4, 4, 0.1}, .cells = {4, 4, 1}}), {0, 0, -0.05}), kInfinite);
      scene.add_closed(ball_at(place, 0.1), 1);
      at_every_cut(scene, method, [&](const PushedScene::Pushes& pushes, std::uint64_t operations) {
        const Vec3& f = pushes.on_body[1];
        EXPECT_GT(f.z(), 0) << method << " after " << operations;
        EXPECT_LT(f.head<2>().norm(), 0.3 * f.z()) << method << " after " << operations;
      });
    }
}

TEST(RegionPenalty, AveragesBreakActionAndReactionAsPrinted) {
  PushedScene scene;
  scene.exact = false;
  scene.add_closed(ball_at({0, 0, 0}), 1);
  scene.add_closed(at(make_torus({.segments = 9, .sides = 6}), {1.1, 0.3, 0.2}), 1);
  const auto pushes = scene.push("sphere-tree", 1000000, {.averaged = true});
  ASSERT_FALSE(pushes.impacts.empty());
  EXPECT_GT((pushes.on_body[0] + pushes.on_body[1]).norm(), 1e-3 * pushes.on_body[0].norm());
}

TEST(LeastOverlap, AFaceThatIsMoreThanHalfThroughGoesBackOut) {
  // The ground looks up; a small face hangs through it, most of it below.
  const std::vector<Vec3> ground{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  const std::vector<Vec3> face{{0, 0, 0.1}, {0.1, 0, -0.9}, {0, 0.1, -0.9}};
  const std::vector<Vec3> up{{0, 0, 1}};
  const auto out = least_overlap({face, {}}, {ground, up}, {0, 0, -1});
  ASSERT_TRUE(out);
  EXPECT_NEAR(out->depth, 0.9, 1e-12);
  EXPECT_EQ(out->normal, Vec3(0, 0, 1));
  const std::vector<Vec3> above{{0, 0, 1}, {0.1, 0, 0.5}};
  EXPECT_FALSE(least_overlap({above, {}}, {ground, up}, {0, 0, -1}));
}

// A soft cube on the ground, held up by springs from spheres alone.
double rest_height(const MethodSettings& own, Mode mode = Mode::safe) {
  World world({.method = "sphere-tree",
               .mode = mode,
               .method_settings = {{"sphere-tree", own}},
               .response = {.kind = ResponseKind::penalty}});
  world.add(std::make_unique<FixedBody>(placed(make_box({.size = {2, 2, 0.1}, .cells = {4, 4, 1}}), {0, 0, -0.05})),
            {"ground", {0.5, 0}, true});
  const BodyId cube = world.add(soft_cube({0.1, 0.05, 0.08}), {"cube", {0.5, 0}, true});
  for (int k = 0; k < 90; ++k) EXPECT_TRUE(world.step().ok());
  EXPECT_LT(centre_of(world.body(cube)).head<2>().norm(), 0.2);
  return lowest(world.body(cube));
}

TEST(RegionPenalty, ABodyComesToRestOnTheGroundWhateverTheDetail) {
  for (const std::int64_t depth : {0, 2})
    for (const bool exact : {false, true}) {
      const double height = rest_height({{"depth", depth}, {"exact", exact}});
      EXPECT_GT(height, -0.02) << depth << exact;
      EXPECT_LT(height, 0.005) << depth << exact;
    }
}

}  // namespace
}  // namespace pliant
