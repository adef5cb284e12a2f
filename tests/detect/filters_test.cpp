#include "pliant/detect/filters.h"

#include <gtest/gtest.h>

#include <set>

#include "pliant/detect/registry.h"
#include "pliant/mesh/shapes.h"

namespace pliant {
namespace {

constexpr BodyId kA(0u), kB(1u), kC(2u);

class EvenFaces : public ContactFilter {
 public:
  bool features(const Feature& a, const Feature& b) const override { return a.id % 2 == 0 && b.id % 2 == 0; }
};

std::set<std::pair<BodyId, BodyId>> body_pairs(const Report& report) {
  std::set<std::pair<BodyId, BodyId>> pairs;
  for (const Contact& c : report.contacts) pairs.emplace(c.a.body, c.b.body);
  return pairs;
}

// Three spheres that all intersect each other.
Report detect_three(FilterPtr filter) {
  const auto detector = make_detector("bvh");
  for (int i = 0; i < 3; ++i) {
    const MeshPtr ball = make_icosphere();
    std::vector<Vec3> x(ball->positions().begin(), ball->positions().end());
    for (Vec3& p : x) p += Vec3(0.31 * i, 0.17 * i * i, 0);
    detector->add_body(ball, Motion::at_rest(Frame::own(std::move(x))));
  }
  detector->set_filter(std::move(filter));
  return detector->detect(Interval::instant(0));
}

TEST(Filters, PairsHaveNoOrderAndCountOnce) {
  PairSet pairs{{kB, kA}, {kA, kB}, {kC, kC}};
  EXPECT_EQ(pairs.size(), 2u);
  EXPECT_TRUE(pairs.contains(kA, kB));
  EXPECT_TRUE(pairs.contains(kB, kA));
  EXPECT_TRUE(pairs.contains(kC, kC));
  EXPECT_FALSE(pairs.contains(kA, kA));
  EXPECT_FALSE(pairs.contains(kA, kC));
  EXPECT_TRUE(PairSet{}.empty());
}

TEST(Filters, OnlyKeepsThePairsOfTheListAllButTheOthers) {
  using Pairs = std::set<std::pair<BodyId, BodyId>>;
  EXPECT_EQ(body_pairs(detect_three(nullptr)), (Pairs{{kA, kB}, {kA, kC}, {kB, kC}}));
  EXPECT_EQ(body_pairs(detect_three(only({{kC, kA}}))), (Pairs{{kA, kC}}));
  EXPECT_EQ(body_pairs(detect_three(all_but({{kC, kA}}))), (Pairs{{kA, kB}, {kB, kC}}));
  EXPECT_EQ(body_pairs(detect_three(all_but({{kC, kA}}) & only({{kA, kB}, {kA, kC}}))), (Pairs{{kA, kB}}));
}

TEST(Filters, AndKeepsFeatureFiltersOnEitherSide) {
  const FilterPtr even = std::make_shared<EvenFaces>();
  std::size_t expected = 0;
  for (const Contact& c : detect_three(only({{kA, kB}})).contacts) expected += c.a.id % 2 == 0 && c.b.id % 2 == 0;
  ASSERT_GT(expected, 0u);
  for (const FilterPtr& filter : {only({{kA, kB}}) & even, even & only({{kA, kB}}), only({{kA, kB}}) & even & even}) {
    EXPECT_TRUE(filter->filters_features());
    const Report report = detect_three(filter);
    EXPECT_EQ(report.contacts.size(), expected);
    for (const Contact& c : report.contacts) EXPECT_TRUE(c.a.id % 2 == 0 && c.b.id % 2 == 0);
  }
}

TEST(Filters, AndOfBodyFiltersAsksNothingAboutFeatures) {
  EXPECT_FALSE((only({{kA, kB}}) & all_but({{kA, kC}}))->filters_features());
}

TEST(Filters, NullWantsEverything) {
  const FilterPtr some = only({{kA, kB}});
  EXPECT_EQ(some & nullptr, some);
  EXPECT_EQ(nullptr & some, some);
  EXPECT_EQ(FilterPtr() & FilterPtr(), nullptr);
}

}  // namespace
}  // namespace pliant
