// What moving methods say, against what is known otherwise: hand-made cases, still checks in between, real steps.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "pliant/mesh/topology.h"
#include "tests/detect/motions.h"
#include "tests/support/stand_in_steps.h"

namespace pliant::testing {
namespace {

// Stands on its corner 0.
MeshPtr spike(const Vec3& tip) {
  return std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{tip, tip + Vec3(0.25, 0.125, 2), tip + Vec3(-0.125, 0.125, 2)},
      std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
}

// Carried to the given places, one a frame.
Motion carried(const MeshPtr& mesh, const std::vector<Vec3>& places) {
  std::vector<Frame> frames;
  for (const Vec3& place : places) {
    std::vector<Vec3> x = positions_of(*mesh);
    for (Vec3& p : x) p += place;
    frames.push_back(Frame::own(std::move(x)));
  }
  return Motion::keyframes(std::move(frames));
}

std::vector<std::string> moving_methods() {
  std::vector<std::string> names;
  for (const MethodInfo* method : methods())
    if (method->moving) names.emplace_back(method->name);
  return names;
}

class EveryMovingMethod : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Detector> make(const DetectorSettings& settings = {}) const {
    return make_detector(GetParam(), settings);
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, EveryMovingMethod, ::testing::ValuesIn(moving_methods()), [](const auto& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EveryMovingMethod, DescribesATipThatPiercesAFace) {
  const auto detector = make();
  const MeshPtr needle = spike({0.25, 0.25, 0});
  const BodyId a = detector->add_body(needle, carried(needle, {{0, 0, 1}, {0, 0, -1}}));
  const BodyId b = detector->add_body(one_triangle({0, 0, 0}));
  const Report report = detector->detect({0, 1});
  ASSERT_EQ(report.contacts.size(), 1u);
  const Contact& c = report.contacts[0];
  EXPECT_EQ(c.a, (Feature{a, FeatureKind::vertex, 0}));
  EXPECT_EQ(c.b, face_feature(b, FaceId(0)));
  EXPECT_EQ(c.kind(), ContactKind::vertex_face);
  EXPECT_EQ(c.relation, Relation::touching);
  EXPECT_FALSE(c.initial);
  EXPECT_LE(c.time, 0.5);
  EXPECT_NEAR(c.time, 0.5, 1e-9);
  EXPECT_NEAR((c.point - Vec3(0.25, 0.25, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((c.normal - Vec3::UnitZ()).norm(), 0, 1e-12);
  EXPECT_NEAR(c.wb[0], 0.5, 1e-9);
  EXPECT_EQ(report.guarantee, Guarantee::exact);
  EXPECT_TRUE(report.complete);
}

TEST_P(EveryMovingMethod, ReportsAContactAtAKeyframeOnceInTheLaterSegment) {
  const auto detector = make();
  const MeshPtr needle = spike({0.25, 0.25, 0});
  detector->add_body(needle, carried(needle, {{0, 0, 1}, {0, 0, 0}, {0, 0, 1}}));  // touches at time 1, and leaves
  detector->add_body(one_triangle({0, 0, 0}));
  const Report report = detector->detect({0, 2});
  ASSERT_EQ(report.contacts.size(), 1u);
  EXPECT_EQ(report.contacts[0].time, 1);
  EXPECT_TRUE(report.contacts[0].initial);
  EXPECT_EQ(detector->detect({0, 1}).contacts.size(), 1u);  // the last segment is closed
  EXPECT_EQ(detector->detect({1, 2}).contacts.size(), 1u);
  EXPECT_TRUE(detector->detect({0, 0.75}).contacts.empty());
  EXPECT_TRUE(detector->detect({1.25, 9}).contacts.empty());
  EXPECT_EQ(detector->collides({0, 2}), true);
  EXPECT_EQ(detector->collides({0, 0.75}), false);
}

TEST_P(EveryMovingMethod, LeavesAContactAtAnOpenEndToTheIntervalThatBeginsThere) {
  const auto detector = make();
  const MeshPtr needle = spike({0.25, 0.25, 0});
  detector->add_body(needle, carried(needle, {{0, 0, 2}, {0, 0, 1}, {0, 0, 0}, {0, 0, -1}}));
  detector->add_body(one_triangle({0, 0, 0}));
  for (const double cut : {1.0, 1.25}) {  // the segment in one piece, and in two
    detector->set_open_end(true);
    if (cut > 1) {
      EXPECT_TRUE(detector->detect({1, cut}).contacts.empty());
    }
    EXPECT_TRUE(detector->detect({cut, 2}).contacts.empty());
    detector->set_open_end(false);
    const Report report = detector->detect({2, 3});
    ASSERT_EQ(report.contacts.size(), 1u);
    EXPECT_EQ(report.contacts[0].time, 2);
    EXPECT_TRUE(report.contacts[0].initial);
    EXPECT_EQ(detector->detect({cut, 2}).contacts.size(), 1u);  // closed
  }
}

TEST_P(EveryMovingMethod, CutsAtTheKeyframesOfAllBodies) {
  const auto detector = make();
  const MeshPtr needle = spike({0.25, 0.25, 0});
  const auto low = Frame::of_mesh(needle);
  const auto high = carried(needle, {{0, 0, 1}}).frame(0);
  detector->add_body(needle, Motion::keyframes({high, low, high}, {0, 2.5, 4}));
  const MeshPtr floor = one_triangle({0, 0, -0.5});
  detector->add_body(floor, carried(floor, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 1}}));  // rises from 2 to 3
  const Report report = detector->detect({0, 4});
  ASSERT_FALSE(report.contacts.empty());
  EXPECT_EQ(report.counters["segments"], 5u);
  EXPECT_LE(report.contacts[0].time, 2.5);  // the floor is at 0 then, and so is the tip
  EXPECT_NEAR(report.contacts[0].time, 2.5, 1e-9);
}

TEST_P(EveryMovingMethod, FoldOverOfNeighboursIsAContactButSharedEdgesAreNot) {
  const MeshPtr hinge = std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}},
      std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}, {VertexId(1), VertexId(0), VertexId(3)}});
  std::vector<Vec3> half = positions_of(*hinge), shut = half;
  half[3] = {0.5, 0, 1};
  shut[3] = {0.5, 0.5, -0.5};
  const auto detector = make();
  detector->add_body(hinge, Motion::keyframes({Frame::of_mesh(hinge), Frame::own(half), Frame::own(shut)}));
  EXPECT_TRUE(detector->detect({0, 1}).contacts.empty());
  const Report report = detector->detect({0, 2});
  ASSERT_FALSE(report.contacts.empty());
  EXPECT_EQ(report.contacts[0].a, (Feature{BodyId(0), FeatureKind::vertex, 3}));
  EXPECT_EQ(report.contacts[0].b, face_feature(BodyId(0), FaceId(0)));
}

TEST_P(EveryMovingMethod, NoBodiesAndEmptyMeshesAreFine) {
  const auto detector = make();
  EXPECT_TRUE(detector->detect({0, 1}).complete);
  const MeshPtr none = std::make_shared<const TriangleMesh>(std::vector<Vec3>{}, std::vector<Triangle>{});
  detector->add_body(none);
  detector->add_body(one_triangle({0, 0, 0}));
  EXPECT_TRUE(detector->detect({0, 1}).contacts.empty());
  EXPECT_FALSE(detector->detect({0, 1}, Budget::operations(0)).contacts.size() > 2);
}

TEST_P(EveryMovingMethod, ObeysFilters) {
  class NoVertexZero : public ContactFilter {
   public:
    bool features(const Feature& a, const Feature& b) const override { return !is_zero(a) && !is_zero(b); }
    static bool is_zero(const Feature& f) { return f.kind == FeatureKind::vertex && f.id == 0; }
  };
  const auto detector = make();
  const MeshPtr needle = spike({0.25, 0.25, 0});
  detector->add_body(needle, carried(needle, {{0, 0, 1}, {0, 0, -1}}));
  detector->add_body(one_triangle({0, 0, 0}));
  detector->set_filter(std::make_shared<NoVertexZero>());
  EXPECT_TRUE(detector->detect({0, 1}).contacts.empty());
}

class Nothing : public ContactFilter {
 public:
  bool bodies(BodyId, BodyId) const override { return false; }
};

class NoVertices : public ContactFilter {
 public:
  bool features(const Feature& a, const Feature& b) const override {
    return a.kind != FeatureKind::vertex && b.kind != FeatureKind::vertex;
  }
};

// Two soups that fly through each other within one segment; they meet from about 0.4 on.
std::vector<Mover> soups_in_one_segment() {
  Dice dice(12);
  std::vector<Mover> movers;
  for (const double height : {-2.0, 2.0}) {
    const MeshPtr soup = loose_soup(dice, 60, 1, 0.3);
    movers.push_back({soup, carried(soup, {{0, 0, height}, {0, 0, -height}})});
  }
  return movers;
}

std::set<std::pair<Feature, Feature>> pairs_of(const std::vector<Contact>& contacts) {
  std::set<std::pair<Feature, Feature>> pairs;
  for (const Contact& c : contacts) pairs.emplace(c.a, c.b);
  return pairs;
}

TEST_P(EveryMovingMethod, ObeysAFilterFromTheMomentItIsSet) {
  const auto filter_or_not = [](bool none) { return none ? std::make_shared<Nothing>() : nullptr; };
  for (const bool first : {true, false}) {
    const auto detector = make({.self = false});
    for (const Mover& m : soups_in_one_segment()) detector->add_body(m.mesh, m.motion);
    detector->set_filter(filter_or_not(first));
    EXPECT_TRUE(detector->detect({0, 0.25}).contacts.empty());
    detector->set_filter(filter_or_not(!first));
    const Report later = detector->detect({0.25, 1});
    EXPECT_EQ(later.contacts.empty(), !first);
    if (first) {
      EXPECT_EQ(pairs_of(later.contacts),
                pairs_of(detect_moving("brute-force", soups_in_one_segment(), {0.25, 1}, {.self = false}).contacts));
    }
  }
}

TEST_P(EveryMovingMethod, ObeysAFilterOfFeaturesFromTheMomentItIsSet) {
  const auto detector = make({.self = false});
  for (const Mover& m : soups_in_one_segment()) detector->add_body(m.mesh, m.motion);
  const std::size_t before = detector->detect({0, 0.5}).contacts.size();
  detector->set_filter(std::make_shared<NoVertices>());
  const Report edges_only = detector->detect({0.5, 0.75});
  detector->set_filter(nullptr);
  const Report all = detector->detect({0.75, 1});
  const auto kind_count = [](const Report& report, ContactKind kind) {
    return std::count_if(report.contacts.begin(), report.contacts.end(),
                         [&](const Contact& c) { return c.kind() == kind; });
  };
  EXPECT_GT(before, 0u);
  EXPECT_GT(kind_count(edges_only, ContactKind::edge_edge), 0);
  EXPECT_EQ(kind_count(edges_only, ContactKind::vertex_face), 0);
  EXPECT_GT(kind_count(all, ContactKind::vertex_face), 0);
}

TEST_P(EveryMovingMethod, CountsCandidatesWithoutDecidingThem) {
  const auto work = [&](const DetectorSettings& settings) {
    const auto detector = make(settings);
    for (const Mover& m : soups_in_one_segment()) detector->add_body(m.mesh, m.motion);
    Report report = detector->detect({0, 1});
    EXPECT_EQ(detector->collides({0, 1}).has_value(), !settings.candidates_only);
    return report;
  };
  const Report all = work({}), counted = work({.candidates_only = true});
  EXPECT_FALSE(all.contacts.empty());
  EXPECT_TRUE(counted.contacts.empty());
  EXPECT_TRUE(counted.complete);
  EXPECT_EQ(counted.guarantee, Guarantee::none);
  EXPECT_EQ(counted.counters["pair_tests"], all.counters["pair_tests"]);
}

// ---- still checks in between ----

// Multiples of 2^-20: positions at multiples of 1/64 are then exact.
MeshPtr rounded(const MeshPtr& mesh) {
  std::vector<Vec3> x = positions_of(*mesh);
  for (Vec3& p : x) p = (p * 0x1p20).array().round().matrix() * 0x1p-20;
  return std::make_shared<const TriangleMesh>(
      std::move(x), std::vector<Triangle>(mesh->triangles().begin(), mesh->triangles().end()));
}

Mover thrown_exactly(Dice& dice, const MeshPtr& mesh, double noise, const Vec3& drift) {
  const MeshPtr start = rounded(mesh);
  std::vector<Vec3> x = positions_of(*start);
  for (Vec3& p : x) p += ((dice.point(-noise, noise) + drift) * 0x1p20).array().round().matrix() * 0x1p-20;
  return {start, Motion::linear(Frame::of_mesh(start), Frame::own(std::move(x)))};
}

// When two faces first have a contact of their features.
using FirstTimes = std::map<FacePair, double>;

void note(FirstTimes& first, BodyId body_a, FaceId a, BodyId body_b, FaceId b, double time) {
  FacePair pair{body_a.value, a.value, body_b.value, b.value};
  if (std::tie(body_b, b) < std::tie(body_a, a)) pair = {body_b.value, b.value, body_a.value, a.value};
  const auto [at, added] = first.emplace(pair, time);
  if (!added) at->second = std::min(at->second, time);
}

FirstTimes first_times(const std::vector<Mover>& movers, const Report& report) {
  FirstTimes first;
  for (const Contact& c : report.contacts) {
    const MeshTopology& a = movers[c.a.body.index()].mesh->topology();
    const MeshTopology& b = movers[c.b.body.index()].mesh->topology();
    if (c.a.kind == FeatureKind::vertex) {
      for (const FaceId f : a.faces_of_vertex(VertexId(c.a.id)))
        note(first, c.a.body, f, c.b.body, FaceId(c.b.id), c.time);
    } else {
      for (const FaceId f : a.faces_of_edge(EdgeId(c.a.id)))
        for (const FaceId g : b.faces_of_edge(EdgeId(c.b.id))) note(first, c.a.body, f, c.b.body, g, c.time);
    }
  }
  return first;
}

RC_GTEST_PROP(MovingTruth, EveryIntersectionInBetweenHasAContactBeforeIt, (std::uint64_t seed)) {
  Dice dice(seed);
  const double noise = dice.uniform(0, 0.15);
  const std::vector<Mover> movers{thrown_exactly(dice, crumpled_sheet(dice, 6, 0.01), noise, Vec3::Zero()),
                                  thrown_exactly(dice, loose_soup(dice, 12, 0.7, 0.3), noise, dice.point(-1, 1))};
  const Report report = detect_moving("swept-bvh", movers, {0, 1});
  const FirstTimes first = first_times(movers, report);
  const auto still = make_detector("bvh");
  for (const Mover& m : movers) still->add_body(m.mesh, m.motion);
  const auto at_start = face_pairs(still->detect(Interval::instant(0)));
  for (int k = 1; k <= 64; ++k) {
    const double t = k / 64.0;
    for (const FacePair& pair : face_pairs(still->detect(Interval::instant(t)))) {
      if (at_start.count(pair)) continue;
      const auto found = first.find(pair);
      RC_ASSERT(found != first.end());
      RC_ASSERT(found->second <= t);
    }
  }
}

// ---- real steps ----

using Quad = std::array<std::uint32_t, 4>;

MeshPtr mesh_of(const CcdStep& step) {
  std::vector<Triangle> triangles;
  for (const auto& f : step.faces) triangles.push_back({VertexId(f[0]), VertexId(f[1]), VertexId(f[2])});
  return std::make_shared<const TriangleMesh>(step.x_t0, std::move(triangles));
}

// Corners of a contact's features, in an order that does not depend on who listed them.
Quad quad_of(const TriangleMesh& mesh, const Contact& c) {
  if (c.a.kind == FeatureKind::vertex) {
    const Triangle& t = mesh.triangle(FaceId(c.b.id));
    return {c.a.id, t[0].value, t[1].value, t[2].value};
  }
  const Edge& a = mesh.topology().edge(EdgeId(c.a.id));
  const Edge& b = mesh.topology().edge(EdgeId(c.b.id));
  return {a[0].value, a[1].value, b[0].value, b[1].value};
}

Quad in_order(Quad q, CcdKind kind) {
  if (kind == CcdKind::vertex_face) {
    std::sort(q.begin() + 1, q.end());
    return q;
  }
  if (q[0] > q[1]) std::swap(q[0], q[1]);
  if (q[2] > q[3]) std::swap(q[2], q[3]);
  return std::tie(q[0], q[1]) < std::tie(q[2], q[3]) ? q : Quad{q[2], q[3], q[0], q[1]};
}

std::map<Quad, double> listed(const std::filesystem::path& file, const CcdStep& step) {
  std::map<Quad, double> pairs;
  const CcdPairFile all = read_ccdp(file, step.x_t0.size());
  for (std::size_t i = 0; i < all.pairs.size(); ++i)
    if (all.truth[i].collides) pairs[in_order(all.pairs[i], all.kind)] = all.truth[i].time;
  return pairs;
}

TEST(MovingTruth, StepsHaveExactlyTheirListedContacts) {
  for (const CcdStep& step : all_ccd_steps()) {
    SCOPED_TRACE(step.name);
    const MeshPtr mesh = mesh_of(step);
    DetectorSettings settings;
    settings.weld = false;
    const Report report = detect_moving(
        "swept-bvh", {{mesh, Motion::linear(Frame::of_mesh(mesh), Frame::own(step.x_t1))}}, {0, 1}, settings);
    std::map<Quad, double> truth[2] = {listed(step.ee_truth, step), listed(step.vf_truth, step)};
    std::size_t late = 0, extra = 0;
    for (const Contact& c : report.contacts) {
      const CcdKind kind = c.a.kind == FeatureKind::vertex ? CcdKind::vertex_face : CcdKind::edge_edge;
      auto& pairs = truth[static_cast<int>(kind)];
      const auto known = pairs.find(in_order(quad_of(*mesh, c), kind));
      if (known == pairs.end()) {
        ++extra;
        continue;
      }
      late += c.time > known->second ? 1 : 0;
      pairs.erase(known);
    }
    EXPECT_EQ(extra, 0u);
    EXPECT_EQ(late, 0u);
    EXPECT_EQ(truth[0].size(), 0u) << "edge-edge contacts missed";
    EXPECT_EQ(truth[1].size(), 0u) << "vertex-face contacts missed";
    EXPECT_EQ(report.guarantee, Guarantee::exact);
  }
}

}  // namespace
}  // namespace pliant::testing
