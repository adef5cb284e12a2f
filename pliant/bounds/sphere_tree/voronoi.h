// The one door to Qhull: Voronoi vertices of points in space.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"

namespace pliant {

// A point with four sites at the same distance, and none nearer.
struct VoronoiVertex {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
  std::array<std::uint32_t, 4> sites{};
};

// Those that lie between sites, not those between sites and infinity; nearly flat quadruples are left out. In one order
// on every run. Throws Error if the library was built without Qhull, and if Qhull fails.
std::vector<VoronoiVertex> voronoi_vertices(std::span<const Vec3> sites);

}  // namespace pliant
