#include "pliant/detect/feature_vertices.h"

#include <cassert>

#include "pliant/core/error.h"
#include "pliant/detect/detector.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

const TriangleMesh& mesh_of(const Feature& feature, const Detector& detector) {
  if (!detector.has_body(feature.body))
    throw Error("the contact names body " + std::to_string(feature.body.value) + ", which the detector does not have",
                "ask the detector that reported it, before the body is removed");
  return *detector.body(feature.body).mesh;
}

}  // namespace

FeatureVertices vertices_of(const Feature& feature, const TriangleMesh& mesh, const Weights& weights) {
  switch (feature.kind) {
    case FeatureKind::vertex:
      assert(feature.id < mesh.vertex_count());
      return {{VertexId(feature.id)}, weights, 1};
    case FeatureKind::edge: {
      const Edge& edge = mesh.topology().edge(EdgeId(feature.id));
      return {{edge[0], edge[1]}, weights, 2};
    }
    case FeatureKind::face:
      assert(feature.id < mesh.face_count());
      return {mesh.triangle(FaceId(feature.id)), weights, 3};
    case FeatureKind::region:
      break;
  }
  return {};
}

ContactVertices vertices_of(const Contact& contact, const TriangleMesh& mesh_a, const TriangleMesh& mesh_b) {
  return {vertices_of(contact.a, mesh_a, contact.wa), vertices_of(contact.b, mesh_b, contact.wb)};
}

ContactVertices vertices_of(const Contact& contact, const Detector& detector) {
  return vertices_of(contact, mesh_of(contact.a, detector), mesh_of(contact.b, detector));
}

}  // namespace pliant
