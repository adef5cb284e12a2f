// Which directions surfaces let themselves be touched in, against nearest points of the whole surface.
#include "pliant/response/touch_direction.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/geometry/distance.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/topology.h"
#include "tests/support/soups.h"

namespace pliant {
namespace {

using testing::Dice;

SurfaceAtTime still(const TriangleMesh& mesh) { return {mesh, mesh.positions(), mesh.positions(), 0}; }

EdgeId edge_between(const TriangleMesh& mesh, const Vec3& a, const Vec3& b) {
  for (std::size_t e = 0; e < mesh.topology().edges().size(); ++e) {
    const Edge& edge = mesh.topology().edge(EdgeId(e));
    const Vec3 &p = mesh.position(edge[0]), &q = mesh.position(edge[1]);
    if ((p == a && q == b) || (p == b && q == a)) return EdgeId(e);
  }
  ADD_FAILURE() << "no such edge";
  return {};
}

Vec3 at_middle(const TriangleMesh& mesh, EdgeId edge, const Vec3& direction) {
  return touch_direction(still(mesh), {BodyId(0), FeatureKind::edge, edge.value}, {0.5, 0.5, 0},
                         direction.normalized());
}

// Two triangles with the edge (0,0,0) - (0,1,0) in common; the other corners are `rise` higher.
MeshPtr roof(double rise) {
  return std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{{0, 0, 0}, {0, 1, 0}, {-1, 0.5, rise}, {1, 0.5, rise}},
      std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}, {VertexId(1), VertexId(0), VertexId(3)}});
}

TEST(TouchDirection, AnEdgeWithinAPlaneIsTouchedAcrossThePlaneOnly) {
  const MeshPtr flat = roof(0);
  const EdgeId edge = edge_between(*flat, {0, 0, 0}, {0, 1, 0});
  for (const double side : {1.0, -1.0})
    for (const double lean : {-0.8, -0.1, 0.0, 0.3, 0.9})
      EXPECT_NEAR((at_middle(*flat, edge, {lean, 0, side}) - Vec3(0, 0, side)).norm(), 0, 1e-12) << lean;
  // What lies almost in the plane touches elsewhere.
  EXPECT_EQ(at_middle(*flat, edge, {1, 0, 0.01}), Vec3(Vec3::Zero()));
}

TEST(TouchDirection, ARidgeIsTouchedFromBetweenTheNormalsOfItsFaces) {
  const MeshPtr ridge = roof(-1);
  const EdgeId edge = edge_between(*ridge, {0, 0, 0}, {0, 1, 0});
  const Vec3 between = Vec3(0.3, 0, 1).normalized(), beyond = Vec3(1, 0, 0.5).normalized();
  EXPECT_NEAR((at_middle(*ridge, edge, between) - between).norm(), 0, 1e-12);
  EXPECT_NEAR((at_middle(*ridge, edge, beyond) - Vec3(1, 0, 1).normalized()).norm(), 0, 1e-12);
  // From below it is a valley: one face or the other.
  const Vec3 below = at_middle(*ridge, edge, {0.2, 0, -1});
  EXPECT_NEAR(std::abs(below.x()), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(below.z(), -std::sqrt(0.5), 1e-12);
}

TEST(TouchDirection, ABorderIsTouchedFromOutsideToo) {
  const MeshPtr flat = roof(0);
  const EdgeId border = edge_between(*flat, {0, 0, 0}, {1, 0.5, 0});
  const Vec3 outward = Vec3(0.5, -1, 0.2).normalized();
  EXPECT_NEAR((at_middle(*flat, border, outward) - outward).norm(), 0, 1e-12);
  EXPECT_NEAR((at_middle(*flat, border, {-0.5, 1, 1}) - Vec3(0, 0, 1)).norm(), 0, 1e-12);
}

TEST(TouchDirection, ACornerIsTouchedFromItsOwnSideAndAFlatVertexAcrossItsPlane) {
  const MeshPtr box = make_box({.size = {2, 2, 2}, .cells = {2, 2, 2}});
  for (std::size_t v = 0; v < box->vertex_count(); ++v) {
    const Vec3& p = box->position(VertexId(v));
    const Feature vertex{BodyId(0), FeatureKind::vertex, static_cast<std::uint32_t>(v)};
    const Vec3 outward = p.normalized();
    EXPECT_NEAR((touch_direction(still(*box), vertex, {1, 0, 0}, outward) - outward).norm(), 0, 1e-12);
    if (p != Vec3(0, 0, 1)) continue;
    EXPECT_NEAR((touch_direction(still(*box), vertex, {1, 0, 0}, Vec3(0.5, 0.4, 1).normalized()) - p).norm(), 0, 1e-12);
  }
}

// The nearest point of a whole surface has only directions that are allowed there.
RC_GTEST_PROP(TouchDirection, LeavesNearestPointsOfWholeSurfacesAlone, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr shape = dice.below(2) == 0 ? make_icosphere({.radius = 1, .frequency = 3})
                                           : make_grid({.width = 2, .depth = 2, .columns = 4, .rows = 4});
  const SmoothField wobble({.seed = dice.below(1000), .amplitude = 0.3, .wavelength = 1});
  const MeshPtr mesh = with_positions(*shape, displaced(shape->positions(), wobble, 1));
  const Vec3 point = dice.point(-2, 2);
  ClosestPoints nearest;
  std::uint32_t face = 0;
  for (std::uint32_t f = 0; f < mesh->face_count(); ++f) {
    const Triangle& t = mesh->triangle(FaceId(f));
    const ClosestPoints one =
        closest_points(point, Triangle3{mesh->position(t[0]), mesh->position(t[1]), mesh->position(t[2])});
    if (f > 0 && one.distance >= nearest.distance) continue;
    nearest = one;
    face = f;
  }
  RC_PRE(nearest.distance > 1e-3);
  const Vec3 direction = (nearest.a - nearest.b) / nearest.distance;
  const Vec3 allowed =
      touch_direction(still(*mesh), face_feature(BodyId(0), FaceId(face)), nearest.weights_b, direction);
  RC_ASSERT((allowed - direction).norm() < 1e-5);
}

}  // namespace
}  // namespace pliant
