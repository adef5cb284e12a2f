#include "pliant/asset/node_grid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/bounds/closest_face.h"
#include "pliant/geometry/predicates.h"

namespace pliant {
namespace {

// Of the line through p along x, moved by an infinitesimal step (first in y, then in z) so that it meets no edge: the
// side of the edge from a to b that it passes. All faces at an edge agree on it.
int side_of_edge(const Vec3& a, const Vec3& b, const Vec3& p) {
  if (const int side = orient2d(a, b, p, 0); side != 0) return side;
  if (a.z() != b.z()) return a.z() > b.z() ? 1 : -1;
  return b.y() > a.y() ? 1 : -1;
}

struct Corners {
  const Vec3 &a, &b, &c;

  // 1 if the line leaves through the front, -1 if through the back, 0 if it misses the face.
  int crossing(const Vec3& p) const {
    const int ab = side_of_edge(a, b, p), bc = side_of_edge(b, c, p), ca = side_of_edge(c, a, p);
    return ab == bc && bc == ca ? ab : 0;
  }
  // Where it does.
  double x_at(const Vec3& p) const {
    const Vec3 n = (b - a).cross(c - a);
    const double x = a.x() - (n.y() * (p.y() - a.y()) + n.z() * (p.z() - a.z())) / n.x();
    const double least = std::min({a.x(), b.x(), c.x()}), most = std::max({a.x(), b.x(), c.x()});
    return std::isfinite(x) ? std::clamp(x, least, most) : least;  // faces seen from the edge are thin there
  }
};

}  // namespace

NodeGrid NodeGrid::around(const Eigen::AlignedBox3d& box, double spacing, double margin) {
  NodeGrid grid{.origin = box.min() - Vec3::Constant(margin), .spacing = spacing};
  for (int axis = 0; axis < 3; ++axis)
    grid.count[axis] = static_cast<int>(std::ceil((box.sizes()[axis] + 2 * margin) / spacing)) + 1;
  return grid;
}

Eigen::Vector3i NodeGrid::place(std::size_t index) const {
  const auto nx = static_cast<std::size_t>(count.x()), ny = static_cast<std::size_t>(count.y());
  return {static_cast<int>(index % nx), static_cast<int>(index / nx % ny), static_cast<int>(index / nx / ny)};
}

NodeGrid::Range NodeGrid::range(const Vec3& low, const Vec3& high) const {
  Range result;
  for (int axis = 0; axis < 3; ++axis) {
    result.lo[axis] = std::max(0, static_cast<int>(std::ceil((low[axis] - origin[axis]) / spacing)));
    result.hi[axis] = std::min(count[axis] - 1, static_cast<int>(std::floor((high[axis] - origin[axis]) / spacing)));
  }
  return result;
}

Eigen::AlignedBox3d box_of(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Triangle& t : mesh.triangles())
    for (const VertexId v : t) box.extend(mesh.position(v));
  return box;
}

std::vector<std::uint8_t> nodes_inside(const TriangleMesh& mesh, const NodeGrid& grid) {
  // turns[n]: what crossings between node n - 1 and n of its line add to the winding of the nodes before them.
  std::vector<std::int32_t> turns(grid.size(), 0);
  for (const Triangle& t : mesh.triangles()) {
    const Corners face{mesh.position(t[0]), mesh.position(t[1]), mesh.position(t[2])};
    const Eigen::AlignedBox3d box = Eigen::AlignedBox3d(face.a).extend(face.b).extend(face.c);
    // A line more on each side: rounding must not lose one that the exact test would take.
    const Vec3 margin = Vec3::Constant(grid.spacing);
    const NodeGrid::Range range = grid.range(box.min() - margin, box.max() + margin);
    for (int k = range.lo.z(); k <= range.hi.z(); ++k) {
      for (int j = range.lo.y(); j <= range.hi.y(); ++j) {
        const Vec3 p = grid.point(0, j, k);
        const int turn = face.crossing(p);
        if (turn == 0) continue;
        const double before = (face.x_at(p) - grid.origin.x()) / grid.spacing;
        const int node = std::clamp(static_cast<int>(std::ceil(before)), 0, grid.count.x() - 1);
        turns[grid.index(node, j, k)] += turn;
      }
    }
  }
  std::vector<std::uint8_t> inside(grid.size(), 0);
  const auto nx = static_cast<std::size_t>(grid.count.x());
  for (std::size_t line = 0; line < grid.size(); line += nx) {
    std::int32_t winding = 0;
    for (std::size_t i = nx; i-- > 0;) {
      inside[line + i] = winding > 0 ? 1 : 0;
      winding += turns[line + i];
    }
  }
  return inside;
}

std::vector<float> node_distances(const TriangleMesh& mesh, const NodeGrid& grid, double reach, Threads threads) {
  std::vector<float> distances(grid.size(), static_cast<float>(reach));
  std::vector<bool> near(grid.size(), false);
  for (const Triangle& t : mesh.triangles()) {
    Eigen::AlignedBox3d box;
    for (const VertexId v : t) box.extend(mesh.position(v));
    const NodeGrid::Range range = grid.range(box.min() - Vec3::Constant(reach), box.max() + Vec3::Constant(reach));
    for (int k = range.lo.z(); k <= range.hi.z(); ++k)
      for (int j = range.lo.y(); j <= range.hi.y(); ++j)
        for (int i = range.lo.x(); i <= range.hi.x(); ++i) near[grid.index(i, j, k)] = true;
  }
  const ClosestFace closest(mesh);
  parallel_for(threads, grid.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n)
      if (near[n]) distances[n] = static_cast<float>(closest.find_within(grid.point(n), reach).distance);
  });
  return distances;
}

}  // namespace pliant
