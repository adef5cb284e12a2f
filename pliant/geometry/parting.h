// The shortest translation that parts two triangles: how deep they are in each other.
#pragma once

#include "pliant/core/vec3.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

// Moving a by any way longer than `depth` along `direction` leaves the two without a common point; no shorter
// translation does. Rounded: by a small multiple of the rounding unit times the size of the coordinates.
struct Parting {
  double depth = 0;
  Vec3 direction = Vec3::Zero();  // unit; zero if any direction across the two parts them (both on one line)
};

// For triangles that intersect. Corners and edges that the two share by construction count like any other point.
//
// The translations of a that leave a common point are the Minkowski difference b - a, a convex polyhedron; the nearest
// point of its boundary lies on a facet, whose normal is that of a face or of an edge of each. So that of a touch is 0,
// and that of coplanar triangles too: they part along their common normal however little they move. If there are
// several shortest ways, b's normal on the side of a's centre is preferred.
//
// Any finite coordinates, triangles without area too; the depth is infinite if it is longer than the largest double. No
// allocation, no exceptions, no state.
Parting parting(const Triangle3& a, const Triangle3& b);

}  // namespace pliant
