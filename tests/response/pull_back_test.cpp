// Particles behind surfaces go back to them: one surface, a corner, masses, momentum, order, paths.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/detect/registry.h"
#include "pliant/mesh/shapes.h"
#include "pliant/response/flat_step.h"
#include "pliant/response/pair_response.h"
#include "pliant/response/pierced_particles.h"
#include "tests/response/step_builder.h"
#include "tests/support/soups.h"

namespace pliant {
namespace {

using testing::Dice;

struct PullScene : StepBuilder {
  std::vector<Contact> contacts() const {
    const auto detector = make_detector("subdivided-boxes");
    for (const StepBody& body : step.bodies) detector->add_body(body.mesh, Motion::at_rest(Frame::own(body.x_t1)));
    return detector->detect(Interval::instant(0)).contacts;
  }
  std::vector<Impact> answer(const PullBackSettings& own = {}) {
    ResponseSettings settings;
    settings.kind = ResponseKind::pull_back;
    settings.pull_back = own;
    FlatStep flat(step);
    std::vector<Impact> impacts;
    make_response(settings)->move_ends(step, flat, contacts(), impacts);
    flat.write_to(step);
    return impacts;
  }
};

void shift(StepBody& body, const Vec3& way) {
  for (Vec3& x : body.x_t1) x += way;
}

MeshPtr slab() { return at(make_box({.size = {4, 4, 1}, .cells = {5, 5, 1}}), {0.03, 0.01, -0.5}); }
MeshPtr small_ball(const Vec3& place) { return at(make_icosphere({.radius = 0.1, .frequency = 4}), place); }

double lowest_end(const StepBody& body) {
  double low = body.x_t1[0].z();
  for (const Vec3& x : body.x_t1) low = std::min(low, x.z());
  return low;
}

Vec3 total_momentum(const Step& step) {
  Vec3 sum = Vec3::Zero();
  for (const StepBody& body : step.bodies) sum += momentum(body);
  return sum;
}

// The common line of two nearly coplanar faces is far away: going there drags the sheet along itself.
TEST(PullBack, FacesOfOneSheetMakeACornerOnlyWhereItIsSharp) {
  PiercedSurface one, other;
  one.body = other.body = BodyId(0);
  one.normal = {0, 0, 1};
  other.normal = Vec3(0.1, 0, 1).normalized();
  EXPECT_FALSE(makes_corner(one, other));
  other.body = BodyId(1);
  EXPECT_TRUE(makes_corner(one, other));
  other.body = BodyId(0);
  other.normal = Vec3(1, 0, 1).normalized();
  EXPECT_TRUE(makes_corner(one, other));
}

TEST(PullBack, PutsEveryParticleBackOntoTheGround) {
  for (const double depth : {0.001, 0.03, 0.12}) {  // at 0.12 most particles have no edge that pierces anything
    PullScene scene;
    scene.add(slab(), kInfinite);
    StepBody& ball = scene.add(small_ball({0, 0, 0.11}), 1);
    shift(ball, {0, 0, -0.01 - depth});
    for (Vec3& v : ball.v_t1) v = {1, 0, -2};
    const std::vector<Vec3> before = ball.x_t1;
    EXPECT_LT(lowest_end(ball), 0);
    EXPECT_FALSE(scene.answer().empty());
    const StepBody& after = scene.step.bodies[1];
    EXPECT_GE(lowest_end(after), 0) << depth;
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(after.x_t1[i].x(), before[i].x(), 1e-12);  // along the normal
      EXPECT_NEAR(after.x_t1[i].y(), before[i].y(), 1e-12);
      if (before[i].z() > 1e-9) {
        EXPECT_EQ(after.x_t1[i], before[i]);
        EXPECT_EQ(after.v_t1[i], Vec3(1, 0, -2));
      } else if (before[i].z() < -1e-9) {
        EXPECT_NEAR(after.v_t1[i].z(), 0, 1e-12);
      }
    }
  }
}

TEST(PullBack, RestitutionAndFrictionAreThoseOfTheSkins) {
  PullScene scene;
  scene.add(slab(), kInfinite, {0.25, 0.5});
  StepBody& ball = scene.add(small_ball({0, 0, 0.098}), 1, {0.25, 0});
  for (Vec3& v : ball.v_t1) v = {3, 0, -2};
  scene.answer();
  int bounced = 0;
  for (std::size_t i = 0; i < scene.step.bodies[1].v_t1.size(); ++i)
    if (const Vec3 v = scene.step.bodies[1].v_t1[i]; v.z() > 0) {
      ++bounced;
      EXPECT_NEAR(v.z(), 1, 1e-12);
      EXPECT_NEAR(v.x(), 3 - 0.25 * 3, 1e-12);  // friction times (1 + restitution) approach
    }
  EXPECT_GT(bounced, 0);
}

TEST(PullBack, LiteralRulesAreThoseOfThePaper) {
  PullScene scene;
  scene.add(slab(), kInfinite);
  StepBody& ball = scene.add(small_ball({0, 0, 0.098}), 1);
  for (Vec3& v : ball.v_t1) v = {3, 0, -4};
  const FlatStep flat(scene.step);
  const PiercedParticles pierced = find_pierced(scene.step, flat, scene.contacts());
  ASSERT_FALSE(pierced.particles.empty());
  scene.answer({.literal_position = true, .literal_velocity = true});
  for (const PiercedParticle& particle : pierced.particles) {
    const std::size_t v = particle.slot - flat.first[1];
    EXPECT_LT((scene.step.bodies[1].x_t1[v] - particle.first.point).norm(), 1e-6);  // the nearest intersection point
    EXPECT_NEAR((scene.step.bodies[1].v_t1[v] - Vec3(0, 0, 5)).norm(), 0, 1e-12);   // |v| along the normal
  }
}

TEST(PullBack, AnEdgeThatPassesUnderARidgeHasNoEndInside) {
  // A wedge with its ridge along y, and a long thin triangle across it, below the ridge: in on one side, out on the
  // other.
  PullScene scene;
  scene.add(make_box({.size = {1, 1, 1}}), 1);
  for (Vec3& x : scene.step.bodies[0].x_t1)
    if (x.z() > 0) x.x() *= 0.01;
  const MeshPtr thin =
      std::make_shared<const TriangleMesh>(std::vector<Vec3>{{-2, 0.1, 0.4}, {2, 0.1, 0.4}, {0.1, 0.2, 3}},
                                           std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
  scene.add(thin, 1);
  const FlatStep flat(scene.step);
  const PiercedParticles pierced = find_pierced(scene.step, flat, scene.contacts());
  for (const PiercedParticle& particle : pierced.particles) EXPECT_NE(flat.body_at(particle.slot), BodyId(1));
}

RC_GTEST_PROP(PullBack, KeepsMomentumAndMovesTheLighterSideMore, (std::uint64_t seed)) {
  Dice dice(seed);
  PullScene scene;
  scene.add(small_ball({0, 0, 0}), 1);
  scene.add(small_ball({0.19, dice.uniform(-0.02, 0.02), dice.uniform(-0.02, 0.02)}), 3);
  for (StepBody& body : scene.step.bodies)
    for (Vec3& v : body.v_t1) v = dice.point(-1, 1) + Vec3(body.id.value == 0 ? 2 : -2, 0, 0);
  const Vec3 before = total_momentum(scene.step);
  const auto centre = [&](std::size_t b) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : scene.step.bodies[b].x_t1) sum += x;
    return Vec3(sum / static_cast<double>(scene.step.bodies[b].x_t1.size()));
  };
  const Vec3 a = centre(0), b = centre(1);
  const std::vector<Impact> impacts = scene.answer();
  RC_ASSERT(!impacts.empty());
  RC_ASSERT((total_momentum(scene.step) - before).norm() < 1e-9);
  const Vec3 moved_a = centre(0) - a, moved_b = centre(1) - b;
  RC_ASSERT((moved_a + 3 * moved_b).norm() < 1e-12);  // masses 1 and 3
  RC_ASSERT(moved_a.x() < 0);
}

RC_GTEST_PROP(PullBack, TheOrderOfContactsDoesNotMatter, (std::uint64_t seed)) {
  Dice dice(seed);
  PullScene scene;
  scene.add(slab(), kInfinite);
  scene.add(small_ball({0, 0, 0.05}), 1);
  scene.add(small_ball({0.15, dice.uniform(-0.05, 0.05), 0.1}), 2);
  for (StepBody& body : scene.step.bodies)
    for (Vec3& v : body.v_t1) v = dice.point(-1, 1);
  std::vector<Contact> contacts = scene.contacts();
  ResponseSettings settings;
  settings.kind = ResponseKind::pull_back;
  const auto run = [&] {
    FlatStep flat(scene.step);
    std::vector<Impact> impacts;
    make_response(settings)->move_ends(scene.step, flat, contacts, impacts);
    return flat;
  };
  const FlatStep first = run();
  for (std::size_t i = contacts.size(); i-- > 1;)
    std::swap(contacts[i], contacts[dice.below(static_cast<std::uint32_t>(i + 1))]);
  const FlatStep second = run();
  for (std::size_t i = 0; i < first.size(); ++i) {
    RC_ASSERT((first.x_t1[i] - second.x_t1[i]).norm() < 1e-12);
    RC_ASSERT((first.v_t1[i] - second.v_t1[i]).norm() < 1e-12);
  }
}

TEST(PullBack, InACornerBothPlanesHold) {
  // A valley between two slabs at 45 degrees, and a small tetrahedron whose lowest corner is behind both.
  PullScene scene;
  for (const double angle : {0.7853981633974483, -0.7853981633974483})
    scene.add(
        with_positions(*make_box({.size = {4, 4, 1}, .cells = {1, 1, 1}}),
                       transformed(at(make_box({.size = {4, 4, 1}, .cells = {1, 1, 1}}), {0, 0, -0.5})->positions(),
                                   rigid({0, 1, 0}, angle))),
        kInfinite);
  const MeshPtr tip = std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{{0.01, 0.3, -0.05}, {0.4, 0.35, 0.6}, {-0.4, 0.33, 0.6}, {0.02, 0.6, 0.7}},
      std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(3)},
                            {VertexId(0), VertexId(2), VertexId(1)},
                            {VertexId(0), VertexId(3), VertexId(2)},
                            {VertexId(1), VertexId(2), VertexId(3)}});
  StepBody& body = scene.add(tip, 1);
  for (Vec3& v : body.v_t1) v = {0, 0, -1};
  scene.answer();
  const Vec3 p = scene.step.bodies[2].x_t1[0];
  const double s = std::sqrt(0.5);
  for (const Vec3& n : {Vec3(s, 0, s), Vec3(-s, 0, s)}) EXPECT_GE(n.dot(p), -1e-9);
  EXPECT_GE(scene.step.bodies[2].v_t1[0].z(), -1e-12);
}

TEST(PullBack, WhatPassedThroughIsPutBackOnItsOwnSide) {
  PullScene scene;
  scene.add(slab(), kInfinite);
  StepBody& ball = scene.add(small_ball({0, 0, 0.2}), 1);
  shift(ball, {0.05, 0, -2.5});  // through all of the slab
  for (Vec3& v : ball.v_t1) v = {5, 0, -250};
  EXPECT_TRUE(scene.contacts().empty());
  const auto paths = make_detector("swept-bvh");
  for (const StepBody& body : scene.step.bodies)
    paths->add_body(body.mesh, Motion::linear(body.x_t0, Frame::own(body.x_t1)));
  ResponseSettings settings;
  settings.kind = ResponseKind::pull_back;
  FlatStep flat(scene.step);
  std::vector<Impact> impacts;
  make_response(settings)->move_paths(scene.step, flat, paths->detect({0, 1}).contacts, impacts);
  flat.write_to(scene.step);
  EXPECT_GE(lowest_end(scene.step.bodies[1]), 0);
  for (const Vec3& v : scene.step.bodies[1].v_t1) EXPECT_GE(v.z(), -1e-9);
}

}  // namespace
}  // namespace pliant
