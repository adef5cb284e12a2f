// The named parts of a mesh as meshes of their own.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct NamedMesh {
  std::string name;
  MeshPtr mesh;
};

// One mesh per part with faces, in order, then one named "rest" for faces of no part, if there are any. Each keeps only
// the vertices that it uses, and knows their indices in the whole (MeshOrigin).
std::vector<NamedMesh> split_parts(const TriangleMesh& mesh);

}  // namespace pliant
