// A closed segment against a closed triangle, decided exactly in every case, degenerate ones included.
//
// No allocation, no exceptions, no state. Coordinates must be finite.
#pragma once

#include "pliant/core/relation.h"
#include "pliant/core/vec3.h"
#include "pliant/geometry/segment.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

// What a segment and a triangle have in common: the part of the segment from t0 to t1 (0 at p, 1 at q; t0 <= t1), that
// is, from `first` to `last`. t0 == t1 for a single point. Numbers are rounded, the relation is not.
// With relation none the rest has no meaning.
struct SegmentTriangleContact {
  Relation relation = Relation::none;
  double t0 = 0;
  double t1 = 0;
  Vec3 first = Vec3::Zero();
  Vec3 last = Vec3::Zero();
};

// crossing: they meet in one point inside both, not in one plane. coplanar: in one plane, and the inside of the
// triangle holds points of the segment. touching: any other way to meet; always so if the triangle has no area or p
// equals q.
Relation segment_triangle_relation(const Segment3& segment, const Triangle3& triangle);
SegmentTriangleContact segment_triangle_contact(const Segment3& segment, const Triangle3& triangle);

// The decisions that the above are made of; all sets are closed.
bool point_on_segment(const Vec3& point, const Segment3& segment);
bool point_in_triangle(const Vec3& point, const Triangle3& triangle);
bool segments_meet(const Segment3& a, const Segment3& b);

}  // namespace pliant
