#include "pliant/geometry/segment_triangle.h"

#include <algorithm>
#include <array>

#include "pliant/geometry/crossing_point.h"
#include "pliant/geometry/degenerate.h"
#include "pliant/geometry/predicates.h"

namespace pliant {
namespace {

bool is_point(const Segment3& s) { return s.p() == s.q(); }

// The parts of the segment that belong to the triangle, as the hull of what was found.
class Collector {
 public:
  explicit Collector(const Segment3& segment) : segment_(segment) {}

  void add(const SegmentPoint& found) {
    if (empty_ || found.t < contact_.t0) set(contact_.t0, contact_.first, found);
    if (empty_ || found.t > contact_.t1) set(contact_.t1, contact_.last, found);
    empty_ = false;
  }
  void add_vertex(const Vec3& v) { add(vertex_on_segment(segment_, v)); }

  SegmentTriangleContact result(Relation relation) {
    contact_.relation = relation;
    return contact_;
  }

 private:
  static void set(double& t, Vec3& point, const SegmentPoint& found) {
    t = found.t;
    point = found.point;
  }

  const Segment3& segment_;
  SegmentTriangleContact contact_;
  bool empty_ = true;
};

// Ends of one closed segment and of the other, seen in a plane in which they are not collinear.
struct SegmentSides {
  int p, q;  // of segment a beside the line of b
  int r, s;  // of segment b beside the line of a

  SegmentSides(const Segment3& a, const Segment3& b, int axis)
      : p(orient2d(b.p(), b.q(), a.p(), axis)),
        q(orient2d(b.p(), b.q(), a.q(), axis)),
        r(orient2d(a.p(), a.q(), b.p(), axis)),
        s(orient2d(a.p(), a.q(), b.q(), axis)) {}

  bool meet() const { return p * q <= 0 && r * s <= 0; }
  bool cross_inside() const { return p * q < 0 && r * s < 0; }
};

// An axis along which two coplanar segments can be projected without becoming collinear; -1 if they are collinear.
int common_axis(const Segment3& a, const Segment3& b) {
  const int axis = projection_axis(a.p(), a.q(), b.p());
  return axis >= 0 ? axis : projection_axis(a.p(), a.q(), b.q());
}

bool collinear_segments_meet(const Segment3& a, const Segment3& b) {
  const LexRange range_a(a);
  const LexRange range_b(b);
  return !lex_less(range_a.upper(), range_b.lower()) && !lex_less(range_b.upper(), range_a.lower());
}

// The point lies in the plane of the triangle, whose projection is not flat.
bool in_projected_triangle(const Vec3& point, const Triangle3& t, int axis) {
  const int s0 = orient2d(t[0], t[1], point, axis);
  const int s1 = orient2d(t[1], t[2], point, axis);
  const int s2 = orient2d(t[2], t[0], point, axis);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

// In the plane of the triangle. Interiors miss each other only if the line of an edge or of the segment separates them.
bool interiors_meet_in_plane(const Segment3& segment, const Triangle3& t, int axis) {
  const int turn = orient2d(t[0], t[1], t[2], axis);
  int left = 0;
  int right = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3& from = t[i];
    const Vec3& to = t[Triangle3::next(i)];
    if (turn * orient2d(from, to, segment.p(), axis) <= 0 && turn * orient2d(from, to, segment.q(), axis) <= 0)
      return false;
    const int side = orient2d(segment.p(), segment.q(), from, axis);
    left += side > 0;
    right += side < 0;
  }
  return left > 0 && right > 0;
}

Relation relation_in_plane(const Segment3& segment, const Triangle3& t, int axis) {
  if (is_point(segment)) return in_projected_triangle(segment.p(), t, axis) ? Relation::touching : Relation::none;
  if (interiors_meet_in_plane(segment, t, axis)) return Relation::coplanar;
  for (int i = 0; i < 3; ++i) {
    if (segments_meet(segment, Segment3(t[i], t[Triangle3::next(i)]))) return Relation::touching;
  }
  return Relation::none;
}

// Not in one plane: the segment meets the plane of the triangle in one point, inside or at one end.
Relation relation_across(const Segment3& s, const Triangle3& t, int side_p, int side_q) {
  const int s0 = orient3d(s.p(), s.q(), t[0], t[1]);
  const int s1 = orient3d(s.p(), s.q(), t[1], t[2]);
  if (s0 * s1 < 0) return Relation::none;
  const int s2 = orient3d(s.p(), s.q(), t[2], t[0]);
  if (s0 * s2 < 0 || s1 * s2 < 0) return Relation::none;
  const bool inside = s0 != 0 && s1 != 0 && s2 != 0;
  return inside && side_p * side_q < 0 ? Relation::crossing : Relation::touching;
}

SegmentTriangleContact contact_across(const Segment3& s, const Triangle3& t, int side_p, int side_q) {
  Collector found(s);
  const Relation relation = relation_across(s, t, side_p, side_q);
  if (relation == Relation::none) return {};
  if (side_p == 0) found.add({0.0, s.p()});
  else if (side_q == 0) found.add({1.0, s.q()});
  else found.add(plane_crossing(s, t));
  return found.result(relation);
}

// Both lie in one plane: the ends of the common part are ends of the segment, corners on it, or crossings with edges
// inside both, all different from one another, so that a single point is found as one.
SegmentTriangleContact contact_in_plane(const Segment3& segment, const Triangle3& t, int axis) {
  const Relation relation = relation_in_plane(segment, t, axis);
  if (relation == Relation::none) return {};
  Collector found(segment);
  if (in_projected_triangle(segment.p(), t, axis)) found.add({0.0, segment.p()});
  if (in_projected_triangle(segment.q(), t, axis)) found.add({is_point(segment) ? 0.0 : 1.0, segment.q()});
  for (int i = 0; i < 3; ++i) {
    const Segment3 edge(t[i], t[Triangle3::next(i)]);
    if (point_on_segment(t[i], segment)) found.add_vertex(t[i]);
    if (SegmentSides(segment, edge, axis).cross_inside()) found.add(line_crossing(segment, edge, axis));
  }
  return found.result(relation);
}

SegmentTriangleContact contact_of_segments(const Segment3& a, const Segment3& b) {
  if (!segments_meet(a, b)) return {};
  Collector found(a);
  if (point_on_segment(a.p(), b)) found.add({0.0, a.p()});
  if (point_on_segment(a.q(), b)) found.add({is_point(a) ? 0.0 : 1.0, a.q()});
  if (point_on_segment(b.p(), a)) found.add_vertex(b.p());
  if (point_on_segment(b.q(), a)) found.add_vertex(b.q());
  const int axis = common_axis(a, b);
  if (axis >= 0 && SegmentSides(a, b, axis).cross_inside()) found.add(line_crossing(a, b, axis));
  return found.result(Relation::touching);
}

}  // namespace

bool point_on_segment(const Vec3& point, const Segment3& segment) {
  const LexRange range(segment);
  if (lex_less(point, range.lower()) || lex_less(range.upper(), point)) return false;
  return collinear(segment.p(), segment.q(), point);
}

bool point_in_triangle(const Vec3& point, const Triangle3& t) {
  const int axis = projection_axis(t[0], t[1], t[2]);
  if (axis < 0) return point_on_segment(point, LexRange(t).segment());
  return orient3d(t[0], t[1], t[2], point) == 0 && in_projected_triangle(point, t, axis);
}

bool segments_meet(const Segment3& a, const Segment3& b) {
  if (is_point(a)) return point_on_segment(a.p(), b);
  if (is_point(b)) return point_on_segment(b.p(), a);
  if (orient3d(a.p(), a.q(), b.p(), b.q()) != 0) return false;
  const int axis = common_axis(a, b);
  return axis < 0 ? collinear_segments_meet(a, b) : SegmentSides(a, b, axis).meet();
}

Relation segment_triangle_relation(const Segment3& segment, const Triangle3& t) {
  const PlaneSide side(t[0], t[1], t[2]);
  const int side_p = side(segment.p());
  const int side_q = side(segment.q());
  if (side_p * side_q > 0) return Relation::none;
  if (side_p != side_q) return relation_across(segment, t, side_p, side_q);
  const int axis = projection_axis(t[0], t[1], t[2]);
  if (axis >= 0) return relation_in_plane(segment, t, axis);
  return segments_meet(segment, LexRange(t).segment()) ? Relation::touching : Relation::none;
}

SegmentTriangleContact segment_triangle_contact(const Segment3& segment, const Triangle3& t) {
  const PlaneSide side(t[0], t[1], t[2]);
  const int side_p = side(segment.p());
  const int side_q = side(segment.q());
  if (side_p * side_q > 0) return {};
  if (side_p != side_q) return contact_across(segment, t, side_p, side_q);
  const int axis = projection_axis(t[0], t[1], t[2]);
  if (axis >= 0) return contact_in_plane(segment, t, axis);
  return contact_of_segments(segment, LexRange(t).segment());
}

}  // namespace pliant
