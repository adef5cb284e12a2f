// A fine surface that hangs on a coarse body: what collides and what people see.
#pragma once

#include <memory>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

class RigidLinks;

// Both are there, or none. The links are those of the mesh's vertices on the vertices of the body's own surface.
struct DenseSurface {
  MeshPtr mesh;
  std::shared_ptr<const RigidLinks> links;

  explicit operator bool() const { return mesh != nullptr; }
};

}  // namespace pliant
