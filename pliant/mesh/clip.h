// The part of a mesh on one side of a cut.
#pragma once

#include <span>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// The part where a function that is linear over each face is not positive; `values` gives it at the vertices. Faces
// across the cut are cut along it. Vertices that are kept keep their order and places; new ones follow. A manifold
// stays one, and no new intersections arise, but faces can be slim where a cut passes close to a vertex.
MeshPtr clip_mesh(const TriangleMesh& mesh, std::span<const double> values);

}  // namespace pliant
