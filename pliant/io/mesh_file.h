// Surface meshes in and out: OBJ, PLY, STL, OFF, glTF, VTK's .vtp and .vtu; in also the boundary of tetrahedral files
// (io/tet_file.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

enum class MeshFormat { automatic, obj, ply, stl, off, gmsh, medit, tetgen, vtk, vtu, vtp, gltf };

// Whether a file of OBJ, PLY or OFF that has vertices but no faces is refused, or read as points (mesh/points.h).
enum class Faces { needed, optional };

struct MeshReadOptions {
  MeshFormat format = MeshFormat::automatic;  // by content where it tells, else by the file name's extension
  double weld_tolerance = 0;  // length; STL only, whose corners are separate points. 0: equal ones are one
  Faces faces = Faces::needed;
};

// A mesh with what its reader has to say of the file.
struct MeshFile {
  MeshPtr mesh;
  std::vector<std::string> dropped;   // kinds of data of the file that the mesh does not keep: "normals", "materials"
  std::vector<std::string> warnings;  // what of its surface is left out, or not used quite as the file gives it
  bool animated = false;              // the file holds a motion too (glTF): open_motion reads it
};

// Vertices and faces keep the file's order (STL: order of first appearance), polygons are triangulated in place with
// their file index in MeshOrigin::polygon_of_face, groups and objects become parts. Open, non-manifold, duplicated
// and degenerate geometry is accepted.
//
// Throws Error, naming file, line or byte and remedy: missing, unreadable, empty, truncated or garbled files, indices
// out of range, coordinates that are not finite, no faces. Of a file of tetrahedra the boundary is read, with all
// vertices, and a warning says so. Memory is bounded by the size of the file, whatever counts
// its header claims.
MeshFile read_mesh_file(const std::string& path, const MeshReadOptions& options = {});
MeshPtr read_mesh(const std::string& path, const MeshReadOptions& options = {});

// The same from memory; `name` stands for the file in errors, in the mesh's origin and in the choice by extension.
MeshFile parse_mesh(std::string_view bytes, const std::string& name, const MeshReadOptions& options = {});
MeshFile parse_obj(std::string_view text, const std::string& name, Faces faces = Faces::needed);
MeshFile parse_ply(std::string_view bytes, const std::string& name, Faces faces = Faces::needed);
MeshFile parse_stl(std::string_view bytes, const std::string& name, double weld_tolerance = 0);
MeshFile parse_off(std::string_view text, const std::string& name, Faces faces = Faces::needed);

enum class Encoding { binary, text };
enum class Precision { float64, float32 };

struct MeshWriteOptions {
  MeshFormat format = MeshFormat::automatic;  // by the file name's extension
  Encoding encoding = Encoding::binary;       // PLY, STL, VTP and VTU; OBJ and OFF are always text
  // PLY, VTP and VTU; text holds the shortest decimals of it. OBJ and OFF hold doubles, binary STL and glTF floats.
  Precision precision = Precision::float64;
};

// The triangles of the mesh as a file in memory, glTF excepted. Throws Error when a coordinate is too large for the
// chosen precision.
std::string format_mesh(const TriangleMesh& mesh, const MeshWriteOptions& options);

// Returns the kinds of data of the mesh that the file does not hold, like MeshFile::dropped. The file appears complete
// or not at all: on Error whatever stood at `path` is untouched. A .gltf has its numbers in a .bin beside it.
std::vector<std::string> write_mesh(const std::string& path, const TriangleMesh& mesh,
                                    const MeshWriteOptions& options = {});

}  // namespace pliant
