// Tetrahedra around anything: cells of a lattice. The fallback of tetrahedralise(), and good for embedding.
#pragma once

#include <memory>

#include "pliant/mesh/tet_mesh.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// All cubes of a lattice that `solid` (closed, outward, without self-intersections) or `dense` (anything) comes into,
// each cut into five tets (four with a radius ratio of 0.77, one regular), mirrored from cube to cube so that faces
// match. Both surfaces lie inside the tets. Cubes are added where two would share nothing but an edge or a corner, so
// that the boundary is a closed manifold surface.
//
// Throws Error for a cell size that is not positive or gives more than 2^26 cubes to look at.
std::shared_ptr<const TetMesh> make_lattice_tets(const TriangleMesh& solid, const TriangleMesh& dense, double cell);

}  // namespace pliant
