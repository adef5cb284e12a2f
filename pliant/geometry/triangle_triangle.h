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
#include "pliant/geometry/predicates.h"
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
inline Relation triangle_triangle_relation(const Triangle3& a, const Triangle3& b, const SharedVertices& shared = {});

// The same decision, and where. Meant for pairs that intersect; costs more than the decision alone.
TriangleContact triangle_triangle_contact(const Triangle3& a, const Triangle3& b, const SharedVertices& shared = {});
// Where alone, of two that are known to intersect: `known` is what triangle_triangle_relation said of them.
TriangleContact triangle_triangle_contact(const Triangle3& a, const Triangle3& b, Relation known);

namespace detail {

// One function for each number of shared corners. They take addresses, not triangles, so that these stay in registers:
// a triangle written to memory and read back as a whole costs as much as the test.
Relation unconnected_relation(const Vec3& a0, const Vec3& a1, const Vec3& a2, const Vec3& b0, const Vec3& b1,
                              const Vec3& b2);
Relation relation_at_corner(const Vec3& v, const Vec3& a1, const Vec3& a2, const Vec3& b1, const Vec3& b2);

// Any number of shared corners, but coplanar, or at least one without area (flat_triangles.cpp).
Relation flat_relation(const Triangle3& a, const Triangle3& b, const SharedVertices& shared);

inline Relation relation_at_corner(const Triangle3& a, const Triangle3& b, int i, int j) {
  const int i1 = Triangle3::next(i);
  const int j1 = Triangle3::next(j);
  return relation_at_corner(a[i], a[i1], a[Triangle3::next(i1)], b[j1], b[Triangle3::next(j1)]);
}

// In different planes, triangles with a common edge meet only there.
inline Relation relation_at_edge(const Triangle3& a, const Triangle3& b, const SharedVertices& shared) {
  const int p = shared.pairs[0][1];
  const int q = shared.pairs[1][1];
  // Equal when one corner of b is two corners of a, which then has no area.
  if (p != q && orient3d(a[0], a[1], a[2], b[3 - p - q]) != 0) [[likely]]
    return Relation::none;
  return flat_relation(a, b, shared);
}

}  // namespace detail

inline Relation triangle_triangle_relation(const Triangle3& a, const Triangle3& b, const SharedVertices& shared) {
  switch (shared.count) {
    case 0:
      return detail::unconnected_relation(a[0], a[1], a[2], b[0], b[1], b[2]);
    case 1:
      return detail::relation_at_corner(a, b, shared.pairs[0][0], shared.pairs[0][1]);
    case 2:
      return detail::relation_at_edge(a, b, shared);
    default:
      return detail::flat_relation(a, b, shared);
  }
}

}  // namespace pliant
