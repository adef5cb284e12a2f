#include "pliant/mesh/level_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

#include "pliant/core/error.h"
#include "pliant/core/random.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/clip.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

constexpr auto kSphere = [](const Vec3& p) { return p.norm() - 1; };
constexpr auto kTorus = [](const Vec3& p) { return std::hypot(std::hypot(p.x(), p.y()) - 1, p.z()) - 0.4; };

const Eigen::AlignedBox3d kBox(Vec3(-1.6, -1.6, -1.6), Vec3(1.6, 1.6, 1.6));

TEST(LevelSet, OfASphereIsClosedOnTheSphereAndHasItsVolume) {
  for (const double cell : {0.4, 0.13, 0.05}) {
    const MeshPtr mesh = make_level_set({.box = kBox, .cell = cell}, kSphere);
    const DefectReport report = find_defects(*mesh);
    EXPECT_TRUE(report.closed() && report.manifold()) << cell;
    EXPECT_EQ(report.components, 1u);
    EXPECT_EQ(report.unreferenced_vertices.count + report.zero_area_faces.count, 0u);
    EXPECT_NEAR(enclosed_volume(*mesh), 4.0 / 3 * kPi, cell * cell * 4);
    for (const Vec3& p : mesh->positions()) EXPECT_NEAR(p.norm(), 1, 1e-9);
    EXPECT_NEAR(static_cast<double>(mesh->face_count()), 3 * 4 * kPi / (cell * cell), 12 * kPi / (cell * cell) * 0.1);
  }
}

TEST(LevelSet, OfATorusHasAHole) {
  const MeshPtr mesh = make_level_set({.box = kBox, .cell = 0.07}, kTorus);
  EXPECT_TRUE(find_defects(*mesh).closed());
  EXPECT_EQ(
      static_cast<long>(mesh->vertex_count() + mesh->face_count()) - static_cast<long>(mesh->topology().edges().size()),
      0);
  EXPECT_NEAR(enclosed_volume(*mesh), 2 * kPi * kPi * 0.16, 0.03);
}

// Two balls nearly or just touching: cells between them hold two sheets, or a saddle.
RC_GTEST_PROP(LevelSet, StaysManifoldWhereSheetsMeetInACell, ()) {
  const double gap = *rc::gen::inRange(-20, 21) / 100.0;
  const Vec3 aside(*rc::gen::inRange(0, 100) / 300.0, *rc::gen::inRange(0, 100) / 300.0, 0);
  const auto balls = [&](const Vec3& p) {
    const Vec3 a = aside + Vec3(0, 0, 0.5 + gap / 2), b = aside - Vec3(0, 0, 0.5 + gap / 2);
    return std::min((p - a).norm(), (p - b).norm()) - 0.5;
  };
  const MeshPtr mesh = make_level_set({.box = kBox, .cell = 0.11}, balls);
  const DefectReport report = find_defects(*mesh);
  RC_ASSERT(report.boundary_edges.count == 0u);
  RC_ASSERT(report.flipped_edges.count == 0u);
  RC_ASSERT(report.manifold());
}

TEST(LevelSet, OfNothingIsEmpty) {
  EXPECT_EQ(make_level_set({.box = kBox, .cell = 0.2}, [](const Vec3&) { return 1.0; })->face_count(), 0u);
}

TEST(LevelSet, RefusesCellsThatAreNotPositiveOrTooMany) {
  EXPECT_THROW(make_level_set({.box = kBox, .cell = 0}, kSphere), Error);
  EXPECT_THROW(make_level_set({.box = kBox, .cell = 1e-9}, kSphere), Error);
  EXPECT_THROW(make_level_set({.box = {}, .cell = 1e300}, kSphere), Error);
}

TEST(Clip, OfABallByAPlaneIsHalfABall) {
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 12});
  std::vector<double> height;
  for (const Vec3& p : ball->positions()) height.push_back(p.z() - 0.013);
  const MeshPtr half = clip_mesh(*ball, height);
  const DefectReport report = find_defects(*half);
  EXPECT_TRUE(report.manifold());
  EXPECT_EQ(report.flipped_edges.count + report.unreferenced_vertices.count, 0u);
  EXPECT_GT(report.boundary_edges.count, 40u);
  double area = 0, top = -1;
  for (const Triangle& t : half->triangles())
    area += (half->position(t[1]) - half->position(t[0])).cross(half->position(t[2]) - half->position(t[0])).norm() / 2;
  for (const Vec3& p : half->positions()) top = std::max(top, p.z());
  EXPECT_NEAR(area, 2 * kPi * 1.013, 0.1);
  EXPECT_NEAR(top, 0.013, 1e-12);
}

RC_GTEST_PROP(Clip, KeepsASheetManifoldForAnyValues, (std::uint64_t seed)) {
  const MeshPtr sheet = make_grid({.columns = 6, .rows = 5});
  Random random(seed);
  std::vector<double> values;
  double kept_area = 0;
  for (std::size_t v = 0; v < sheet->vertex_count(); ++v)
    values.push_back(random.below(4) == 0 ? 0 : random.within(-1, 1));
  const MeshPtr part = clip_mesh(*sheet, values);
  const DefectReport report = find_defects(*part);
  RC_ASSERT(report.nonmanifold_edges.count == 0u);
  RC_ASSERT(report.flipped_edges.count == 0u);
  RC_ASSERT(report.repeated_index_faces.count + report.duplicate_faces.count == 0u);
  std::vector<double> negated;
  for (const double v : values) negated.push_back(-v);
  for (const MeshPtr& side : {part, clip_mesh(*sheet, negated)})
    for (const Triangle& t : side->triangles())
      kept_area +=
          (side->position(t[1]) - side->position(t[0])).cross(side->position(t[2]) - side->position(t[0])).z() / 2;
  // Faces whose corners are all 0 are on both sides.
  double twice = 0;
  for (const Triangle& t : sheet->triangles())
    if (values[t[0].index()] == 0 && values[t[1].index()] == 0 && values[t[2].index()] == 0) twice += 0.5 / 30;
  RC_ASSERT(std::abs(kept_area - 1 - twice) < 1e-12);
}

}  // namespace
}  // namespace pliant
