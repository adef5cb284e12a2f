#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/asset/measure.h"
#include "pliant/asset/node_grid.h"
#include "pliant/asset/polish.h"
#include "pliant/asset/simplify.h"
#include "pliant/asset/wrap.h"
#include "pliant/geometry/distance.h"
#include "tests/asset/meshes.h"

namespace pliant::testing {
namespace {

TEST(ClosestFace, FindsTheNearestOfAllFaces) {
  const MeshPtr mesh = make_torus({.segments = 20, .sides = 10});
  const ClosestFace closest(*mesh);
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p(random.within(-2, 2), random.within(-2, 2), random.within(-1, 1));
    double least = 1e9;
    for (const Triangle& t : mesh->triangles())
      least = std::min(
          least,
          closest_points(p, Triangle3{mesh->position(t[0]), mesh->position(t[1]), mesh->position(t[2])}).distance);
    const NearestOnSurface found = closest.find(p);
    EXPECT_EQ(found.distance, least);
    EXPECT_NEAR((found.point - p).norm(), least, 1e-12);
    EXPECT_FALSE(closest.find_within(p, 0.99 * least).face.valid());
    EXPECT_EQ(closest.find_within(p, 1.01 * least).face, found.face);
  }
}

TEST(NodesInside, NeverLeaksWhereNodesLieOnEdgesAndVertices) {
  // Lines of nodes run exactly along edges, faces and corners of the box.
  const MeshPtr box = make_box({.size = {2, 2, 2}, .cells = {4, 4, 4}});
  NodeGrid grid{.origin = {-2, -2, -2}, .spacing = 0.25, .count = {17, 17, 17}};
  const std::vector<std::uint8_t> inside = nodes_inside(*box, grid);
  for (std::size_t n = 0; n < grid.size(); ++n) {
    const double most = grid.point(n).cwiseAbs().maxCoeff();
    if (most != 1) {
      EXPECT_EQ(inside[n], most < 1 ? 1 : 0);
    }
  }
}

TEST(Wrap, UnitesPartsThatOverlap) {
  const MeshPtr two =
      joined({make_icosphere({.frequency = 8}), make_icosphere({.frequency = 8})}, {Vec3::Zero(), {1, 0, 0}});
  const MeshPtr wrap = wrap_surface(*two, {.cell = 0.08});
  EXPECT_TRUE(check_surface(wrap).sound());
  EXPECT_EQ(find_defects(*wrap).components, 1u);
  // Two unit balls at distance 1 share 5 pi / 12.
  EXPECT_NEAR(measure(*wrap).volume(), (8.0 / 3 - 5.0 / 12) * 3.14159, 0.2);
}

TEST(Wrap, HoldsSheetsThatHaveNoInside) {
  const MeshPtr sheet = make_grid({.columns = 8, .rows = 8});
  const double cell = 0.05;
  const MeshPtr wrap = wrap_surface(*sheet, {.cell = cell, .offset = 0.9 * cell, .solid = false});
  EXPECT_TRUE(check_surface(wrap).sound());
  EXPECT_NEAR(measure(*wrap).volume(), 2 * 0.9 * cell, 0.5 * cell);
  EXPECT_TRUE(says(error_text([&] { wrap_surface(*sheet, {.cell = cell}); }), "smaller than the cells"));
}

// Any triangles at all.
RC_GTEST_PROP(WrapProperty, IsAlwaysSound, ()) {
  std::vector<Vec3> positions;
  std::vector<std::array<int, 3>> faces;
  const int count = *rc::gen::inRange(1, 8);
  const auto coordinate = [] { return *rc::gen::inRange(-8, 9) / 8.0; };
  for (int i = 0; i < 3 * count; ++i) positions.emplace_back(coordinate(), coordinate(), coordinate());
  for (int i = 0; i < count; ++i) faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  const MeshPtr wrap = wrap_surface(*make_mesh(positions, faces), {.cell = 0.25, .offset = 0.225, .solid = false});
  RC_ASSERT(check_surface(wrap).sound());
}

TEST(CheckSurface, TellsWhatIsWrong) {
  EXPECT_TRUE(check_surface(make_icosphere()).sound());
  EXPECT_FALSE(check_surface(make_grid()).closed);
  const MeshPtr crossing = joined({make_icosphere(), make_icosphere()}, {Vec3::Zero(), {0.5, 0, 0}});
  EXPECT_TRUE(check_surface(crossing).closed && !check_surface(crossing).apart);
  const MeshPtr nested = joined({make_icosphere(), make_icosphere({.radius = 0.5})});
  EXPECT_TRUE(check_surface(nested).apart && !check_surface(nested).outward);
  const MeshPtr touching = joined({make_cube(), make_cube()}, {Vec3::Zero(), {1, 0.25, 0}});
  EXPECT_FALSE(check_surface(touching).apart);
}

TEST(CoarseSurface, KeepsWhatIsCoarseEnough) {
  const CoarseSurface coarse = make_coarse_surface(make_cube(), {.faces = 100});
  EXPECT_EQ(coarse.kind, CoarseSurfaceKind::as_given);
  EXPECT_EQ(coarse.mesh->face_count(), 12u);
}

TEST(CoarseSurface, SimplifiesASoundMeshToTheNumberAskedFor) {
  for (const MeshPtr& mesh : {make_icosphere({.frequency = 24}), make_torus({.segments = 96, .sides = 48})}) {
    const CoarseSurface coarse = make_coarse_surface(mesh, {.faces = 300});
    EXPECT_EQ(coarse.kind, CoarseSurfaceKind::simplified);
    EXPECT_TRUE(check_surface(coarse.mesh).sound());
    EXPECT_NEAR(static_cast<double>(coarse.mesh->face_count()), 300, 90);
    EXPECT_NEAR(measure(*coarse.mesh).volume() / measure(*mesh).volume(), 1, 0.05);
  }
}

TEST(CoarseSurface, IsSoundForMeshesThatCrossThemselvesOrHaveNoInside) {
  const MeshPtr crossing = joined({make_torus(), make_icosphere({.frequency = 12})}, {Vec3::Zero(), {1, 0, 0}});
  for (const MeshPtr& mesh :
       {crossing, make_grid(), make_teapot(), make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}})}) {
    const CoarseSurface coarse = make_coarse_surface(mesh, {.faces = 300, .wrap_sheets = true});
    EXPECT_EQ(coarse.kind, CoarseSurfaceKind::wrapped);
    EXPECT_TRUE(check_surface(coarse.mesh).sound());
    EXPECT_NEAR(static_cast<double>(coarse.mesh->face_count()), 300, 75);
  }
}

// The least ratio of two edges of a face.
double least_edge_ratio(const TriangleMesh& mesh) {
  double least = 1;
  for (const Triangle& t : mesh.triangles()) {
    const double a = (mesh.position(t[1]) - mesh.position(t[0])).norm();
    const double b = (mesh.position(t[2]) - mesh.position(t[1])).norm();
    const double c = (mesh.position(t[0]) - mesh.position(t[2])).norm();
    least = std::min(least, std::min({a, b, c}) / std::max({a, b, c}));
  }
  return least;
}

TEST(Polish, MakesSliversBetterAndStaysOnTheSurface) {
  const MeshPtr ball = make_icosphere({.frequency = 8});
  std::vector<Vec3> positions;
  Random random(1);
  for (const Vec3& p : ball->positions()) {
    const Vec3 step(random.within(-0.04, 0.04), random.within(-0.04, 0.04), random.within(-0.04, 0.04));
    positions.emplace_back((p + step).normalized());
  }
  const TriangleMesh shaken(positions, {ball->triangles().begin(), ball->triangles().end()});
  const ClosestFace closest(*ball);
  const MeshPtr better = polish_surface(shaken, closest);
  EXPECT_TRUE(check_surface(better).sound());
  EXPECT_GT(least_edge_ratio(*better), 1.5 * least_edge_ratio(shaken));
  for (const Vec3& p : better->positions()) EXPECT_LT(closest.find(p).distance, 1e-12);
}

TEST(Polish, GivesTheVolumeAskedFor) {
  const MeshPtr ball = make_icosphere({.frequency = 3});
  const double wanted = 4.18879;
  EXPECT_LT(measure(*ball).volume(), 0.95 * wanted);
  EXPECT_NEAR(measure(*with_volume(*ball, wanted)).volume(), wanted, 0.005 * wanted);
}

TEST(Polish, LeavesCornersOfABoxAlone) {
  const MeshPtr box = make_box({.cells = {3, 3, 3}});
  const MeshPtr better = polish_surface(*box, ClosestFace(*box));
  EXPECT_NEAR(measure(*better).volume(), 1, 1e-12);
}

}  // namespace
}  // namespace pliant::testing
