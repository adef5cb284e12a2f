// Simple shapes as tetrahedral meshes: metres or whatever the caller chooses, z up, centred at the origin, the same
// bits on every platform.
#pragma once

#include <memory>

#include "pliant/core/vec3.h"
#include "pliant/mesh/tet_mesh.h"

namespace pliant {

// A block of cells, each cut into five tets, mirrored from cell to cell so that faces match.
// (nx + 1) (ny + 1) (nz + 1) vertices, x first, then y, then z; 5 nx ny nz tets, all with volume.
// Throws Error for a count below 1, more than 134 million tets, or a size that is not positive and finite.
struct TetBoxSettings {
  Vec3 size = Vec3::Ones();
  Eigen::Vector3i cells = Eigen::Vector3i::Ones();
};
std::shared_ptr<const TetMesh> make_tet_box(const TetBoxSettings& settings = {});

}  // namespace pliant
