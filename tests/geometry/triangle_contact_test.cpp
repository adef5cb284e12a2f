#include <gtest/gtest.h>

#include "pliant/geometry/triangle_triangle.h"
#include "tests/geometry/random_cases.h"
#include "tests/oracle/rational_triangles.h"

namespace pliant {
namespace {

using test::Random;
using test::TrianglePair;

TriangleContact contact_of(const TrianglePair& pair) {
  return triangle_triangle_contact(pair.a(), pair.b(), pair.shared);
}

// Ends of the common part against the oracle's corners of it, as lengths beside the size of the pair.
void expect_ends(const TrianglePair& pair, double tolerance) {
  const TriangleContact contact = contact_of(pair);
  ASSERT_EQ(contact.relation, triangle_triangle_relation(pair.a(), pair.b(), pair.shared));
  if (contact.relation == Relation::none) return;
  const auto common = oracle::common_points({pair.x[0], pair.x[1], pair.x[2]}, {pair.x[3], pair.x[4], pair.x[5]});
  ASSERT_EQ(contact.p == contact.q, common.size() == 1) << pair.text();
  const auto [first, last] = oracle::farthest(common);
  // Of several pairs equally far apart any will do, so corners of an area are compared one by one.
  ASSERT_NEAR((contact.p - contact.q).norm(), (first - last).norm(), tolerance) << pair.text();
  for (const Vec3& end : {contact.p, contact.q}) {
    const double error = oracle::distance_to_nearest(common, end);
    ASSERT_LT(error, tolerance) << pair.text() << end.transpose();
  }
}

TEST(TriangleContact, EndsOfCrossingPairsAreAccurate) {
  Random random(1);
  for (int i = 0; i < 8000 && !HasFatalFailure(); ++i) {
    expect_ends(with_shared(test::make_pair_of([&] { return random.in_cube(); }), random.below(2), random), 1e-9);
  }
}

TEST(TriangleContact, EndsOnGridsAreAccurateAndPointsAreSinglePoints) {
  Random random(2);
  for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
    const int n = random.between(2, 5);
    expect_ends(with_any_shared(test::make_pair_of([&] { return random.on_grid(n); }), random), 1e-9);
  }
}

// Wherever a corner lies on the other triangle and nothing else does, the contact is that corner and not a rounded
// point.
TEST(TriangleContact, ACornerOnTheOtherTriangleIsReportedAsItIs) {
  Random random(6);
  int single = 0;
  for (int i = 0; i < 20000; ++i) {
    // Thirds of an edge between large multiples of 3: exact, but not by way of a rounded parameter.
    TrianglePair pair = test::make_pair_of([&] { return Vec3(3 * 1048573.0 * random.on_grid(1 << 30)); });
    pair.x[3] = pair.x[0] + random.below(4) * (pair.x[1] - pair.x[0]) / 3;
    const TriangleContact contact = contact_of(pair);
    if (contact.relation != Relation::touching || contact.p != contact.q) continue;
    ++single;
    ASSERT_TRUE(std::find(pair.x.begin(), pair.x.end(), contact.p) != pair.x.end()) << pair.text();
  }
  EXPECT_GT(single, 1000);
}

TEST(TriangleContact, EndsOfCoplanarOverlapsAreFarthestApart) {
  Random random(3);
  for (int i = 0; i < 8000 && !HasFatalFailure(); ++i) {
    expect_ends(test::flattened(test::make_pair_of([&] { return random.on_grid(5); }), random.below(3)), 1e-9);
  }
}

TEST(TriangleContact, EndsAreAccurateWhereTrianglesAreAlmostCoplanar) {
  Random random(4);
  for (int i = 0; i < 3000 && !HasFatalFailure(); ++i) expect_ends(test::nearly_coplanar(random), 1e-9);
}

TEST(TriangleContact, EndsScaleWithTheInput) {
  Random random(5);
  for (const int power : {-1000, -500, -310, 310, 500, 1000}) {
    for (int i = 0; i < 500; ++i) {
      const TrianglePair pair = test::make_pair_of([&] { return random.in_cube(); });
      const TriangleContact contact = contact_of(pair);
      const TriangleContact scaled = contact_of(test::scaled(pair, power));
      ASSERT_EQ(contact.relation, scaled.relation);
      if (contact.relation == Relation::none) continue;
      const double scale = std::ldexp(1.0, power);
      ASSERT_LT((scaled.p / scale - contact.p).norm() + (scaled.q / scale - contact.q).norm(), 1e-9);
    }
  }
}

TEST(TriangleContact, PairsThatDoNotMeetHaveNoContact) {
  const TrianglePair pair{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(0, 1, 1)}};
  EXPECT_EQ(contact_of(pair).relation, Relation::none);
}

}  // namespace
}  // namespace pliant
