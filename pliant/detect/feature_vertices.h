// The vertices behind a contact, with weights: what a solver, a constraint or an own file format wants to know.
#pragma once

#include <array>
#include <cstdint>

#include "pliant/detect/contact.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

class Detector;

// The one to three vertices of a feature, in the order of the mesh; none of a region. `weights` say where on it:
// the point is sum weights[i] x(vertices[i]).
struct FeatureVertices {
  std::array<VertexId, 3> vertex{};
  Weights weights{};
  std::uint8_t count = 0;

  std::size_t size() const { return count; }
  const VertexId* begin() const { return vertex.data(); }
  const VertexId* end() const { return vertex.data() + count; }
};

// `id` must be one of the mesh: asserted. Edges ask for the mesh's topology, which is computed at the first call.
FeatureVertices vertices_of(const Feature& feature, const TriangleMesh& mesh, const Weights& weights = {});

struct ContactVertices {
  FeatureVertices a;
  FeatureVertices b;
};

// Of a contact between bodies with these meshes; or as a detector reported it (throws Error if it has no such body).
ContactVertices vertices_of(const Contact& contact, const TriangleMesh& mesh_a, const TriangleMesh& mesh_b);
ContactVertices vertices_of(const Contact& contact, const Detector& detector);

}  // namespace pliant
