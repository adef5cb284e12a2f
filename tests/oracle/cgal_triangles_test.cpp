// A second opinion from outside: CGAL on triangles with area. The only translation unit that includes CGAL, which is
// slow to compile. It only says whether they meet, and knows nothing of shared corners.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Segment_3.h>
#include <CGAL/Triangle_3.h>
#include <CGAL/intersections.h>
#include <gtest/gtest.h>

#include "pliant/geometry/predicates.h"
#include "pliant/geometry/segment_triangle.h"
#include "pliant/geometry/triangle_triangle.h"
#include "tests/geometry/random_cases.h"
#include "tests/oracle/rational_triangles.h"

namespace pliant {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using test::Random;
using test::TrianglePair;

Kernel::Point_3 point(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Kernel::Triangle_3 triangle(const Triangle3& t) { return {point(t[0]), point(t[1]), point(t[2])}; }

struct Count {
  int meeting = 0;
  int apart = 0;
};

// Every pair with area goes to CGAL and the library, some to the rational oracle too.
template <class MakePair>
Count expect_agreement(int cases, MakePair make) {
  Count count;
  for (int i = 0; i < cases; ++i) {
    const TrianglePair pair = make();
    const Triangle3 a = pair.a(), b = pair.b();
    if (collinear(a[0], a[1], a[2]) || collinear(b[0], b[1], b[2])) continue;
    const bool meet = CGAL::do_intersect(triangle(a), triangle(b));
    EXPECT_EQ(triangle_triangle_relation(a, b) != Relation::none, meet) << pair.text();
    if (i % 8 == 0) {
      EXPECT_EQ(oracle::triangle_triangle(a, b) != Relation::none, meet) << pair.text();
    }
    const Kernel::Segment_3 segment(point(a[0]), point(a[1]));
    EXPECT_EQ(segment_triangle_relation(Segment3(a[0], a[1]), b) != Relation::none,
              CGAL::do_intersect(segment, triangle(b)))
        << pair.text();
    if (testing::Test::HasFailure()) break;
    ++(meet ? count.meeting : count.apart);
  }
  return count;
}

TEST(Cgal, AgreesOnGenericTriangles) {
  Random random(1);
  const Count count = expect_agreement(50000, [&] { return test::make_pair_of([&] { return random.in_cube(); }); });
  EXPECT_GT(count.meeting, 5000);
  EXPECT_GT(count.apart, 5000);
}

TEST(Cgal, AgreesOnSmallGrids) {
  Random random(2);
  const Count count = expect_agreement(100000, [&] {
    const int n = random.between(2, 6);
    return test::make_pair_of([&] { return random.on_grid(n); });
  });
  EXPECT_GT(count.meeting, 5000);
  EXPECT_GT(count.apart, 5000);
}

TEST(Cgal, AgreesInOnePlane) {
  Random random(3);
  expect_agreement(50000, [&] {
    const int n = random.between(3, 8);
    return test::flattened(test::make_pair_of([&] { return random.on_grid(n); }), random.below(3));
  });
}

TEST(Cgal, AgreesAnUlpFromOnePlane) {
  Random random(4);
  const Count count = expect_agreement(20000, [&] { return test::nearly_coplanar(random); });
  EXPECT_GT(count.meeting, 1000);
  EXPECT_GT(count.apart, 1000);
}

TEST(Cgal, AgreesOnOrientations) {
  Random random(5);
  for (int i = 0; i < 50000; ++i) {
    const auto x = test::nearly_coplanar(random).x;
    const auto sign = CGAL::orientation(point(x[0]), point(x[1]), point(x[2]), point(x[3]));
    // CGAL's is positive above the plane, ours below.
    ASSERT_EQ(orient3d(x[0], x[1], x[2], x[3]), -static_cast<int>(sign));
  }
}

}  // namespace
}  // namespace pliant
