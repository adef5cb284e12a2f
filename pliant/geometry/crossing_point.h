// Where a segment meets a plane or, in a plane, a line: rounded points for decisions made exactly elsewhere.
#pragma once

#include "pliant/core/vec3.h"
#include "pliant/geometry/segment.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

// A point of a segment: (1 - t) p + t q.
struct SegmentPoint {
  double t;
  Vec3 point;
};

// Where the segment meets the triangle's plane; p and q must lie strictly on opposite sides (orient3d). The error of t
// is below 2^-36 plus the effect of coordinates 2^-200 times smaller than the largest one, at any scale.
SegmentPoint plane_crossing(const Segment3& segment, const Triangle3& plane);

// Where the projection of `segment` that drops `axis` meets the projected line through `line`; p and q must lie
// strictly on opposite sides (orient2d). Error as above.
SegmentPoint line_crossing(const Segment3& segment, const Segment3& line, int axis);

// The point of a segment nearest to one known to lie on it (v); t is exactly 0 or 1 at the ends.
SegmentPoint vertex_on_segment(const Segment3& segment, const Vec3& v);

}  // namespace pliant
