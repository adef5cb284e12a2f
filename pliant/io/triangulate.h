// Polygons into triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"

namespace pliant {

struct Triangulation {
  std::vector<std::array<std::uint32_t, 3>> triangles;  // positions in the polygon's list of corners
  bool fanned = false;  // no clean cut was found: what was left of the polygon was cut as a fan from one corner
  bool out_of_work =
      false;  // because that would have taken too much work; otherwise it crosses itself or is degenerate
};

// Cuts a polygon of three or more corners into corners - 2 triangles that use its corners only and keep its
// orientation.
//
// A polygon convex in its dominant plane (the coordinate plane that its area vector is most perpendicular to) is cut as
// a fan from its first corner; a concave one by ear clipping in that plane, in O(n sqrt n) for any simple polygon that
// people make (100,000 corners: a tenth of a second). A polygon that crosses itself, is degenerate, or would take
// more than `work_per_corner` falls back to a fan, which covers it but may overlap itself. The plane is
// chosen and the tests are made in double arithmetic: exactness is not needed, as any answer is a valid triangulation
// of the corners. Deterministic.
//
// `work_per_corner`: how much may be looked at for each corner, on average. 0: a bound that simple polygons which
// people make stay far below, 500 to 4,000, growing with the square root of the number of corners.
Triangulation triangulate_polygon(std::span<const Vec3> corners, std::size_t work_per_corner = 0);

}  // namespace pliant
