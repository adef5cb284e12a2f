// The contract: bodies, filters, sinks, early out, errors.
#include "pliant/detect/detector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pliant/core/error.h"
#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

// Crosses one_triangle(0, 0, 0).
MeshPtr upright_triangle() {
  return std::make_shared<const TriangleMesh>(std::vector<Vec3>{{0.25, 0.25, -1}, {0.25, 0.25, 1}, {0.25, 5, 0.5}},
                                              std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
}

class EveryStillMethod : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Detector> make(const DetectorSettings& settings = {}) const {
    return make_detector(GetParam(), settings);
  }
};

std::vector<std::string> still_methods() {
  std::vector<std::string> names;
  for (const MethodInfo* method : methods())
    if (method->still) names.emplace_back(method->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryStillMethod, ::testing::ValuesIn(still_methods()), [](const auto& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EveryStillMethod, DescribesACrossing) {
  const auto detector = make();
  const BodyId a = detector->add_body(one_triangle({0, 0, 0}));
  const BodyId b = detector->add_body(upright_triangle());
  const Report report = detector->detect(Interval::instant(0));
  ASSERT_EQ(report.contacts.size(), 1u);
  const Contact& c = report.contacts[0];
  EXPECT_EQ(c.a, face_feature(a, FaceId(0)));
  EXPECT_EQ(c.b, face_feature(b, FaceId(0)));
  EXPECT_EQ(c.kind(), ContactKind::triangle_triangle);
  EXPECT_EQ(c.relation, Relation::crossing);
  EXPECT_NEAR(c.point.x(), 0.25, 1e-12);
  EXPECT_NEAR(c.point.z(), 0, 1e-12);
  EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
  EXPECT_NEAR(c.wa[0] + c.wa[1] + c.wa[2], 1, 1e-12);
  EXPECT_NEAR(c.wb[0] + c.wb[1] + c.wb[2], 1, 1e-12);
}

// A power of two changes no bit of a direction, whatever products of lengths do.
TEST_P(EveryStillMethod, GivesTheSameNormalAtAnyScale) {
  const auto contacts_at = [this](int exponent) {
    const auto detector = make();
    for (const MeshPtr& mesh : {one_triangle({0.125, -0.25, 0}), upright_triangle()}) {
      std::vector<Vec3> scaled(mesh->positions().begin(), mesh->positions().end());
      for (Vec3& p : scaled) p *= std::ldexp(1, exponent);
      detector->add_body(std::make_shared<const TriangleMesh>(
          scaled, std::vector<Triangle>(mesh->triangles().begin(), mesh->triangles().end())));
    }
    return detector->detect(Interval::instant(0)).contacts;
  };
  const std::vector<Contact> plain = contacts_at(0);
  ASSERT_EQ(plain.size(), 1u);
  for (const int exponent : {-1000, -700, -400, -20, 20, 400, 512, 700, 1020}) {
    const std::vector<Contact> scaled = contacts_at(exponent);
    ASSERT_EQ(scaled.size(), 1u) << exponent;
    EXPECT_EQ(scaled[0].normal, plain[0].normal) << exponent;
  }
}

// The triangles are longer than the largest double, and so is the way between their centres.
TEST_P(EveryStillMethod, GivesANormalWhereDifferencesOverflow) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto detector = make();
  detector->add_body(
      std::make_shared<const TriangleMesh>(std::vector<Vec3>{{-kMost, 0, 0}, {kMost, 0, 0}, {kMost, kMost, 0}},
                                           std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}}));
  detector->add_body(
      std::make_shared<const TriangleMesh>(std::vector<Vec3>{{kMost, 1, -kMost}, {kMost, 1, kMost}, {kMost, 2, kMost}},
                                           std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}}));
  const Report report = detector->detect(Interval::instant(0));
  ASSERT_EQ(report.contacts.size(), 1u);
  EXPECT_EQ(report.contacts[0].normal, Vec3(-1, 0, 0));
}

TEST_P(EveryStillMethod, FollowsMotionsRemovalsAndNewBodies) {
  const auto detector = make();
  const BodyId a = detector->add_body(one_triangle({0, 0, 0}));
  const BodyId b = detector->add_body(upright_triangle());
  EXPECT_EQ(detector->detect(Interval::instant(0)).contacts.size(), 1u);
  const MeshPtr upright = upright_triangle();
  std::vector<Vec3> away(upright->positions().begin(), upright->positions().end());
  for (Vec3& p : away) p.x() += 100;
  detector->set_motion(b, Motion::at_rest(Frame::own(away)));
  EXPECT_TRUE(detector->detect(Interval::instant(0)).contacts.empty());
  const BodyId c = detector->add_body(upright_triangle());
  EXPECT_EQ(detector->detect(Interval::instant(0)).contacts.size(), 1u);
  detector->replace_mesh(b, upright_triangle(), Motion::at_rest(upright_triangle()));
  EXPECT_EQ(detector->detect(Interval::instant(0)).contacts.size(), 3u);  // b and c coincide as well
  detector->remove_body(a);
  detector->remove_body(c);
  EXPECT_TRUE(detector->detect(Interval::instant(0)).contacts.empty());
  EXPECT_FALSE(detector->has_body(a));
  EXPECT_EQ(detector->add_body(one_triangle({0, 0, 0})).value, 3u);  // ids are not used again
  EXPECT_EQ(detector->detect(Interval::instant(0)).contacts.size(), 1u);
}

class EvenFacesOnly : public ContactFilter {
 public:
  bool bodies(BodyId a, BodyId b) const override { return a == b || a.value + b.value != 1; }
  bool features(const Feature& a, const Feature& b) const override { return a.id % 2 == 0 && b.id % 2 == 0; }
};

TEST_P(EveryStillMethod, ObeysFilters) {
  Dice dice(3);
  const auto detector = make();
  for (int i = 0; i < 3; ++i) detector->add_body(grid_soup(dice, 10, 12, 2));
  const auto all = face_pairs(detector->detect(Interval::instant(0)));
  detector->set_filter(std::make_shared<EvenFacesOnly>());
  std::set<FacePair> wanted;
  for (const auto& [body_a, face_a, body_b, face_b] : all)
    if (face_a % 2 == 0 && face_b % 2 == 0 && (body_a == body_b || body_a + body_b != 1))
      wanted.emplace(body_a, face_a, body_b, face_b);
  EXPECT_EQ(face_pairs(detector->detect(Interval::instant(0))), wanted);
  EXPECT_LT(wanted.size(), all.size());
  EXPECT_FALSE(wanted.empty());
}

class StopAfter : public ContactSink {
 public:
  explicit StopAfter(std::size_t most) : most_(most) {}
  Flow contact(const Contact& contact) override {
    seen.push_back(contact);
    return seen.size() == most_ ? Flow::stop : Flow::go_on;
  }
  std::vector<Contact> seen;

 private:
  std::size_t most_;
};

TEST_P(EveryStillMethod, SinkReceivesTheReportInOrderAndMayStop) {
  Dice dice(4);
  const auto detector = make();
  detector->add_body(loose_soup(dice, 300, 1, 0.5));
  const Report all = detector->detect(Interval::instant(0));
  ASSERT_GT(all.contacts.size(), 20u);

  StopAfter never(0);
  const Report streamed = detector->detect(Interval::instant(0), {}, &never);
  EXPECT_TRUE(streamed.contacts.empty());
  EXPECT_TRUE(streamed.complete);
  Report gathered = streamed;
  gathered.contacts = never.seen;
  EXPECT_EQ(hash_of(gathered), hash_of(all));

  StopAfter few(7);
  const Report stopped = detector->detect(Interval::instant(0), {}, &few);
  EXPECT_EQ(few.seen.size(), 7u);
  EXPECT_FALSE(stopped.complete);
  EXPECT_EQ(stopped.stopped_by, StopReason::sink);
}

TEST_P(EveryStillMethod, KnowsWhetherAnythingCollides) {
  const auto detector = make();
  EXPECT_EQ(detector->collides(Interval::instant(0)), false);
  detector->add_body(one_triangle({0, 0, 0}));
  EXPECT_EQ(detector->collides(Interval::instant(0)), false);
  detector->add_body(one_triangle({0, 0, 1e-300}));
  EXPECT_EQ(detector->collides(Interval::instant(0)), false);
  detector->add_body(upright_triangle());
  EXPECT_EQ(detector->collides(Interval::instant(0)), true);
  EXPECT_EQ(detector->collides(Interval::instant(0), Budget::operations(0)), std::nullopt);
}

TEST_P(EveryStillMethod, SeamThatOpensInMotionIsNoLongerShared) {
  // Two triangles meet along bit-equal corners; then the second one moves into the first.
  const MeshPtr mesh = std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
      std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}, {VertexId(3), VertexId(5), VertexId(4)}});
  std::vector<Vec3> moved(mesh->positions().begin(), mesh->positions().end());
  for (std::size_t v = 3; v < 6; ++v) moved[v] += Vec3(-0.25, -0.25, 0);
  const auto detector = make();
  detector->add_body(mesh, Motion::linear(Frame::of_mesh(mesh), Frame::own(moved)));
  EXPECT_TRUE(detector->detect(Interval::instant(0)).contacts.empty());
  const Report later = detector->detect(Interval::instant(1));
  ASSERT_EQ(later.contacts.size(), 1u);
  EXPECT_EQ(later.contacts[0].relation, Relation::coplanar);
}

TEST_P(EveryStillMethod, RefusesMotionsOfAnotherSizeAndQueriesItCanNotAnswer) {
  const auto detector = make();
  EXPECT_THROW(detector->add_body(one_triangle({0, 0, 0}), Motion::at_rest(Frame::own({{0, 0, 0}}))), Error);
  EXPECT_THROW(detector->detect({1, 0}), Error);
  if (!detector->info().moving) {
    EXPECT_THROW(detector->detect({0, 1}), Error);
  }
}

TEST_P(EveryStillMethod, NoBodiesAndEmptyMeshesAreFine) {
  const auto detector = make();
  EXPECT_TRUE(detector->detect(Interval::instant(0)).complete);
  detector->add_body(std::make_shared<const TriangleMesh>(std::vector<Vec3>{}, std::vector<Triangle>{}));
  detector->add_body(one_triangle({0, 0, 0}));
  const Report report = detector->detect(Interval::instant(0));
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(report.contacts.empty());
}

TEST(Registry, SuggestsTheNearestName) {
  try {
    make_detector("spacial-hash");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'spatial-hash'?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace pliant::testing
