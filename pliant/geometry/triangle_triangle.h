// A closed triangle against a closed triangle, decided exactly in every case, degenerate ones included.
//
// The triangles are point sets, corners and edges included; one without area is a segment or a point and as good as any
// other. Let S be what the two share by construction: the shared corners, and the segments between shared corners. They
// intersect if and only if they have a point in common outside S. So neighbours in a mesh do not intersect along their
// common edge, but do when one is folded onto the other; a triangle and its duplicate intersect unless they have no
// area.
//
// No allocation, no exceptions, no state: safe from any thread. Coordinates must be finite.
#pragma once

#include <array>
#include <cstdint>

#include "pliant/core/relation.h"
#include "pliant/core/vec3.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

// Which corners are one and the same vertex: pairs of (corner of A, corner of B), at equal positions.
struct SharedVertices {
  std::uint8_t count = 0;  // at most 3
  std::array<std::array<std::uint8_t, 2>, 3> pairs{};
};

// What two triangles have in common, S included: from p to q, rounded.
// A single point: p == q. An area (coplanar): two corners of it that are farthest from each other.
// With relation none, p and q have no meaning.
struct TriangleContact {
  Relation relation = Relation::none;
  Vec3 p = Vec3::Zero();
  Vec3 q = Vec3::Zero();
};

// coplanar: both have area, lie in one plane, and their interiors meet.
// crossing: both have area, do not lie in one plane, and their interiors meet.
// touching: any other way to meet outside S; always so if one has no area.
// The same for either order of the triangles and any order of the corners.
Relation triangle_triangle_relation(const Triangle3& a, const Triangle3& b, const SharedVertices& shared = {});

// The same decision, and where. Meant for pairs that intersect; costs more than the decision alone.
TriangleContact triangle_triangle_contact(const Triangle3& a, const Triangle3& b, const SharedVertices& shared = {});

}  // namespace pliant
