// Closest points of points, segments and triangles.
//
// Rounded, but robust: every pair of points that is considered lies on the two things, the nearest pair wins, and all
// places where the minimum can be are considered. So needles, parallel and zero-length or zero-area input lose accuracy
// gracefully: the error of a distance is a small multiple of the rounding unit times the size of the input.
// Coordinates must be finite; any exponents. No allocation, no exceptions, no state.
#pragma once

#include <array>

#include "pliant/core/vec3.h"
#include "pliant/geometry/segment.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

struct ClosestPoints {
  Vec3 a = Vec3::Zero();  // on the first thing
  Vec3 b = Vec3::Zero();  // on the second
  // Barycentric weights, not negative, sum 1: of the point itself, of the ends p, q, or of the corners.
  std::array<double, 3> weights_a{1, 0, 0};
  std::array<double, 3> weights_b{1, 0, 0};
  double distance = 0;
  double distance_sq = 0;  // infinite or 0 where the square of the distance overflows or underflows
};

ClosestPoints closest_points(const Vec3& point, const Segment3& segment);
ClosestPoints closest_points(const Vec3& point, const Triangle3& triangle);
ClosestPoints closest_points(const Segment3& a, const Segment3& b);

// Exactly 0, with a == b, if the two intersect; decided exactly.
ClosestPoints closest_points(const Segment3& segment, const Triangle3& triangle);
ClosestPoints closest_points(const Triangle3& a, const Triangle3& b);

}  // namespace pliant
