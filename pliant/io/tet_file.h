// Tetrahedral meshes in and out: Medit .mesh, Gmsh .msh, TetGen .node/.ele, VTK .vtk and .vtu.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/io/mesh_file.h"
#include "pliant/mesh/tet_mesh.h"

namespace pliant {

using TetMeshPtr = std::shared_ptr<const TetMesh>;

struct TetFile {
  TetMeshPtr mesh;
  std::vector<std::string> dropped;  // as in MeshFile
};

// Vertices and tetrahedra keep the file's order. Errors and bounds as for surface meshes (io/mesh_file.h); a file
// without tetrahedra is refused. read_mesh reads the same files, and gives the boundary of their tetrahedra with all
// vertices of the file, or, without tetrahedra, their surface cells.
TetFile read_tet_file(const std::string& path, MeshFormat format = MeshFormat::automatic);
TetMeshPtr read_tets(const std::string& path, MeshFormat format = MeshFormat::automatic);
TetFile parse_tets(std::string_view bytes, const std::string& name, MeshFormat format = MeshFormat::automatic);

// What a file holds, whichever it is: `tets` if it has tetrahedra, else `surface`; the other is null.
struct GeometryFile {
  TetMeshPtr tets;
  MeshPtr surface;
  std::vector<std::string> dropped;  // as in MeshFile
  std::vector<std::string> warnings;
  bool animated = false;
};
GeometryFile read_geometry(const std::string& path, const MeshReadOptions& options = {});

enum class GmshVersion { v2_2, v4_1 };

struct TetWriteOptions {
  MeshFormat format = MeshFormat::automatic;  // by the file name's extension
  Encoding encoding = Encoding::binary;       // Gmsh and VTK; others are always text
  GmshVersion gmsh_version = GmshVersion::v4_1;
};

// Doubles are kept exactly. The file appears complete or not at all.
std::string format_tets(const TetMesh& mesh, const TetWriteOptions& options);
void write_tets(const std::string& path, const TetMesh& mesh, const TetWriteOptions& options = {});

}  // namespace pliant
