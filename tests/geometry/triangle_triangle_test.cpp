#include "pliant/geometry/triangle_triangle.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

#include "tests/geometry/random_cases.h"
#include "tests/oracle/rational_triangles.h"

namespace pliant {
namespace {

using test::Random;
using test::TrianglePair;

Relation relation_of(const TrianglePair& pair) { return triangle_triangle_relation(pair.a(), pair.b(), pair.shared); }

// How often each relation came up, so that a family can show that it is not empty.
struct Seen {
  std::array<int, 5> count{};
  int operator[](Relation relation) const { return count[static_cast<std::size_t>(relation)]; }
};

template <class MakePair>
Seen expect_oracle(int cases, MakePair make) {
  Seen seen;
  for (int i = 0; i < cases; ++i) {
    const TrianglePair pair = make();
    const Relation expected = oracle::triangle_triangle(pair.a(), pair.b(), pair.shared);
    const Relation actual = relation_of(pair);
    EXPECT_EQ(to_string(actual), std::string(to_string(expected))) << pair.text();
    if (actual != expected) break;
    ++seen.count[static_cast<std::size_t>(expected)];
  }
  return seen;
}

TEST(TriangleTriangle, GenericPairsAreDecidedExactly) {
  Random random(1);
  const Seen seen = expect_oracle(
      8000, [&] { return with_any_shared(test::make_pair_of([&] { return random.in_cube(); }), random); });
  EXPECT_GT(seen[Relation::crossing], 500);
  EXPECT_GT(seen[Relation::none], 500);
}

TEST(TriangleTriangle, SmallGridsAreDecidedExactly) {
  Random random(2);
  const Seen seen = expect_oracle(40000, [&] {
    const int n = random.between(2, 4);
    return with_any_shared(test::make_pair_of([&] { return random.on_grid(n); }), random);
  });
  EXPECT_GT(seen[Relation::crossing], 1000);
  EXPECT_GT(seen[Relation::touching], 1000);
  EXPECT_GT(seen[Relation::coplanar], 1000);
  EXPECT_GT(seen[Relation::none], 1000);
}

TEST(TriangleTriangle, CoplanarGridsAreDecidedExactly) {
  Random random(3);
  const Seen seen = expect_oracle(20000, [&] {
    const int n = random.between(3, 5);
    const auto flat = test::flattened(test::make_pair_of([&] { return random.on_grid(n); }), random.below(3));
    return with_any_shared(flat, random);
  });
  EXPECT_GT(seen[Relation::touching], 500);
  EXPECT_GT(seen[Relation::coplanar], 500);
  EXPECT_GT(seen[Relation::none], 500);
}

TEST(TriangleTriangle, CoplanarPairsOnSlantedPlanesAreDecidedExactly) {
  Random random(4);
  const Seen seen = expect_oracle(10000, [&] {
    const Vec3 u = random.on_grid(5), v = random.on_grid(5);
    const auto pair = test::make_pair_of([&] { return Vec3(random.below(4) * u - random.below(4) * v); });
    return with_any_shared(pair, random);
  });
  EXPECT_GT(seen[Relation::coplanar], 500);
}

TEST(TriangleTriangle, CornersOnTheOtherTriangleAreDecidedExactly) {
  Random random(5);
  const Seen seen = expect_oracle(10000, [&] {
    const auto pair = test::make_pair_of([&] { return Vec3(4 * random.on_grid(20)); });
    return touching(with_shared(pair, random.below(3), random), random);
  });
  EXPECT_GT(seen[Relation::touching], 500);
}

TEST(TriangleTriangle, NeedlesAndZeroAreasAreDecidedExactly) {
  Random random(6);
  expect_oracle(8000, [&] {
    const bool grid = random.coin();
    const auto pair = test::make_pair_of([&] { return grid ? Vec3(2 * random.on_grid(4)) : random.in_cube(); });
    return with_any_shared(with_needle(pair, random), random);
  });
  const Seen seen = expect_oracle(10000, [&] {
    const Vec3 u = random.on_grid(3), v = random.on_grid(3), w = random.on_grid(2);
    TrianglePair pair = test::make_pair_of([&] { return Vec3(w + random.below(4) * u); });
    for (std::size_t i = 3; i < 6; ++i) pair.x[i] = w + random.below(4) * v;
    return with_any_shared(pair, random);
  });
  EXPECT_GT(seen[Relation::touching], 500);
  EXPECT_EQ(seen[Relation::crossing] + seen[Relation::coplanar], 0);
}

TEST(TriangleTriangle, PairsAnUlpFromCoplanarAreDecidedExactly) {
  Random random(7);
  const Seen seen = expect_oracle(8000, [&] { return with_any_shared(test::nearly_coplanar(random), random); });
  EXPECT_GT(seen[Relation::crossing], 500);
  EXPECT_GT(seen[Relation::none], 500);
}

// Edges on one ray from the shared corner, and everything else such that the ray lies along the plane that a test
// across the direction from one triangle to the other would try.
TEST(TriangleTriangle, RaysAlongASeparatingPlaneAreDecidedExactly) {
  Random random(10);
  const Seen seen = expect_oracle(5000, [&] {
    const Vec3 along = random.in_cube().unaryExpr([](double x) { return std::floor(x * 0x1p45); });
    const Vec3 across = along.cross(random.in_cube());
    const Vec3 left = (random.unit() + 0.1) * across + random.unit() * along;
    TrianglePair pair{{Vec3::Zero(), along, left, Vec3::Zero(), 3 * along, (along + left) - (3 * along + across)}};
    pair.shared = {1, {{{0, 0}}}};
    return pair;
  });
  EXPECT_GT(seen[Relation::touching] + seen[Relation::crossing], 1000);
}

TEST(TriangleTriangle, EveryScaleIsDecidedExactly) {
  Random random(8);
  for (int power = -1074; power <= 1020; power += 6) {
    expect_oracle(6, [&] {
      const bool grid = random.coin();
      const auto pair = test::make_pair_of([&] { return grid ? random.on_grid(4) : random.in_cube(); });
      return with_any_shared(test::scaled(pair, power), random);
    });
  }
}

TEST(TriangleTriangle, MixedExponentsAreDecidedExactly) {
  Random random(9);
  const auto of = [&](int low, int high) {
    return with_any_shared(test::make_pair_of([&] { return random.of_exponents(low, high); }), random);
  };
  expect_oracle(150, [&] { return of(-1074, 1023); });
  expect_oracle(1000, [&] { return of(-340, -280); });
  expect_oracle(1000, [&] { return of(280, 345); });
  expect_oracle(1000, [&] { return of(-60, 60); });
}

// Every pair of triangles with corners among few points, with every way of sharing the corners that coincide.
template <class PointOf>
void expect_oracle_for_all(int points, PointOf point_of) {
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i < points; ++i) {
    for (int j = i; j < points; ++j) {
      for (int k = j; k < points; ++k) triangles.push_back({i, j, k});
    }
  }
  for (const auto& s : triangles) {
    for (const auto& t : triangles) {
      TrianglePair pair{
          {point_of(s[0]), point_of(s[1]), point_of(s[2]), point_of(t[0]), point_of(t[1]), point_of(t[2])}};
      expect_oracle(1, [&] { return pair; });
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3 && pair.shared.count < 3; ++j) {
          if (s[i] != t[j]) continue;
          pair.shared.pairs[pair.shared.count++] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
          expect_oracle(1, [&] { return pair; });
        }
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(TriangleTriangle, AllPairsOnTheCornersOfACubeAreDecidedExactly) {
  expect_oracle_for_all(8, [](int i) { return Vec3(i & 1, (i >> 1) & 1, i >> 2); });
}

TEST(TriangleTriangle, AllPairsOnNinePointsOfAPlaneAreDecidedExactly) {
  expect_oracle_for_all(9, [](int i) { return Vec3(i % 3, 5, i / 3); });
}

// --- the cases that the contract names ---

TrianglePair sharing(TrianglePair pair, std::initializer_list<std::array<std::uint8_t, 2>> corners) {
  for (const auto& c : corners) pair.shared.pairs[pair.shared.count++] = c;
  return pair;
}

const Vec3 kO(0, 0, 0), kX(4, 0, 0), kY(0, 4, 0), kZ(0, 0, 4);

TEST(TriangleTriangle, NeighboursMeetOnlyWhenFoldedFlat) {
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, kX, kZ}}, {{0, 0}, {1, 1}})), Relation::none);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, kX, Vec3(1, -3, 0)}}, {{0, 0}, {1, 1}})), Relation::none);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, kX, Vec3(9, 1, 0)}}, {{0, 0}, {1, 1}})), Relation::coplanar);
  EXPECT_EQ(relation_of({{kO, kX, kY, kO, kX, kZ}}), Relation::touching);
}

TEST(TriangleTriangle, DuplicatesMeetUnlessTheyHaveNoArea) {
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kY, kO, kX}}, {{0, 1}, {1, 2}, {2, 0}})), Relation::coplanar);
  const Vec3 middle(1, 0, 0);
  EXPECT_EQ(relation_of(sharing({{kO, kX, middle, kX, kO, middle}}, {{0, 1}, {1, 0}, {2, 2}})), Relation::none);
  EXPECT_EQ(relation_of({{kO, kX, middle, kX, kO, middle}}), Relation::touching);
}

TEST(TriangleTriangle, ASharedCornerIsNotAContactButWhatIsBeyondItIs) {
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, kZ, -kX}}, {{0, 0}})), Relation::none);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, Vec3(1, 1, 1), Vec3(1, 1, -1)}}, {{0, 0}})), Relation::crossing);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, Vec3(1, 1, 0), Vec3(1, 1, -1)}}, {{0, 0}})), Relation::touching);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, kX, -kY}}, {{0, 0}})), Relation::touching);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, kX, Vec3(5, 1, 0)}}, {{0, 0}})), Relation::coplanar);
}

TEST(TriangleTriangle, ASegmentThatGoesOnInsideTheOtherTriangleTouches) {
  const Vec3 inside(1, 1, 0), outside(-1, -1, 0);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, inside, inside}}, {{0, 0}})), Relation::touching);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, outside, outside}}, {{0, 0}})), Relation::none);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, inside, outside}}, {{0, 0}})), Relation::touching);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, kX, Vec3(2, 0, 0)}}, {{0, 0}, {1, 1}})), Relation::none);
  EXPECT_EQ(relation_of(sharing({{kO, kX, kY, kO, Vec3(2, 0, 0), kO}}, {{0, 0}})), Relation::touching);
}

// --- symmetry ---

TrianglePair arbitrary_pair() {
  const int most = *rc::gen::inRange(1, 5);
  TrianglePair pair = test::make_pair_of([&] {
    const auto coordinate = rc::gen::inRange(0, most + 1);
    const int x = *coordinate, y = *coordinate, z = *coordinate;
    return Vec3(x, y, z);
  });
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  return with_any_shared(pair, random);
}

TrianglePair swapped(const TrianglePair& pair) {
  TrianglePair result{{pair.x[3], pair.x[4], pair.x[5], pair.x[0], pair.x[1], pair.x[2]}, pair.shared};
  for (auto& [a, b] : result.shared.pairs) std::swap(a, b);
  return result;
}

// Corner i of a triangle becomes corner p[i] of the result's.
TrianglePair permuted(const TrianglePair& pair, const std::array<int, 3>& pa, const std::array<int, 3>& pb) {
  TrianglePair result = pair;
  for (std::size_t i = 0; i < 3; ++i) {
    result.x[static_cast<std::size_t>(pa[i])] = pair.x[i];
    result.x[static_cast<std::size_t>(3 + pb[i])] = pair.x[3 + i];
    auto& corner = result.shared.pairs[i];
    corner = {static_cast<std::uint8_t>(pa[corner[0]]), static_cast<std::uint8_t>(pb[corner[1]])};
  }
  return result;
}

RC_GTEST_PROP(TriangleTriangle, RelationDoesNotDependOnTheOrderOfTriangles, ()) {
  const TrianglePair pair = arbitrary_pair();
  RC_ASSERT(relation_of(pair) == relation_of(swapped(pair)));
}

RC_GTEST_PROP(TriangleTriangle, RelationDoesNotDependOnTheOrderOfCorners, ()) {
  const TrianglePair pair = arbitrary_pair();
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(relation_of(pair) == relation_of(permuted(pair, random.permutation(), random.permutation())));
}

RC_GTEST_PROP(TriangleTriangle, RelationSurvivesMirrorsAndExchangedAxes, ()) {
  const TrianglePair pair = arbitrary_pair();
  const int axis = *rc::gen::inRange(0, 3);
  TrianglePair mirrored = pair;
  for (Vec3& v : mirrored.x) v[axis] = -v[axis];
  RC_ASSERT(relation_of(pair) == relation_of(mirrored));
  for (Vec3& v : mirrored.x) std::swap(v[axis], v[(axis + 1) % 3]);
  RC_ASSERT(relation_of(pair) == relation_of(mirrored));
}

}  // namespace
}  // namespace pliant
