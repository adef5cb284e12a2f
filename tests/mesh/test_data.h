// Reads the plain files of PLIANT_TEST_DATA (binary PLY and v/f OBJ with triangles, Medit tetrahedra), and nothing
// else.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/tet_mesh.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant::testing {

bool has_test_data();
MeshPtr read_test_mesh(const std::string& path);  // relative to PLIANT_TEST_DATA

struct TetFile {
  std::vector<Vec3> positions;
  std::vector<Tet> tets;
};
TetFile read_test_tets(const std::string& path);

}  // namespace pliant::testing
