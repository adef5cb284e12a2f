// Reads the plain files of data folders (binary PLY and v/f OBJ with triangles, Medit tetrahedra), and nothing else: a
// second opinion on io/.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/tet_mesh.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant::testing {

MeshPtr read_test_mesh(const std::string& path);

struct TetFile {
  std::vector<Vec3> positions;
  std::vector<Tet> tets;
};
TetFile read_test_tets(const std::string& path);

}  // namespace pliant::testing
