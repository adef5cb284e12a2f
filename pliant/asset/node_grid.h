// A regular grid of points over a surface: which are inside, which are near. Internal to asset/.
#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pliant/core/parallel.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Nodes at origin + spacing * (i, j, k), numbered i first.
struct NodeGrid {
  Vec3 origin = Vec3::Zero();
  double spacing = 1;
  Eigen::Vector3i count = Eigen::Vector3i::Ones();

  // Around a box, with `margin` to spare on all sides.
  static NodeGrid around(const Eigen::AlignedBox3d& box, double spacing, double margin);

  std::size_t size() const {
    return static_cast<std::size_t>(count.x()) * static_cast<std::size_t>(count.y()) *
           static_cast<std::size_t>(count.z());
  }
  std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(count.x()) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(count.y()) * static_cast<std::size_t>(k));
  }
  Eigen::Vector3i place(std::size_t index) const;
  Vec3 point(int i, int j, int k) const { return origin + spacing * Vec3(i, j, k); }
  Vec3 point(std::size_t n) const {
    const Eigen::Vector3i p = place(n);
    return point(p.x(), p.y(), p.z());
  }
  // The nodes from the first at or above `low` to the last at or below `high`, cut to the grid; empty if hi < lo.
  struct Range {
    Eigen::Vector3i lo, hi;
  };
  Range range(const Vec3& low, const Vec3& high) const;
};

Eigen::AlignedBox3d box_of(const TriangleMesh& mesh);  // of the vertices on faces

// Which nodes a closed, outward surface winds around. Decided exactly across the lines of nodes along x, so that a
// surface without holes never leaks; overlapping parts are united.
std::vector<std::uint8_t> nodes_inside(const TriangleMesh& mesh, const NodeGrid& grid);

// For each node its distance to the surface, as far as that is below `reach`; else `reach`.
std::vector<float> node_distances(const TriangleMesh& mesh, const NodeGrid& grid, double reach, Threads threads);

}  // namespace pliant
