#include "pliant/mesh/tet_shapes.h"

#include <array>
#include <vector>

#include "pliant/mesh/shape_builder.h"

namespace pliant {
namespace {

// Corners of a cell by bits: x, y, z. One tet in the middle, one at each of four corners.
constexpr std::array<std::array<int, 4>, 5> kFiveTets = {
    {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}}};

}  // namespace

std::shared_ptr<const TetMesh> make_tet_box(const TetBoxSettings& s) {
  for (int axis = 0; axis < 3; ++axis) {
    detail::require_size("tet box", "size", s.size[axis]);
    detail::require_count("tet box", "cells", s.cells[axis], 1);
  }
  const Vec3 counts = s.cells.cast<double>();
  detail::require_at_most("tet box", 5 * counts[0] * counts[1] * counts[2], "tetrahedra");
  const Eigen::Vector3i& n = s.cells;
  std::vector<Vec3> positions;
  for (int z = 0; z <= n[2]; ++z)
    for (int y = 0; y <= n[1]; ++y)
      for (int x = 0; x <= n[0]; ++x)
        positions.emplace_back(s.size[0] * (2 * x - n[0]) / (2.0 * n[0]), s.size[1] * (2 * y - n[1]) / (2.0 * n[1]),
                               s.size[2] * (2 * z - n[2]) / (2.0 * n[2]));
  const auto vertex = [&](int x, int y, int z) { return VertexId((z * (n[1] + 1) + y) * (n[0] + 1) + x); };
  std::vector<Tet> tets;
  for (int z = 0; z < n[2]; ++z) {
    for (int y = 0; y < n[1]; ++y) {
      for (int x = 0; x < n[0]; ++x) {
        const int mirror = (x + y + z) % 2;  // of the x bit
        for (const auto& corners : kFiveTets) {
          Tet tet;
          for (std::size_t c = 0; c < 4; ++c) {
            const int bits = corners[c] ^ mirror;
            tet[c] = vertex(x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2));
          }
          tets.push_back(tet);
        }
      }
    }
  }
  return std::make_shared<const TetMesh>(std::move(positions), std::move(tets), "tet box");
}

}  // namespace pliant
