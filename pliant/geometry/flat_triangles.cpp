// Triangles that lie in one plane, or have no area: the cases that orientations in space cannot tell apart.

#include "pliant/geometry/degenerate.h"
#include "pliant/geometry/predicates.h"
#include "pliant/geometry/segment_triangle.h"
#include "pliant/geometry/triangle_triangle.h"

namespace pliant {
namespace {

// --- both have area and lie in one plane, seen along `axis` ---

// A corner and the two others, turning counter-clockwise in the projection: the cone of the triangle at that corner.
struct Corner {
  const Vec3& apex;
  const Vec3& right;
  const Vec3& left;
};

Corner corner_of(const Triangle3& t, int i, int axis) {
  const Vec3& first = t[Triangle3::next(i)];
  const Vec3& second = t[Triangle3::next(Triangle3::next(i))];
  if (orient2d(t[i], first, second, axis) > 0) return {t[i], first, second};
  return {t[i], second, first};
}

// Where a triangle lies beside a line that has another triangle on its left side.
enum class Beside { overlapping, touching, apart };

// b beside the edge of a from `from` to `to`; `turn` is the orientation of a.
Beside beside_edge(const Vec3& from, const Vec3& to, const Triangle3& b, int axis, int turn) {
  int most = -1;
  for (int i = 0; i < 3; ++i) {
    const int side = turn * orient2d(from, to, b[i], axis);
    if (side > 0) return Beside::overlapping;
    if (side == 0) most = 0;
  }
  return most == 0 ? Beside::touching : Beside::apart;
}

Beside beside_edges(const Triangle3& a, const Triangle3& b, int axis) {
  const int turn = orient2d(a[0], a[1], a[2], axis);
  Beside result = Beside::overlapping;
  for (int i = 0; i < 3; ++i) {
    const Beside beside = beside_edge(a[i], a[Triangle3::next(i)], b, axis, turn);
    if (beside == Beside::apart) return beside;
    if (beside == Beside::touching) result = beside;
  }
  return result;
}

// Convex polygons are apart (their interiors are) if and only if the line of an edge separates them strictly (weakly).
Relation unconnected(const Triangle3& a, const Triangle3& b, int axis) {
  const Beside b_beside_a = beside_edges(a, b, axis);
  if (b_beside_a == Beside::apart) return Relation::none;
  const Beside a_beside_b = beside_edges(b, a, axis);
  if (a_beside_b == Beside::apart) return Relation::none;
  const bool overlap = b_beside_a == Beside::overlapping && a_beside_b == Beside::overlapping;
  return overlap ? Relation::coplanar : Relation::touching;
}

// Whether a line along one side of cone a has cone b on its other side.
bool separated_by_side(const Corner& a, const Corner& b, int axis) {
  const bool by_right = orient2d(a.apex, a.right, b.right, axis) <= 0 && orient2d(a.apex, a.right, b.left, axis) <= 0;
  return by_right || (orient2d(a.apex, a.left, b.right, axis) >= 0 && orient2d(a.apex, a.left, b.left, axis) >= 0);
}

bool on_one_ray(const Vec3& apex, const Vec3& a, const Vec3& b, int axis) {
  return orient2d(apex, a, b, axis) == 0 && same_ray(apex, a, b);
}

// Near the common corner the triangles are their cones, and the triangles meet elsewhere if and only if the cones do.
Relation joined_at_corner(const Corner& a, const Corner& b, int axis) {
  if (!separated_by_side(a, b, axis) && !separated_by_side(b, a, axis)) return Relation::coplanar;
  const bool common_side = on_one_ray(a.apex, a.right, b.right, axis) || on_one_ray(a.apex, a.right, b.left, axis) ||
                           on_one_ray(a.apex, a.left, b.right, axis) || on_one_ray(a.apex, a.left, b.left, axis);
  return common_side ? Relation::touching : Relation::none;
}

int opposite(int i, int j) { return 3 - i - j; }

// Folded onto each other, or side by side with nothing in common but the edge.
Relation joined_at_edge(const Triangle3& a, const Triangle3& b, const SharedVertices& shared, int axis) {
  const Vec3& p = a[shared.pairs[0][0]];
  const Vec3& q = a[shared.pairs[1][0]];
  const Vec3& apex_a = a[opposite(shared.pairs[0][0], shared.pairs[1][0])];
  const Vec3& apex_b = b[opposite(shared.pairs[0][1], shared.pairs[1][1])];
  const bool folded = orient2d(p, q, apex_a, axis) == orient2d(p, q, apex_b, axis);
  return folded ? Relation::coplanar : Relation::none;
}

Relation coplanar_relation(const Triangle3& a, const Triangle3& b, const SharedVertices& shared, int axis) {
  switch (shared.count) {
    case 0:
      return unconnected(a, b, axis);
    case 1:
      return joined_at_corner(corner_of(a, shared.pairs[0][0], axis), corner_of(b, shared.pairs[0][1], axis), axis);
    case 2:
      return joined_at_edge(a, b, shared, axis);
    default:
      return Relation::coplanar;
  }
}

// --- a is a segment or a point ---

// S, which lies on a line when one triangle does, so that the segments between shared corners make one segment.
struct SharedRange {
  LexRange range;
  int lower_corner;  // in the other triangle
  int upper_corner;
};

SharedRange shared_range(const Triangle3& a, const SharedVertices& shared, int side_of_other) {
  const int side = 1 - side_of_other;
  SharedRange result{LexRange(a[shared.pairs[0][side]]), shared.pairs[0][side_of_other],
                     shared.pairs[0][side_of_other]};
  for (int i = 1; i < shared.count; ++i) {
    const Vec3& point = a[shared.pairs[i][side]];
    if (lex_less(point, result.range.lower())) result.lower_corner = shared.pairs[i][side_of_other];
    if (lex_less(result.range.upper(), point)) result.upper_corner = shared.pairs[i][side_of_other];
    result.range.include(point);
  }
  return result;
}

// Whether the triangle holds points on the way from its corner i to another point, near that corner.
bool enters_at_corner(const Triangle3& t, int i, const Vec3& toward, int axis) {
  if (t[i] == toward || orient3d(t[0], t[1], t[2], toward) != 0) return false;
  const Corner corner = corner_of(t, i, axis);
  return orient2d(corner.apex, corner.right, toward, axis) >= 0 &&
         orient2d(corner.apex, corner.left, toward, axis) <= 0;
}

// A segment that has points of S: the triangle, being convex, holds more of it if and only if it does right beside S.
bool segment_leaves_shared(const LexRange& segment, const Triangle3& t, const SharedRange& s, int axis) {
  return enters_at_corner(t, s.lower_corner, segment.lower(), axis) ||
         enters_at_corner(t, s.upper_corner, segment.upper(), axis);
}

// Two segments that have S in common have more only on one line, and there all ends are input points.
bool segments_leave_shared(const LexRange& a, const LexRange& b, const LexRange& s) {
  if (a.is_point() || b.is_point()) return false;
  if (!collinear(a.lower(), a.upper(), b.lower()) || !collinear(a.lower(), a.upper(), b.upper())) return false;
  const bool below = lex_less(a.lower(), s.lower()) && lex_less(b.lower(), s.lower());
  return below || (lex_less(s.upper(), a.upper()) && lex_less(s.upper(), b.upper()));
}

// `side_of_b`: which entry of a shared pair is b's.
bool degenerate_meets(const Triangle3& a, const Triangle3& b, const SharedVertices& shared, int side_of_b) {
  const LexRange range_a(a);
  if (shared.count == 0) return segment_triangle_relation(range_a.segment(), b) != Relation::none;
  const SharedRange s = shared_range(a, shared, side_of_b);
  const int axis = projection_axis(b[0], b[1], b[2]);
  if (axis >= 0) return segment_leaves_shared(range_a, b, s, axis);
  return segments_leave_shared(range_a, LexRange(b), s.range);
}

}  // namespace

namespace detail {

Relation flat_relation(const Triangle3& a, const Triangle3& b, const SharedVertices& shared) {
  const int axis = projection_axis(a[0], a[1], a[2]);
  if (axis < 0) return degenerate_meets(a, b, shared, 1) ? Relation::touching : Relation::none;
  if (collinear(b[0], b[1], b[2])) return degenerate_meets(b, a, shared, 0) ? Relation::touching : Relation::none;
  return coplanar_relation(a, b, shared, axis);
}

}  // namespace detail
}  // namespace pliant
