// One function a format: the triangles of a mesh as a file in memory. Used by format_mesh (io/mesh_file.h).
#pragma once

#include <span>
#include <string>

#include "pliant/io/mesh_file.h"

namespace pliant {

std::string format_obj(const TriangleMesh& mesh);  // parts as objects
std::string format_ply(const TriangleMesh& mesh, Encoding encoding, Precision precision);
std::string format_stl(const TriangleMesh& mesh, Encoding encoding);  // parts as solids, in text
std::string format_off(const TriangleMesh& mesh);

// Positions need not be those of the mesh at rest.
struct SurfaceView {
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
};
std::string format_vtp(const SurfaceView& surface, Encoding encoding, Precision precision);
std::string format_vtu(const SurfaceView& surface, Encoding encoding, Precision precision);

}  // namespace pliant
