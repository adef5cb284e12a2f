// Parts of a mesh as meshes of their own.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct NamedMesh {
  std::string name;
  MeshPtr mesh;
  std::vector<VertexId> vertices;  // by its vertices, ascending: which they are in the whole
};

// One mesh per named part with faces, in order, then one named "rest" for faces of no part, if there are any. Each
// keeps only the vertices that it uses, and knows their indices in the file (MeshOrigin).
std::vector<NamedMesh> split_parts(const TriangleMesh& mesh);

// One mesh per connected component, in the order of their first faces, named "component 0" and so on. Faces are
// connected that have a vertex in common, welded ones included: the two sides of a seam stay together.
std::vector<NamedMesh> split_components(const TriangleMesh& mesh);

}  // namespace pliant
