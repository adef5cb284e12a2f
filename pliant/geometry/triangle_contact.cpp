// The geometry of a triangle-triangle contact: which input features its ends lie on is decided exactly, where they are
// is rounded.
#include <algorithm>
#include <array>
#include <cstddef>

#include "pliant/geometry/crossing_point.h"
#include "pliant/geometry/degenerate.h"
#include "pliant/geometry/segment_triangle.h"
#include "pliant/geometry/transversal.h"
#include "pliant/geometry/triangle_triangle.h"

namespace pliant {
namespace {

// Where an edge of one triangle meets the plane of the other, known by the sides of its ends.
struct EdgeCrossing {
  const Vec3& from;
  const Vec3& to;
  int from_side;
  int to_side;
  const Triangle3& plane;

  bool is_corner() const { return from_side == 0 || to_side == 0; }
  Vec3 point() const {
    if (from_side == 0) return from;
    if (to_side == 0) return to;
    return plane_crossing(Segment3(from, to), plane).point;
  }
};

// Of two crossings at one point: the one that needs no rounding, if any.
const EdgeCrossing& better(const EdgeCrossing& x, const EdgeCrossing& y) { return y.is_corner() ? y : x; }

// order > 0: x comes after y on the common line.
const EdgeCrossing& later(const EdgeCrossing& x, const EdgeCrossing& y, int order) {
  return order == 0 ? better(x, y) : (order > 0 ? x : y);
}

TriangleContact transversal_contact(const Triangle3& a, const Triangle3& b, const CornerSides& sa,
                                    const CornerSides& sb) {
  const Transversal at(sa, sb);
  const EdgeCrossing a_first{a[at.a0], a[at.a1], sa[at.a0], sa[at.a1], b};
  const EdgeCrossing a_last{a[at.a0], a[at.a2], sa[at.a0], sa[at.a2], b};
  const EdgeCrossing b_first{b[at.b0], b[at.b2], sb[at.b0], sb[at.b2], a};
  const EdgeCrossing b_last{b[at.b0], b[at.b1], sb[at.b0], sb[at.b1], a};
  const auto order = [](const EdgeCrossing& x, const EdgeCrossing& y) { return orient3d(x.from, x.to, y.from, y.to); };

  // One point: a part that is a point, or the end of one part at the start of the other.
  if (a_first.from_side == 0) return {Relation::touching, a_first.from, a_first.from};
  if (b_first.from_side == 0) return {Relation::touching, b_first.from, b_first.from};
  if (order(a_first, b_last) == 0) {
    const Vec3 point = better(a_first, b_last).point();
    return {Relation::touching, point, point};
  }
  if (order(a_last, b_first) == 0) {
    const Vec3 point = better(a_last, b_first).point();
    return {Relation::touching, point, point};
  }
  return {Relation::touching, later(a_first, b_first, order(a_first, b_first)).point(),
          later(a_last, b_last, -order(a_last, b_last)).point()};
}

// The two points of a small set that are farthest from each other.
class FarthestPair {
 public:
  void add(const Vec3& point) {
    const auto end = points_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (std::find(points_.begin(), end, point) == end) points_[count_++] = point;
  }

  TriangleContact result() const {
    TriangleContact contact{Relation::touching, points_[0], points_[0]};
    double most = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = i + 1; j < count_; ++j) {
        const double half = (0.5 * points_[i] - 0.5 * points_[j]).stableNorm();
        if (half <= most) continue;
        most = half;
        contact.p = points_[i];
        contact.q = points_[j];
      }
    }
    return contact;
  }

 private:
  std::array<Vec3, 12> points_;
  std::size_t count_ = 0;
};

void add_edges(FarthestPair& pair, const Triangle3& edges, const Triangle3& t) {
  for (int i = 0; i < 3; ++i) {
    const SegmentTriangleContact contact = segment_triangle_contact({edges[i], edges[Triangle3::next(i)]}, t);
    if (contact.relation == Relation::none) continue;
    pair.add(contact.first);
    pair.add(contact.last);
  }
}

// Every corner of what two triangles have in common is an end of what an edge of one has in common with the other.
TriangleContact coplanar_contact(const Triangle3& a, const Triangle3& b) {
  FarthestPair pair;
  add_edges(pair, a, b);
  add_edges(pair, b, a);
  return pair.result();
}

TriangleContact degenerate_contact(const Triangle3& flat, const Triangle3& t) {
  const SegmentTriangleContact contact = segment_triangle_contact(LexRange(flat).segment(), t);
  return {Relation::touching, contact.first, contact.last};
}

TriangleContact geometry_of(const Triangle3& a, const Triangle3& b) {
  const CornerSides a_sides(a, PlaneSide(b[0], b[1], b[2]));
  const CornerSides b_sides(b, PlaneSide(a[0], a[1], a[2]));
  if (!a_sides.all_on_plane() && !b_sides.all_on_plane()) return transversal_contact(a, b, a_sides, b_sides);
  if (collinear(a[0], a[1], a[2])) return degenerate_contact(a, b);
  if (collinear(b[0], b[1], b[2])) return degenerate_contact(b, a);
  return coplanar_contact(a, b);
}

}  // namespace

TriangleContact triangle_triangle_contact(const Triangle3& a, const Triangle3& b, const SharedVertices& shared) {
  const Relation relation = triangle_triangle_relation(a, b, shared);
  return relation == Relation::none ? TriangleContact{} : triangle_triangle_contact(a, b, relation);
}

TriangleContact triangle_triangle_contact(const Triangle3& a, const Triangle3& b, Relation known) {
  TriangleContact contact = geometry_of(a, b);
  contact.relation = known;
  return contact;
}

}  // namespace pliant
