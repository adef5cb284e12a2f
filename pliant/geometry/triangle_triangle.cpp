#include "pliant/geometry/triangle_triangle.h"

#include "pliant/geometry/flat_triangles.h"
#include "pliant/geometry/predicates.h"
#include "pliant/geometry/transversal.h"

namespace pliant {
namespace {

// Both have area, their planes differ, and each reaches the plane of the other.
Relation transversal_relation(const Triangle3& a, const Triangle3& b, const CornerSides& a_sides,
                              const CornerSides& b_sides) {
  const Transversal at(a_sides, b_sides);
  const int a_starts_after_b_ends = orient3d(a[at.a0], a[at.a1], b[at.b0], b[at.b1]);
  if (a_starts_after_b_ends > 0) return Relation::none;
  const int b_starts_after_a_ends = orient3d(a[at.a0], a[at.a2], b[at.b2], b[at.b0]);
  if (b_starts_after_a_ends > 0) return Relation::none;
  const bool inside =
      a_starts_after_b_ends != 0 && b_starts_after_a_ends != 0 && a_sides.on_both_sides() && b_sides.on_both_sides();
  return inside ? Relation::crossing : Relation::touching;
}

Relation unconnected(const Triangle3& a, const Triangle3& b) {
  const CornerSides a_sides(a, PlaneSide(b[0], b[1], b[2]));
  if (a_sides.all_on_one_side()) return Relation::none;
  const CornerSides b_sides(b, PlaneSide(a[0], a[1], a[2]));
  if (b_sides.all_on_one_side()) return Relation::none;
  // A triangle without area has everything on its plane.
  if (a_sides.all_on_plane() || b_sides.all_on_plane()) return flat_triangles_relation(a, b, {});
  return transversal_relation(a, b, a_sides, b_sides);
}

// Triangles v a1 a2 and v b1 b2 in different planes meet beyond v if and only if both reach the common line of the
// planes on the same side of v. With nA = (a1 - v) x (a2 - v), nB likewise and i, j the sides of a1, a2 beside B, A
// reaches the line in the direction (nB . (a1 - v)) (a2 - v) - (nB . (a2 - v)) (a1 - v) = nA x nB times the sign of i -
// j; B by symmetry in the direction of nB x nA. So no further determinant is needed.
Relation joined_at_corner(const Triangle3& a, const Triangle3& b, const SharedVertices& shared) {
  const int va = shared.pairs[0][0];
  const int vb = shared.pairs[0][1];
  const Vec3& v = a[va];
  const Vec3& a1 = a[Triangle3::next(va)];
  const Vec3& a2 = a[Triangle3::next(Triangle3::next(va))];
  const Vec3& b1 = b[Triangle3::next(vb)];
  const Vec3& b2 = b[Triangle3::next(Triangle3::next(vb))];
  const PlaneSide beside_b(v, b1, b2);
  const int i = beside_b(a1);
  const int j = beside_b(a2);
  if (i * j > 0) return Relation::none;
  const PlaneSide beside_a(v, a1, a2);
  const int k = beside_a(b1);
  const int l = beside_a(b2);
  if (k * l > 0) return Relation::none;
  if ((i == 0 && j == 0) || (k == 0 && l == 0)) return flat_triangles_relation(a, b, shared);
  if ((i > j) == (k > l)) return Relation::none;
  return i * j < 0 && k * l < 0 ? Relation::crossing : Relation::touching;
}

// In different planes, triangles with a common edge meet only there.
Relation joined_at_edge(const Triangle3& a, const Triangle3& b, const SharedVertices& shared) {
  const int p = shared.pairs[0][1];
  const int q = shared.pairs[1][1];
  // Equal when one corner of b is two corners of a, which then has no area.
  if (p != q && orient3d(a[0], a[1], a[2], b[3 - p - q]) != 0) return Relation::none;
  return flat_triangles_relation(a, b, shared);
}

}  // namespace

Relation triangle_triangle_relation(const Triangle3& a, const Triangle3& b, const SharedVertices& shared) {
  switch (shared.count) {
    case 0:
      return unconnected(a, b);
    case 1:
      return joined_at_corner(a, b, shared);
    case 2:
      return joined_at_edge(a, b, shared);
    default:
      return flat_triangles_relation(a, b, shared);
  }
}

}  // namespace pliant
