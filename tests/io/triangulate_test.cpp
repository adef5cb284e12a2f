#include "pliant/io/triangulate.h"

#include <Eigen/Geometry>
#include <numeric>

#include "pliant/io/polygon_builder.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

double area(const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a).norm() / 2; }

// Of the triangles; equals the polygon's own only when they neither overlap nor leave it.
double covered_area(const Triangulation& cut, std::span<const Vec3> polygon) {
  double sum = 0;
  for (const auto& [a, b, c] : cut.triangles) sum += area(polygon[a], polygon[b], polygon[c]);
  return sum;
}
double polygon_area(std::span<const Vec3> polygon) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    sum += (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]);
  return sum.norm() / 2;
}

Vec3 around(double radius, double turns) {
  return {radius * std::cos(2 * M_PI * turns), radius * std::sin(2 * M_PI * turns), 0};
}

TEST(Triangulate, CutsAConcaveQuadAlongItsInnerDiagonal) {
  const std::vector<Vec3> dart = {{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}};
  const Triangulation cut = triangulate_polygon(dart);
  EXPECT_FALSE(cut.fanned);
  EXPECT_NEAR(covered_area(cut, dart), polygon_area(dart), 1e-12);
  const std::vector<Vec3> turned = {dart[1], dart[2], dart[3], dart[0]};
  EXPECT_NEAR(covered_area(triangulate_polygon(turned), turned), polygon_area(turned), 1e-12);
}

TEST(Triangulate, CutsAConvexPolygonAsAFanFromItsFirstCorner) {
  const std::vector<Vec3> square = {{0, 0, 2}, {0, 1, 2}, {1, 1, 2}, {1, 0, 2}};
  const Triangulation cut = triangulate_polygon(square);
  EXPECT_EQ(cut.triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Triangulate, FansAPolygonThatHasNoArea) {
  const std::vector<Vec3> spike(5, Vec3(1, 2, 3));
  EXPECT_EQ(triangulate_polygon(spike).triangles.size(), 3u);
  const std::vector<Vec3> huge = {{-1e308, 0, 0}, {1e308, 0, 0}, {1e308, 1e308, 0}, {-1e308, -1e308, 0}};
  EXPECT_EQ(triangulate_polygon(huge).triangles.size(), 2u);
}

// Neither the differences of the largest coordinates nor one over the smallest size are numbers.
TEST(Triangulate, CutsPolygonsOfAnySize) {
  for (const double size : {1e-320, 1e-300, 1.0, 1e300, 1.7e308}) {
    std::vector<Vec3> star;
    for (int i = 0; i < 40; ++i) star.push_back(size * around(i % 2 == 0 ? 1 : 0.5, i / 40.0));
    const Triangulation cut = triangulate_polygon(star);
    EXPECT_FALSE(cut.fanned) << size;
    EXPECT_EQ(cut.triangles.size(), 38u) << size;
  }
}

TEST(Triangulate, EndsSoonOnAHugeTangle) {
  std::vector<Vec3> tangle;
  for (std::int64_t i = 0; i < 20'000; ++i) tangle.emplace_back(i * 7919 % 1009, i * 104729 % 1013, 0);
  const Triangulation cut = triangulate_polygon(tangle);
  EXPECT_EQ(cut.triangles.size(), tangle.size() - 2);
}

void expect_clean_cut(const std::vector<Vec3>& polygon) {
  const Triangulation cut = triangulate_polygon(polygon);
  EXPECT_FALSE(cut.fanned);
  EXPECT_EQ(cut.triangles.size(), polygon.size() - 2);
  EXPECT_NEAR(covered_area(cut, polygon) / polygon_area(polygon), 1, 1e-9);
}

TEST(Triangulate, CutsStarsOfManyCorners) {
  for (const std::size_t corners : {4'000u, 16'000u, 100'000u}) {
    for (const double inner : {0.5, 0.999}) {
      std::vector<Vec3> star;
      for (std::size_t i = 0; i < corners; ++i)
        star.push_back(around(i % 2 == 0 ? 1 : inner, static_cast<double>(i) / static_cast<double>(corners)));
      SCOPED_TRACE(corners);
      expect_clean_cut(star);
    }
  }
}

// A band wound up: few ears at any time, and long ways to the next one.
TEST(Triangulate, CutsSpiralsOfManyCorners) {
  constexpr std::size_t kHalf = 30'000;
  std::vector<Vec3> spiral;
  for (std::size_t i = 0; i < kHalf; ++i)
    spiral.push_back(around(1 + 1e-3 * static_cast<double>(i), 2e-3 * static_cast<double>(i)));
  for (std::size_t i = kHalf; i-- > 0;)
    spiral.push_back(around(0.8 + 1e-3 * static_cast<double>(i), 2e-3 * static_cast<double>(i)));
  expect_clean_cut(spiral);
}

// Teeth that lie across the whole polygon, and one corner so far away that all others are next to each other.
TEST(Triangulate, CutsCombsOfManyCornersHoweverUnevenTheyLie) {
  constexpr std::size_t kTeeth = 15'000;
  std::vector<Vec3> comb = {{-1e5, -1, 0}, {static_cast<double>(kTeeth), -1, 0}};
  for (std::size_t i = kTeeth; i-- > 0;) {
    comb.emplace_back(static_cast<double>(i) + 0.5, 5'000, 0);
    comb.emplace_back(static_cast<double>(i), 0, 0);
  }
  expect_clean_cut(comb);
}

// A square with a hole, cut open along a line that is walked there and back.
TEST(Triangulate, CutsAPolygonWithAHole) {
  expect_clean_cut(
      {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0}, {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}});
}

// Star-shaped around the origin, in any plane: always simple, mostly concave.
RC_GTEST_PROP(Triangulate, CoversAnySimplePolygonOnce, ()) {
  const auto radii =
      *rc::gen::resize(60, rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 100)),
                                             [](const auto& r) { return r.size() >= 3; }));
  const auto direction = *points(rc::gen::map(rc::gen::inRange(-100, 100), [](int i) { return i / 100.0; }), 2);
  const Vec3 normal = (direction[0] + Vec3(0, 0, 1e-3)).normalized();
  const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
  std::vector<Vec3> polygon;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(radii.size());
    polygon.push_back(direction[1] + radii[i] * (std::cos(angle) * u + std::sin(angle) * v));
  }
  const Triangulation cut = triangulate_polygon(polygon);
  RC_ASSERT(cut.triangles.size() == polygon.size() - 2);
  RC_ASSERT(!cut.fanned);
  RC_ASSERT(std::abs(covered_area(cut, polygon) - polygon_area(polygon)) < 1e-9 * polygon_area(polygon));
  for (const auto& [a, b, c] : cut.triangles)
    RC_ASSERT((polygon[b] - polygon[a]).cross(polygon[c] - polygon[a]).dot(normal) >= -1e-9);
}

// A comb, simple and far from degenerate, that may only be looked at a little.
TEST(Triangulate, APolygonThatTakesTooMuchWorkIsNotCalledDegenerate) {
  std::vector<Vec3> comb = {{-1, -1, 0}, {100, -1, 0}};
  for (int i = 100; i-- > 0;) {
    comb.emplace_back(i + 0.5, 50, 0);
    comb.emplace_back(i, 0, 0);
  }
  EXPECT_FALSE(triangulate_polygon(comb).fanned);
  EXPECT_FALSE(triangulate_polygon(comb).out_of_work);
  const Triangulation cut = triangulate_polygon(comb, 1);
  EXPECT_TRUE(cut.fanned);
  EXPECT_TRUE(cut.out_of_work);
  EXPECT_EQ(cut.triangles.size(), comb.size() - 2);

  const auto warnings_of = [&](std::size_t work_per_corner, std::vector<std::uint32_t> corners) {
    PolygonBuilder builder;
    builder.positions = comb;
    builder.work_per_corner = work_per_corner;
    builder.add_polygon(corners);
    return builder.build("comb.obj").warnings;
  };
  std::vector<std::uint32_t> all(comb.size());
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_TRUE(warnings_of(0, all).empty());
  EXPECT_EQ(warnings_of(1, all),
            std::vector<std::string>{"1 polygon takes too much work to be cut cleanly, and was cut "
                                     "as a fan of triangles"});
  std::vector<std::uint32_t> crossing;
  for (std::size_t i = 0; i < all.size(); ++i) crossing.push_back(all[37 * i % all.size()]);
  EXPECT_EQ(warnings_of(0, crossing),
            std::vector<std::string>{"1 polygon crosses itself or is degenerate, and was cut as a fan of triangles"});
}

}  // namespace
}  // namespace pliant
