// Patches for the holes of a manifold surface.
#pragma once

#include <cstddef>
#include <vector>

#include "pliant/asset/half_edges.h"

namespace pliant {

struct HolePatches {
  std::vector<Triangle> triangles;    // oriented like the faces around
  std::vector<std::uint32_t> beside;  // for each, a face at the rim of its hole
  std::vector<Vec3> new_positions;    // vertices that follow those of the surface
  std::size_t holes = 0;
};

// Cuts ears off each rim, the shortest first, those that fold back last; no edge that the surface has already is made
// twice. Where no ear is left, the rest is closed by a fan around a new vertex. Crude, but the surface stays manifold.
//
// `partners` must describe a manifold surface: no vertex on two rims, or twice on one.
HolePatches fill_holes(std::span<const Vec3> positions, std::span<const Triangle> triangles, const Partners& partners);

}  // namespace pliant
