// Meshes for benchmarks: generated, so that everybody measures the same.
#pragma once

#include <cmath>
#include <map>
#include <utility>

#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"

namespace pliant::bench {

// A lumpy ball of about so many triangles that intersects itself in places: two small bumps pushed through the wall.
inline MeshPtr lumpy_ball(std::size_t triangles, std::uint64_t seed = 1) {
  static std::map<std::pair<std::size_t, std::uint64_t>, MeshPtr> made;
  MeshPtr& mesh = made[{triangles, seed}];
  if (mesh) return mesh;
  const int frequency = std::max(1, static_cast<int>(std::lround(std::sqrt(static_cast<double>(triangles) / 20))));
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = frequency});
  const SmoothField lumps({.seed = seed, .amplitude = 0.15, .wavelength = 0.8});
  std::vector<Vec3> positions = displaced(ball->positions(), lumps);
  for (Vec3& p : positions) {
    // A dent so deep that its bottom comes out on the other side.
    const double from_pole = (p.normalized() - Vec3(0, 0, 1)).norm();
    if (from_pole < 0.25) p.z() -= 2.4 * (1 - from_pole / 0.25) * std::abs(p.z());
  }
  return mesh = with_positions(*ball, std::move(positions));
}

// A turned copy at another place.
inline MeshPtr shifted(const TriangleMesh& mesh, const Vec3& by) {
  return with_positions(mesh, transformed(mesh.positions(), rigid({1, 2, 3}, 0.7, by)));
}

}  // namespace pliant::bench
