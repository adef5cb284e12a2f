// Corners that lie at the same place made one vertex.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pliant/core/vec3.h"

namespace pliant {

struct WeldedPoints {
  std::vector<Vec3> positions;          // in order of first appearance
  std::vector<std::uint32_t> index_of;  // for every input point, its index in `positions`
};

// With tolerance 0 points are one when all coordinates are equal (+0 and -0 are). With a tolerance (a length) a point
// joins the first earlier kept point within that distance; kept points do not move. Coordinates must be finite. Throws
// Error, naming `file`, when the tolerance is negative, not finite, or finer than the coordinates can resolve.
WeldedPoints weld_points(std::span<const Vec3> points, double tolerance, const std::string& file);

}  // namespace pliant
