// Parts of a body that hang together.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pliant/mesh/tet_mesh.h"

namespace pliant {

// Pieces share no vertex; numbered in the order of their first tets.
struct TetPieces {
  std::vector<std::uint32_t> of_tet;
  std::vector<double> volume;  // of each piece

  std::size_t count() const { return volume.size(); }
};
TetPieces find_tet_pieces(const TetMesh& mesh);

// The mesh without pieces of less than a fraction of the whole volume; null if nothing would go, or nothing would be
// left.
std::shared_ptr<const TetMesh> without_crumbs(const TetMesh& mesh, const TetPieces& pieces, double fraction);

}  // namespace pliant
