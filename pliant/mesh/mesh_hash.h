// A number that tells meshes apart: what is stored for one is not taken for another.
#pragma once

#include <cstdint>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Of rest positions (bit for bit, +0 and -0 are equal) and triangles, in their order. The same on every machine. Not
// for secrets: a mesh with a given hash can be made.
std::uint64_t mesh_hash(const TriangleMesh& mesh);

}  // namespace pliant
