#include "pliant/geometry/line_passes.h"

#include <gtest/gtest.h>

#include "tests/geometry/random_cases.h"
#include "tests/oracle/rational_triangles.h"

namespace pliant {
namespace {

using test::Random;
using test::TrianglePair;

constexpr LinePasses kOneWay{.both_ways = false};
constexpr LinePasses kAsPrinted{.both_ways = false, .third_needs_hit = true};

const Vec3& end_of(const Triangle3& t, int edge, int end) { return t[end == 0 ? edge : Triangle3::next(edge)]; }

// Every hit is what the oracle says of that edge, and there are hits if and only if the triangles meet.
void expect_oracle(const TrianglePair& pair) {
  const EdgeHits hits = edge_hits(pair.a(), pair.b());
  const Relation relation = oracle::triangle_triangle(pair.a(), pair.b(), {});
  ASSERT_EQ(hits.empty(), relation == Relation::none) << pair.text();
  for (const EdgeHit& hit : hits) {
    const Triangle3 edges = hit.of_a ? pair.a() : pair.b();
    const Triangle3 face = hit.of_a ? pair.b() : pair.a();
    const Relation expected = oracle::segment_triangle(end_of(edges, hit.edge, 0), end_of(edges, hit.edge, 1), face);
    ASSERT_EQ(to_string(hit.contact.relation), std::string(to_string(expected))) << pair.text();
  }
}

TEST(LinePasses, SmallGridsAreDecidedExactly) {
  Random random(1);
  for (int i = 0; i < 15000 && !HasFatalFailure(); ++i) {
    const int n = random.between(2, 5);
    expect_oracle(test::make_pair_of([&] { return random.on_grid(n); }));
  }
}

TEST(LinePasses, OnePlaneIsDecidedExactly) {
  Random random(2);
  for (int i = 0; i < 10000 && !HasFatalFailure(); ++i) {
    const int n = random.between(2, 6);
    expect_oracle(test::flattened(test::make_pair_of([&] { return random.on_grid(n); }), random.below(3)));
  }
}

TEST(LinePasses, TouchesAndNeedlesAreDecidedExactly) {
  Random random(3);
  for (int i = 0; i < 4000 && !HasFatalFailure(); ++i) {
    const TrianglePair grid = test::make_pair_of([&] { return Vec3(4 * random.on_grid(5)); });
    expect_oracle(test::touching(grid, random));
    expect_oracle(test::with_needle(test::make_pair_of([&] { return random.in_cube(); }), random));
    expect_oracle(test::nearly_coplanar(random));
  }
}

TEST(LinePasses, EveryScaleIsDecidedExactly) {
  Random random(4);
  for (int power = -1060; power <= 1000 && !HasFatalFailure(); power += 20)
    expect_oracle(test::scaled(test::make_pair_of([&] { return random.on_grid(4); }), power));
}

TEST(LinePasses, ATriangleAndItselfMeetAlongAllEdges) {
  const std::array<Vec3, 3> x{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  const Triangle3 t(x[0], x[1], x[2]);
  EXPECT_EQ(edge_hits(t, t).size(), 6u);
}

TEST(LinePasses, InGeneralPositionTwoEdgesPierce) {
  Random random(5);
  int met = 0;
  for (int i = 0; i < 20000; ++i) {
    const TrianglePair pair = test::make_pair_of([&] { return random.in_cube(); });
    const EdgeHits hits = edge_hits(pair.a(), pair.b());
    if (hits.empty()) continue;
    ++met;
    ASSERT_EQ(hits.size(), 2u) << pair.text();
    ASSERT_GT((hits[0].contact.first - hits[1].contact.first).norm(), 0) << pair.text();
    const auto common = oracle::common_points({pair.x[0], pair.x[1], pair.x[2]}, {pair.x[3], pair.x[4], pair.x[5]});
    for (const EdgeHit& hit : hits) {
      ASSERT_EQ(hit.contact.relation, Relation::crossing) << pair.text();
      ASSERT_LT(oracle::distance_to_nearest(common, hit.contact.first), 1e-9) << pair.text();
    }
  }
  EXPECT_GT(met, 2000);
}

TEST(LinePasses, EdgesOfOneTriangleAloneMissWhatTheOtherPierces) {
  // Both hits are on edges of the needle, which goes through the inside of the other.
  const std::array<Vec3, 6> x{Vec3(-9, -9, 0), Vec3(9, -9, 0), Vec3(0, 9, 0),
                              Vec3(0, 0, -1),  Vec3(1, 0, -1), Vec3(0, 0, 1)};
  const Triangle3 large(x[0], x[1], x[2]), small(x[3], x[4], x[5]);
  EXPECT_TRUE(edge_hits(large, small, kOneWay).empty());
  EXPECT_EQ(edge_hits(small, large, kOneWay).size(), 2u);
  const EdgeHits both = edge_hits(large, small);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_FALSE(both[0].of_a);
}

TEST(LinePasses, ThePrintedWordingLosesPairsThatOnlyTheThirdEdgePierces) {
  const std::array<Vec3, 6> x{Vec3(1, 1, -1), Vec3(9, 9, 0.1), Vec3(1, 1, 1),
                              Vec3(0, 0, 0),  Vec3(4, 0, 0),   Vec3(0, 4, 0)};
  const Triangle3 a(x[0], x[1], x[2]), b(x[3], x[4], x[5]);
  EXPECT_EQ(edge_hits(a, b, kOneWay).size(), 1u);
  EXPECT_TRUE(edge_hits(a, b, kAsPrinted).empty());
}

// How often normally distributed triangles that meet are missed: 23 %, 40 % and 6 %.
TEST(LinePasses, MissRatesAreThoseOfTheGeometry) {
  Random random(6);
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(6.283185307179586 * random.unit());
  };
  int met = 0, one_way = 0, printed = 0, both_ways = 0;
  for (int i = 0; i < 60000; ++i) {
    const TrianglePair pair = test::make_pair_of([&] {
      const double x = normal(), y = normal(), z = normal();
      return Vec3(x, y, z);
    });
    const auto misses = [&](const LinePasses& passes) { return edge_hits(pair.a(), pair.b(), passes).empty() ? 1 : 0; };
    if (misses({}) != 0) {
      ASSERT_EQ(misses(kOneWay), 1);
      continue;
    }
    ++met;
    one_way += misses(kOneWay);
    printed += misses(kAsPrinted);
    both_ways += misses({.both_ways = true, .third_needs_hit = true});
  }
  EXPECT_GT(met, 8000);
  EXPECT_NEAR(double(one_way) / met, 0.23, 0.02);
  EXPECT_NEAR(double(printed) / met, 0.40, 0.03);
  EXPECT_NEAR(double(both_ways) / met, 0.06, 0.02);
}

TEST(LinePasses, NeighboursAreTestedBeyondWhatTheyShare) {
  Random random(7);
  int crossing = 0;
  for (int i = 0; i < 5000; ++i) {
    const TrianglePair pair = test::with_shared(test::make_pair_of([&] { return random.in_cube(); }), 1, random);
    const Relation relation = oracle::triangle_triangle(pair.a(), pair.b(), pair.shared);
    const EdgeHits hits = edge_hits_of_neighbours(pair.a(), pair.b(), pair.shared);
    ASSERT_EQ(hits.size(), relation == Relation::none ? 0u : 1u) << pair.text();
    crossing += relation == Relation::crossing;
  }
  EXPECT_GT(crossing, 300);
}

}  // namespace
}  // namespace pliant
