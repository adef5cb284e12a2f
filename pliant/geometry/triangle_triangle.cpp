#include "pliant/geometry/triangle_triangle.h"

#include <algorithm>

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

// Whether a plane through v has a on one side and b on the other, with certainty; false says nothing. Tries the plane
// across the direction from b to a, which in a fan of triangles that is not too bent separates all that do not touch.
//
// That direction w is taken as computed: any will do. The products w . (x - v) carry 4 relative errors in each of three
// terms (difference, product, two sums): 4.1 u, taken as 6 u, of the sum of magnitudes; guards as in predicates.h.
bool separated_at_corner(const Vec3& v, const Vec3& a1, const Vec3& a2, const Vec3& b1, const Vec3& b2) {
  const Vec3 da1 = a1 - v, da2 = a2 - v, db1 = b1 - v, db2 = b2 - v;
  const Vec3 w = (da1 + da2) - (db1 + db2);
  const Vec3 most = da1.cwiseAbs().cwiseMax(da2.cwiseAbs()).cwiseMax(db1.cwiseAbs().cwiseMax(db2.cwiseAbs()));
  const double bound = detail::kFilter2 * (w.cwiseAbs().dot(most) + detail::kUnderflowGuard);
  return std::min(w.dot(da1), w.dot(da2)) > bound && std::max(w.dot(db1), w.dot(db2)) < -bound;
}

}  // namespace

namespace detail {

Relation unconnected_relation(const Vec3& a0, const Vec3& a1, const Vec3& a2, const Vec3& b0, const Vec3& b1,
                              const Vec3& b2) {
  const Triangle3 a(a0, a1, a2);
  const Triangle3 b(b0, b1, b2);
  const CornerSides a_sides(a, PlaneSide(b0, b1, b2));
  if (a_sides.all_on_one_side()) return Relation::none;
  const CornerSides b_sides(b, PlaneSide(a0, a1, a2));
  if (b_sides.all_on_one_side()) return Relation::none;
  // A triangle without area has everything on its plane.
  if (a_sides.all_on_plane() || b_sides.all_on_plane()) return flat_relation(a, b, {});
  return transversal_relation(a, b, a_sides, b_sides);
}

// Triangles v a1 a2 and v b1 b2 in different planes meet beyond v if and only if both reach the common line of the
// planes on the same side of v. With nA = (a1 - v) x (a2 - v), nB likewise, and i, j the sides of a1, a2 beside B:
// A reaches the line in the direction (nB . (a1 - v)) (a2 - v) - (nB . (a2 - v)) (a1 - v) = nA x nB, or against it,
// as i and j are ordered; B, by symmetry, in the direction of nB x nA. So no further determinant is needed.
Relation relation_at_corner(const Vec3& v, const Vec3& a1, const Vec3& a2, const Vec3& b1, const Vec3& b2) {
  if (separated_at_corner(v, a1, a2, b1, b2)) return Relation::none;
  const PlaneSide beside_b(v, b1, b2);
  const int i = beside_b(a1);
  const int j = beside_b(a2);
  if (i * j > 0) return Relation::none;
  const PlaneSide beside_a(v, a1, a2);
  const int k = beside_a(b1);
  const int l = beside_a(b2);
  if (k * l > 0) return Relation::none;
  if ((i == 0 && j == 0) || (k == 0 && l == 0)) {
    return flat_relation(Triangle3(v, a1, a2), Triangle3(v, b1, b2), {1, {{{0, 0}}}});
  }
  if ((i > j) == (k > l)) return Relation::none;
  return i * j < 0 && k * l < 0 ? Relation::crossing : Relation::touching;
}

}  // namespace detail
}  // namespace pliant
