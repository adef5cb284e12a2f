// A minimum separation: nearness at the start excuses nearness, never a touch.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "pliant/detect/safe_step.h"
#include "pliant/mesh/topology.h"
#include "tests/detect/motions.h"
#include "tests/oracle/ccd_oracle.h"

namespace pliant::testing {
namespace {

constexpr double kSeparation = 1e-4;
constexpr std::array kMovingMethods{"brute-force", "swept-bvh", "swept-classical", "kinetic", "kinetic-events"};

MeshPtr triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return std::make_shared<const TriangleMesh>(std::vector<Vec3>{a, b, c},
                                              std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
}

// A spike over a floor, its tip at these heights.
std::vector<Mover> spike_over_floor(const std::vector<double>& heights) {
  const MeshPtr floor = triangle({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  const MeshPtr spike = triangle({1, 1, 0}, {1.25, 1, 2}, {1, 1.25, 2});
  std::vector<Frame> frames;
  for (const double height : heights) {
    std::vector<Vec3> x = positions_of(*spike);
    for (Vec3& p : x) p.z() += height;
    frames.push_back(Frame::own(std::move(x)));
  }
  return {{floor, Motion::at_rest(floor)}, {spike, Motion::keyframes(std::move(frames))}};
}

DetectorSettings separated(double distance = kSeparation) {
  DetectorSettings settings;
  settings.min_separation = distance;
  return settings;
}

TEST(MinSeparation, WhatIsNearAndThenGoesThroughHasItsImpact) {
  for (const char* method : kMovingMethods) {
    SCOPED_TRACE(method);
    const Report report = detect_moving(method, spike_over_floor({5e-5, -0.05}), {0, 1}, separated());
    ASSERT_EQ(report.contacts.size(), 1u);
    EXPECT_FALSE(report.contacts[0].initial);
    EXPECT_EQ(report.contacts[0].relation, Relation::touching);
    EXPECT_NEAR(report.contacts[0].time, 5e-5 / 0.05005, 1e-9);
    EXPECT_GT(report.contacts[0].normal.z(), 0.99);
  }
}

TEST(MinSeparation, WhatIsNearAndNeverTouchesIsInitialAndNear) {
  for (const char* method : kMovingMethods) {
    SCOPED_TRACE(method);
    const Report report = detect_moving(method, spike_over_floor({5e-5, 2e-5}), {0, 1}, separated());
    ASSERT_EQ(report.contacts.size(), 1u);
    EXPECT_TRUE(report.contacts[0].initial);
    EXPECT_EQ(report.contacts[0].time, 0);
    EXPECT_EQ(report.contacts[0].relation, Relation::near);
  }
}

TEST(MinSeparation, WhatComesNearIsReportedThenAndSaysWhetherItTouchesLater) {
  for (const char* method : kMovingMethods) {
    SCOPED_TRACE(method);
    for (const double end : {5e-5, -1.0}) {
      const Report report = detect_moving(method, spike_over_floor({1, end}), {0, 1}, separated());
      ASSERT_EQ(report.contacts.size(), 1u);
      EXPECT_FALSE(report.contacts[0].initial);
      EXPECT_EQ(report.contacts[0].relation, end > 0 ? Relation::near : Relation::touching);
      EXPECT_NEAR(report.contacts[0].time, (1 - kSeparation) / (1 - end), 1e-9);
    }
  }
}

TEST(MinSeparation, ATouchAtAKeyframeIsTheLaterSegments) {
  for (const char* method : kMovingMethods) {
    SCOPED_TRACE(method);
    const auto detector = make_detector(method, separated());
    for (const Mover& m : spike_over_floor({5e-5, 0, 5e-5})) detector->add_body(m.mesh, m.motion);
    const Report both = detector->detect({0, 2});
    ASSERT_EQ(both.contacts.size(), 2u);
    EXPECT_EQ(both.contacts[0].time, 0);
    EXPECT_EQ(both.contacts[0].relation, Relation::near);
    EXPECT_TRUE(both.contacts[0].initial);
    EXPECT_EQ(both.contacts[1].time, 1);
    EXPECT_EQ(both.contacts[1].relation, Relation::touching);
    const Report closed = detector->detect({0, 1});
    ASSERT_EQ(closed.contacts.size(), 1u);
    EXPECT_FALSE(closed.contacts[0].initial);
    EXPECT_NEAR(closed.contacts[0].time, 1, 1e-9);
    detector->set_open_end(true);
    const Report open = detector->detect({0, 1});
    ASSERT_EQ(open.contacts.size(), 1u);
    EXPECT_TRUE(open.contacts[0].initial);
    EXPECT_EQ(open.contacts[0].relation, Relation::near);
  }
}

TEST(MinSeparation, ATouchAtTheEndOfASegmentThatIsAskedForInPartsIsFound) {
  for (const char* method : {"kinetic", "kinetic-events"}) {
    SCOPED_TRACE(method);
    const auto detector = make_detector(method, separated());
    for (const Mover& m : spike_over_floor({5e-5, 0})) detector->add_body(m.mesh, m.motion);
    EXPECT_EQ(detector->detect({0, 0.5}).contacts.size(), 1u);
    const Report rest = detector->detect({0.5, 1});
    ASSERT_EQ(rest.contacts.size(), 1u);
    EXPECT_EQ(rest.contacts[0].relation, Relation::touching);
  }
}

TEST(MinSeparation, TheEarliestAndAnyHeedIt) {
  for (const char* method : kMovingMethods) {
    SCOPED_TRACE(method);
    DetectorSettings settings = separated();
    settings.earliest = true;
    const Report report = detect_moving(method, spike_over_floor({5e-5, -0.05}), {0, 1}, settings);
    ASSERT_EQ(report.contacts.size(), 1u);
    EXPECT_FALSE(report.contacts[0].initial);
    const auto detector = make_detector(method, separated());
    for (const Mover& m : spike_over_floor({5e-5, -0.05})) detector->add_body(m.mesh, m.motion);
    EXPECT_EQ(detector->collides({0, 1}), true);
  }
}

TEST(MinSeparation, ASafeStepEndsBeforeTheImpact) {
  const std::vector<Mover> movers = spike_over_floor({5e-5, -0.05});
  SafeStepSettings settings;
  settings.min_separation = kSeparation;
  SafeStepper stepper(settings);
  stepper.add_body(movers[0].mesh);
  const BodyId spike = stepper.add_body(movers[1].mesh);
  const Frame start = movers[1].motion.positions_at(0), end = movers[1].motion.positions_at(1);
  stepper.set_step(spike, start.positions(), end.positions());
  const SafeStep step = stepper.find();
  EXPECT_LT(step.fraction, 5e-5 / 0.05005);
  EXPECT_NEAR(step.fraction, 5e-5 / 0.05005, 1e-9);
  ASSERT_TRUE(step.first.has_value());
  EXPECT_TRUE(step.initial.empty());
}

// ---- against the oracle ----

CcdQuery query_of(const std::vector<Mover>& movers, const Contact& c, CcdKind kind) {
  CcdQuery query;
  std::size_t at = 0;
  const auto add = [&](const Feature& f, VertexId v) {
    const Motion& motion = movers[f.body.index()].motion;
    query.x_t0[at] = motion.positions_at(0).positions()[v.index()];
    query.x_t1[at++] = motion.positions_at(1).positions()[v.index()];
  };
  const TriangleMesh& a = *movers[c.a.body.index()].mesh;
  const TriangleMesh& b = *movers[c.b.body.index()].mesh;
  if (kind == CcdKind::vertex_face) {
    add(c.a, VertexId(c.a.id));
    for (const VertexId v : b.triangle(FaceId(c.b.id))) add(c.b, v);
  } else {
    for (const VertexId v : a.topology().edge(EdgeId(c.a.id))) add(c.a, v);
    for (const VertexId v : b.topology().edge(EdgeId(c.b.id))) add(c.b, v);
  }
  return query;
}

// A sheet beside another, both thrown about by about as much as the separation.
std::vector<Mover> sheets(Dice& dice, double separation) {
  const MeshPtr sheet = crumpled_sheet(dice, 2, 0.2 * separation);
  const Vec3 drift(0, 0, dice.uniform(-2, 2) * separation);
  Mover lower = thrown(dice, sheet, 2, separation, Vec3::Zero());
  Mover upper = thrown(dice, sheet, 2, separation, drift);
  std::vector<Frame> raised;
  for (std::size_t k = 0; k < 2; ++k) {
    const Frame frame = upper.motion.frame(k);
    std::vector<Vec3> x(frame.positions().begin(), frame.positions().end());
    for (Vec3& p : x) p += Vec3(0.01, 0.02, 0.8 * separation);
    raised.push_back(Frame::own(std::move(x)));
  }
  return {std::move(lower), {sheet, Motion::keyframes(std::move(raised))}};
}

RC_GTEST_PROP(MinSeparation, EveryTouchHasAContactAtItOrAtANearnessThatCameBefore, (std::uint64_t seed)) {
  Dice dice(seed);
  const double separation = 0.05;
  const std::vector<Mover> movers = sheets(dice, separation);
  const Report report = detect_moving("brute-force", movers, {0, 1}, separated(separation));
  // The oracle is slow: some of them.
  for (std::size_t i = 0; i < report.contacts.size(); i += 1 + report.contacts.size() / 12) {
    const Contact& c = report.contacts[i];
    const CcdKind kind = c.a.kind == FeatureKind::vertex ? CcdKind::vertex_face : CcdKind::edge_edge;
    const CcdQuery query = query_of(movers, c, kind);
    const auto touch = oracle::first_contact(kind, query);
    if (c.relation != Relation::possible) RC_ASSERT((c.relation == Relation::touching) == touch.has_value());
    if (!touch) continue;
    RC_ASSERT(oracle::Rational(c.time) <= touch->hi);
    if (c.initial) {
      RC_ASSERT(touch->hi == 0);
      continue;
    }
    // Near from the start on: it is at the impact.
    const bool near_at_start =
        pair_ccd(kind, query, {.min_separation = separation * (1 - 1e-9)}, Interval::instant(0)).status ==
        CcdStatus::hit;
    if (near_at_start) RC_ASSERT(oracle::Rational(c.time + 1e-9) >= touch->lo);
  }
}

RC_GTEST_PROP(MinSeparation, EveryContactWithoutASeparationIsThereWithOneAndNotInitial, (std::uint64_t seed)) {
  Dice dice(seed);
  const double separation = 0.05;
  const std::vector<Mover> movers = sheets(dice, separation);
  std::map<std::pair<Feature, Feature>, Contact> near;
  for (const Contact& c : detect_moving("swept-bvh", movers, {0, 1}, separated(separation)).contacts)
    near.emplace(std::pair(c.a, c.b), c);
  for (const Contact& c : detect_moving("brute-force", movers, {0, 1}).contacts) {
    const auto found = near.find({c.a, c.b});
    RC_ASSERT(found != near.end());
    RC_ASSERT(found->second.time <= c.time);
    RC_ASSERT(found->second.initial == c.initial);
    RC_ASSERT(found->second.relation == Relation::touching);
  }
}

RC_GTEST_PROP(MinSeparation, AllMethodsSayTheSameBitByBit, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers = sheets(dice, 0.05);
  const Report oracle = detect_moving("brute-force", movers, {0, 1}, separated(0.05));
  for (const char* method : kMovingMethods)
    RC_ASSERT(hash_of(detect_moving(method, movers, {0, 1}, separated(0.05))) == hash_of(oracle));
}

// Whoever only wants to know what is near gets the same pairs, those that came near later with the same bits.
RC_GTEST_PROP(MinSeparation, WhereInitialSufficesTheSamePairsAreFoundAndOnlyWhatWasNearIsExcused,
              (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers = sheets(dice, 0.05);
  DetectorSettings settings = separated(0.05);
  const Report all = detect_moving("brute-force", movers, {0, 1}, settings);
  settings.initial_suffices = true;
  std::map<std::pair<Feature, Feature>, Contact> found;
  for (const Contact& c : detect_moving("swept-bvh", movers, {0, 1}, settings).contacts)
    found.emplace(std::pair(c.a, c.b), c);
  RC_ASSERT(found.size() == all.contacts.size());
  for (const Contact& c : all.contacts) {
    const auto same = found.find({c.a, c.b});
    RC_ASSERT(same != found.end());
    if (same->second.initial) {
      RC_ASSERT(same->second.time == 0.0);
    } else {
      RC_ASSERT(!c.initial);
      RC_ASSERT(same->second.time == c.time);
      RC_ASSERT(same->second.point == c.point);
    }
  }
}

RC_GTEST_PROP(MinSeparation, SafeStepsOfNearSheetsAreFreeOfTouches, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers = sheets(dice, 0.05);
  SafeStepSettings settings;
  settings.min_separation = 0.05;
  settings.list_intersecting = false;
  SafeStepper stepper(settings);
  for (const Mover& m : movers) {
    const Frame start = m.motion.frame(0), end = m.motion.frame(1);
    stepper.set_step(stepper.add_body(m.mesh), start.positions(), end.positions());
  }
  const SafeStep step = stepper.find();
  double first = 2;
  for (const Contact& c : detect_moving("brute-force", movers, {0, 1}).contacts)
    if (!c.initial) first = std::min(first, c.time);
  RC_ASSERT(step.fraction <= first);
}

}  // namespace
}  // namespace pliant::testing
