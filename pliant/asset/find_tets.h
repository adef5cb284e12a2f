// The tetrahedron that each point goes with.
#pragma once

#include <span>
#include <vector>

#include "pliant/core/parallel.h"
#include "pliant/mesh/tet_mesh.h"

namespace pliant {

// The smallest tetrahedron that holds the point; for a point in none, that of the nearest boundary face. As
// BarycentricEmbedding finds them, but by box trees: it does not slow down where sizes differ or points lie outside.
// The mesh must have volume.
std::vector<TetId> find_tets(std::span<const Vec3> points, const TetMesh& mesh, Threads threads = {});

}  // namespace pliant
