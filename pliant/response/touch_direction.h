// In which directions a surface can be touched.
//
// The nearest points of two features need not be nearest points of the two surfaces: beside an edge that runs through a
// flat ground there is ground, and what slides towards that edge must not be held back by it. A direction is allowed
// at a point of a surface if no way along the surface leads closer to whatever lies in that direction (the point's
// Voronoi region); other directions are turned to the nearest normal of a face there. Works on both sides of open
// surfaces and at their borders, and whatever number of faces an edge has.
#pragma once

#include <span>

#include "pliant/core/vec3.h"
#include "pliant/detect/contact.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// A surface on a straight way, at some time of it (0 to 1).
struct SurfaceAtTime {
  const TriangleMesh& mesh;
  std::span<const Vec3> x_t0, x_t1;
  double time = 0;

  Vec3 position(VertexId v) const { return x_t0[v.index()] + time * (x_t1[v.index()] - x_t0[v.index()]); }
};

// The allowed direction nearest to `direction` (of length 1, away from the surface) at the point of the feature
// (vertex, edge or face) that the weights say. Zero: what lies there is beside the point, almost in the plane of a
// face, and touches the surface elsewhere first.
Vec3 touch_direction(const SurfaceAtTime& surface, const Feature& feature, const Weights& weights,
                     const Vec3& direction);

// One side of a contact, on its way.
struct TouchedSide {
  SurfaceAtTime surface;
  const Feature& feature;
  const Weights& weights;
};
// From b to a: the direction is turned into what b allows, then a, then b again, which differs from it by no more than
// the two are askew. Where they do not agree at all, b is right, or a if that is said. Zero: none of it.
Vec3 agreed_direction(const TouchedSide& a, const TouchedSide& b, const Vec3& normal, bool a_is_right);

// Of a vertex on a face, v f0 f1 f2, or two edges, a0 a1 b0 b1.
ClosestPoints nearest_points(const std::array<Vec3, 4>& x, bool is_face);

}  // namespace pliant
