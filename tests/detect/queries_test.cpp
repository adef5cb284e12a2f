#include "pliant/detect/queries.h"

#include <gtest/gtest.h>

#include <limits>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/support/soups.h"

namespace pliant {
namespace {

using testing::Dice;
using testing::moved;

void expect_same(const std::vector<Contact>& found, const std::vector<Contact>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].a, expected[i].a);
    EXPECT_EQ(found[i].b, expected[i].b);
    EXPECT_EQ(found[i].relation, expected[i].relation);
  }
}

TEST(Queries, IntersectionsAreThoseOfBruteForce) {
  Dice dice(7);
  for (int round = 0; round < 10; ++round) {
    const MeshPtr a = testing::grid_soup(dice, 12, 30, 3), b = testing::grid_soup(dice, 12, 30, 3);
    const auto oracle = make_detector("brute-force", {.self = false});
    oracle->add_body(a);
    oracle->add_body(b);
    expect_same(intersections(a, b), oracle->detect(Interval::instant(0)).contacts);
    const auto self = make_detector("brute-force");
    self->add_body(a);
    expect_same(self_intersections(a), self->detect(Interval::instant(0)).contacts);
  }
}

TEST(Queries, TakePositionsInPlaceOfThoseAtRest) {
  const MeshPtr ball = make_icosphere(), box = make_box();
  EXPECT_FALSE(intersections(ball, {box, moved(box, {1, 0, 0})}).empty());
  EXPECT_TRUE(intersections(ball, {box, moved(box, {5, 0, 0})}).empty());
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .side_rings = 64});
  EXPECT_TRUE(self_intersections(tube).empty());
  EXPECT_FALSE(self_intersections({tube, bent(tube->positions(), 1.3)}).empty());
}

TEST(Queries, FirstImpactIsTheFirstContactOfBruteForce) {
  Dice dice(8);
  int impacts = 0;
  for (int round = 0; round < 20; ++round) {
    const MeshPtr a = testing::loose_soup(dice, 8, 1, 0.5), b = testing::loose_soup(dice, 8, 1, 0.5);
    const auto from = moved(a, {0, 0, 4}), to = moved(a, {0.3, 0, 0});
    const auto oracle = make_detector("brute-force", {.self = false});
    oracle->add_body(a, Motion::linear(Frame::own(from), Frame::own(to)));
    oracle->add_body(b);
    const Report report = oracle->detect({0, 1});
    const auto impact = first_impact({a, from, to}, b);
    ASSERT_EQ(impact.has_value(), !report.contacts.empty());
    if (!impact) continue;
    ++impacts;
    EXPECT_EQ(impact->time, report.contacts[0].time);
    EXPECT_EQ(impact->a, report.contacts[0].a);
    EXPECT_EQ(impact->b, report.contacts[0].b);
    EXPECT_FALSE(impact->initial);
  }
  EXPECT_GT(impacts, 10);
}

TEST(Queries, FirstImpactOfAMeshWithItself) {
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .side_rings = 64});
  const auto open = bent(tube->positions(), 0.7), closed = bent(tube->positions(), 1.3);
  const auto impact = first_impact({tube, open, closed});
  ASSERT_TRUE(impact);
  EXPECT_GT(impact->time, 0);
  EXPECT_FALSE(first_impact({tube, open, open}));
}

TEST(Queries, FirstImpactIsAtTheStartIfTheyIntersectThere) {
  const MeshPtr ball = make_icosphere(), box = make_box({.size = Vec3(0.5, 0.5, 3)});
  const auto impact = first_impact({ball, ball->positions(), moved(ball, {0, 0, 9})}, box);
  ASSERT_TRUE(impact);
  EXPECT_EQ(impact->time, 0);
  EXPECT_TRUE(impact->initial);
  EXPECT_EQ(impact->kind(), ContactKind::triangle_triangle);
}

TEST(Queries, RefuseWhatDoesNotFit) {
  const MeshPtr ball = make_icosphere(), box = make_box();
  EXPECT_THROW(intersections(ball, {box, ball->positions()}), Error);
  EXPECT_THROW(intersections(ball, MeshPtr()), Error);
  EXPECT_THROW(self_intersections(MeshPtr()), Error);
  EXPECT_THROW(first_impact({box, box->positions(), ball->positions()}), Error);
  auto bad = moved(box, {0, 0, 0});
  bad[2].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(intersections(ball, {box, bad}), Error);
  EXPECT_THROW(first_impact({box, bad, bad}), Error);
}

}  // namespace
}  // namespace pliant
