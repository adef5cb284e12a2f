// The geometry of a scene's bodies: made or read, and put in place. Internal to scene/.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pliant/mesh/tet_mesh.h"
#include "pliant/scene/placer.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_file.h"

namespace pliant {

// One of the first two is set.
struct BodyGeometry {
  MeshPtr surface;
  TetMeshPtr tets;
  MeshPtr dense;  // the fine surface that the body was made from, if it has one
  Placer place;   // what took all of these from where they were made or read to where they are

  std::span<const Vec3> positions() const { return tets ? tets->positions() : surface->positions(); }
};

// The file that the body's mesh is to be read from; nothing if it is made, or has a name that is not found.
std::optional<std::string> mesh_file(const BodyDescription& body, const SceneDescription& scene,
                                     const BuildOptions& options);

// As it was made or read, not placed yet. Puts a line into `notes` where a stand-in is used. Throws Error for a mesh
// that is missing or cannot be read, for a file with tetrahedra of which some but not all are inside out, and for a
// named mesh that is not found and has no stand-in.
BodyGeometry make_geometry(const BodyDescription& body, const SceneDescription& scene, const BuildOptions& options,
                           std::vector<std::string>& notes);

// Throws Error if the body ends up so far away, or so large, that rounding takes its shape.
BodyGeometry placed_geometry(const BodyGeometry& made, const BodyDescription& body);

// Vertices (of the tet mesh, if it is one) that pins choose. Throws Error, with the pin's line, for one that is none,
// or a box without any.
std::vector<VertexId> pinned_vertices(const BodyDescription& body, const BodyGeometry& geometry);
std::vector<VertexId> pinned_vertices(const PinDescription& pin, const BodyGeometry& geometry);

}  // namespace pliant
