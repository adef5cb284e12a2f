// One function a format: the triangles of a mesh as a file in memory. Used by format_mesh (io/mesh_file.h).
#pragma once

#include <string>

#include "pliant/io/mesh_file.h"

namespace pliant {

std::string format_obj(const TriangleMesh& mesh);  // parts as objects
std::string format_ply(const TriangleMesh& mesh, Encoding encoding, Precision precision);
std::string format_stl(const TriangleMesh& mesh, Encoding encoding);  // parts as solids, in text
std::string format_off(const TriangleMesh& mesh);

}  // namespace pliant
