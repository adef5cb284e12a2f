#include "pliant/asset/lattice.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "pliant/asset/node_grid.h"
#include "pliant/core/error.h"

namespace pliant {
namespace {

// Whether a triangle, given relative to the middle of a cube, comes into it: no axis separates them (T. Akenine-Moller,
// "Fast 3D triangle-box overlap testing", 2001). Widened a little, so that rounding never loses a cube.
bool meets_cube(const std::array<Vec3, 3>& corners, double half) {
  const double radius = half * (1 + 1e-9);
  const auto separates = [&](const Vec3& axis) {
    const double a = axis.dot(corners[0]), b = axis.dot(corners[1]), c = axis.dot(corners[2]);
    const double reach = radius * axis.cwiseAbs().sum();
    return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
  };
  const std::array<Vec3, 3> edges = {corners[1] - corners[0], corners[2] - corners[1], corners[0] - corners[2]};
  for (int i = 0; i < 3; ++i) {
    if (separates(Vec3::Unit(i))) return false;
    for (const Vec3& edge : edges)
      if (separates(edge.cross(Vec3::Unit(i)))) return false;
  }
  return !separates(edges[0].cross(edges[1]));
}

// Cubes around the nodes of a grid.
class Cubes {
 public:
  explicit Cubes(const NodeGrid& centres) : grid_(centres), filled_(centres.size(), 0) {}

  void add_inside(const TriangleMesh& solid) {
    const std::vector<std::uint8_t> inside = nodes_inside(solid, grid_);
    for (std::size_t n = 0; n < inside.size(); ++n) filled_[n] = filled_[n] | inside[n];
  }

  void add_touched(const TriangleMesh& mesh) {
    const double half = grid_.spacing / 2;
    const Vec3 margin = Vec3::Constant(half * 1.001);
    for (const Triangle& t : mesh.triangles()) {
      const std::array<Vec3, 3> corners = {mesh.position(t[0]), mesh.position(t[1]), mesh.position(t[2])};
      const Eigen::AlignedBox3d box = Eigen::AlignedBox3d(corners[0]).extend(corners[1]).extend(corners[2]);
      const NodeGrid::Range range = grid_.range(box.min() - margin, box.max() + margin);
      for (int k = range.lo.z(); k <= range.hi.z(); ++k) {
        for (int j = range.lo.y(); j <= range.hi.y(); ++j) {
          for (int i = range.lo.x(); i <= range.hi.x(); ++i) {
            std::uint8_t& cube = filled_[grid_.index(i, j, k)];
            const Vec3 c = grid_.point(i, j, k);
            if (cube == 0 && meets_cube({corners[0] - c, corners[1] - c, corners[2] - c}, half)) cube = 1;
          }
        }
      }
    }
  }

  // Adds cubes until, around every corner, the full cubes are joined over faces, and so are the empty ones.
  void make_manifold() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (int k = 0; k + 1 < grid_.count.z(); ++k)
        for (int j = 0; j + 1 < grid_.count.y(); ++j)
          for (int i = 0; i + 1 < grid_.count.x(); ++i) changed = mend_corner(i, j, k) || changed;
    }
  }

  std::shared_ptr<const TetMesh> tets(const std::string& name) const;

 private:
  bool mend_corner(int i, int j, int k);

  NodeGrid grid_;
  std::vector<std::uint8_t> filled_;
};

// How many groups of cubes there are among the eight around a corner (a bit each), joined over faces.
int group_count(unsigned cubes) {
  int groups = 0;
  while (cubes != 0) {
    unsigned group = cubes & (~cubes + 1);
    for (unsigned before = 0; before != group;) {
      before = group;
      for (unsigned c = 0; c < 8; ++c)
        if ((group >> c & 1U) != 0)
          for (unsigned axis = 0; axis < 3; ++axis) group |= cubes & (1U << (c ^ (1U << axis)));
    }
    cubes &= ~group;
    ++groups;
  }
  return groups;
}

// For each set of full cubes around a corner, the least one with more cubes that leaves a disc as boundary there: the
// full cubes in one group, and the empty ones too.
std::array<std::uint8_t, 256> mended_corners() {
  std::array<std::uint8_t, 256> mended{};
  for (unsigned cubes = 0; cubes < 256; ++cubes) {
    unsigned best = 255;
    for (unsigned more = cubes; more < 256; ++more) {
      const bool sound = (more & cubes) == cubes && group_count(more) <= 1 && group_count(~more & 255U) <= 1;
      if (sound && std::popcount(more) < std::popcount(best)) best = more;
    }
    mended[cubes] = static_cast<std::uint8_t>(best);
  }
  return mended;
}

// Only adds, so that repeating it comes to an end.
bool Cubes::mend_corner(int i, int j, int k) {
  static const std::array<std::uint8_t, 256> kMended = mended_corners();
  std::array<std::size_t, 8> around;
  unsigned cubes = 0;
  for (unsigned c = 0; c < 8; ++c) {
    around[c] =
        grid_.index(i + static_cast<int>(c & 1U), j + static_cast<int>(c >> 1 & 1U), k + static_cast<int>(c >> 2));
    cubes |= filled_[around[c]] != 0 ? 1U << c : 0U;
  }
  const unsigned wanted = kMended[cubes];
  for (unsigned c = 0; c < 8; ++c)
    if ((wanted >> c & 1U) != 0) filled_[around[c]] = 1;
  return wanted != cubes;
}

// Corners of a cube by their three bits: one regular tet of the even corners and one at each odd corner.
constexpr std::array<std::array<int, 4>, 5> kFiveTets = {
    {{0, 3, 5, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 6, 5}}};

std::shared_ptr<const TetMesh> Cubes::tets(const std::string& name) const {
  NodeGrid corners = grid_;
  corners.count += Eigen::Vector3i::Ones();
  corners.origin -= Vec3::Constant(grid_.spacing / 2);
  std::vector<VertexId> vertex(corners.size());
  std::vector<Tet> tets;
  std::vector<std::size_t> corner_of;  // of each vertex
  for (std::size_t n = 0; n < filled_.size(); ++n) {
    if (filled_[n] == 0) continue;
    const Eigen::Vector3i at = grid_.place(n);
    const int mirrored = (at.x() + at.y() + at.z()) % 2;  // the cut of every other cube, mirrored along x
    for (const auto& five : kFiveTets) {
      Tet tet;
      for (std::size_t i = 0; i < 4; ++i) {
        const int c = five[i] ^ mirrored;
        const std::size_t corner = corners.index(at.x() + (c & 1), at.y() + (c >> 1 & 1), at.z() + (c >> 2));
        if (!vertex[corner].valid()) {
          vertex[corner] = VertexId(corner_of.size());
          corner_of.push_back(corner);
        }
        tet[i] = vertex[corner];
      }
      tets.push_back(tet);  // TetMesh turns those that are inside out
    }
  }
  std::vector<Vec3> positions;
  positions.reserve(corner_of.size());
  for (const std::size_t corner : corner_of) positions.push_back(corners.point(corner));
  return std::make_shared<const TetMesh>(std::move(positions), std::move(tets), name);
}

}  // namespace

std::shared_ptr<const TetMesh> make_lattice_tets(const TriangleMesh& solid, const TriangleMesh& dense, double cell) {
  if (!(cell > 0) || !std::isfinite(cell)) throw Error("lattice cells need a positive size");
  const NodeGrid grid = NodeGrid::around(box_of(solid).merged(box_of(dense)), cell, 2.5 * cell);
  if (grid.size() > (std::size_t{1} << 26)) throw Error("the lattice has more than 2^26 cells", "ask for larger cells");
  Cubes cubes(grid);
  cubes.add_inside(solid);
  cubes.add_touched(solid);
  cubes.add_touched(dense);
  cubes.make_manifold();
  return cubes.tets(solid.origin().name);
}

}  // namespace pliant
