// How often the other parts of a surface wind around a point.
#pragma once

#include <numbers>
#include <span>

#include "pliant/asset/half_edges.h"
#include "pliant/asset/measure.h"

namespace pliant {

// Takes time in proportion to the number of faces.
inline double winding_of_others(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                const SurfaceParts& parts, std::uint32_t part, const Vec3& p) {
  double angle = 0;
  for (std::size_t f = 0; f < triangles.size(); ++f) {
    const Triangle& t = triangles[f];
    if (parts.of_face[f] != part)
      angle += solid_angle(p, positions[t[0].index()], positions[t[1].index()], positions[t[2].index()]);
  }
  return angle / (4 * std::numbers::pi);
}

}  // namespace pliant
