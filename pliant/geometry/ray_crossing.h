// Where a ray crosses a triangle: what decides, face by face, whether a point lies inside a closed surface.
#pragma once

#include "pliant/geometry/triangle.h"

namespace pliant {

// The ray goes from p along x, upwards. 1 if it leaves through the triangle's front (the side that its normal points
// to), -1 through its back, 0 if it misses it. Summed over a closed surface this is how often the surface winds around
// p; the number of triangles that are not 0 is odd where an odd number of sheets lies between p and infinity.
//
// Decided exactly, without exceptions: a ray that meets edges or corners of a surface counts as one a little beside
// them, the same for all triangles. Of no meaning for p on the triangle itself (point_in_triangle).
int ray_crossing(const Vec3& p, const Triangle3& t);

}  // namespace pliant
