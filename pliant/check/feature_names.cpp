#include "pliant/check/feature_names.h"

#include <algorithm>

#include "pliant/mesh/topology.h"

namespace pliant {

bool operator==(const RegionName& x, const RegionName& y) {
  return x.centre == y.centre && x.radius == y.radius && x.triangles == y.triangles;
}

bool operator==(const FeatureName& x, const FeatureName& y) {
  return x.body == y.body && x.kind == y.kind && x.index == y.index && x.face == y.face && x.part == y.part &&
         x.local == y.local && x.region == y.region;
}

namespace {

// The face that tells which part a feature belongs to; invalid for a vertex on no face.
FaceId face_of(const TriangleMesh& mesh, const Feature& feature) {
  if (feature.kind == FeatureKind::face) return FaceId(feature.id);
  if (feature.kind == FeatureKind::edge) return mesh.topology().owner(EdgeId(feature.id));
  return mesh.topology().owner(VertexId(feature.id));
}

// Parts are disjoint and ascend.
std::optional<std::size_t> part_of(const std::vector<MeshPart>& parts, FaceId face) {
  const auto after = std::upper_bound(parts.begin(), parts.end(), face.value,
                                      [](std::uint32_t f, const MeshPart& part) { return f < part.first_face; });
  if (after == parts.begin()) return std::nullopt;
  const MeshPart& part = *(after - 1);
  if (face.value >= part.first_face + part.face_count) return std::nullopt;
  return static_cast<std::size_t>(after - 1 - parts.begin());
}

std::vector<std::uint32_t> vertices_of(const TriangleMesh& mesh, const MeshPart& part) {
  std::vector<std::uint32_t> vertices;
  for (const Triangle& t : mesh.triangles().subspan(part.first_face, part.face_count))
    for (const VertexId v : t) vertices.push_back(v.value);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

RegionName region_name(const Region& region) { return {region.centre, region.radius, region.faces.size()}; }

}  // namespace

FeatureName name_of(const Feature& feature, const Detector& detector) {
  const TriangleMesh& mesh = *detector.body(feature.body).mesh;
  FeatureName name;
  name.body = feature.body.value;
  name.kind = feature.kind;
  switch (feature.kind) {
    case FeatureKind::vertex:
      name.index[0] = mesh.vertex_in_file(VertexId(feature.id));
      break;
    case FeatureKind::edge: {
      const Edge& edge = mesh.topology().edge(EdgeId(feature.id));
      name.index = {mesh.vertex_in_file(edge[0]), mesh.vertex_in_file(edge[1])};
      break;
    }
    case FeatureKind::face:
      name.index[0] = mesh.triangle_in_file(FaceId(feature.id));
      if (!mesh.origin().polygon_of_face.empty()) name.face = mesh.polygon_in_file(FaceId(feature.id));
      break;
    case FeatureKind::region:
      name.index[0] = feature.id;
      name.region = region_name(detector.region(feature.body, feature.id));
      break;
  }
  return name;
}

FeatureNames::FeatureNames(std::vector<MeshPtr> meshes) : meshes_(std::move(meshes)), part_vertices_(meshes_.size()) {}

FeatureName FeatureNames::of(const Feature& feature, const Detector& detector) const {
  FeatureName name = name_of(feature, detector);
  const bool has_parts = !meshes_[feature.body.index()]->origin().parts.empty();
  if (has_parts && feature.kind != FeatureKind::region) add_part(name, feature);
  return name;
}

void FeatureNames::add_part(FeatureName& name, const Feature& feature) const {
  const std::size_t body = feature.body.index();
  const TriangleMesh& mesh = *meshes_[body];
  const FaceId face = face_of(mesh, feature);
  if (!face.valid()) return;
  const auto part = part_of(mesh.origin().parts, face);
  if (!part) return;
  name.part = mesh.origin().parts[*part].name;
  if (feature.kind == FeatureKind::face) {
    name.local[0] = feature.id - mesh.origin().parts[*part].first_face;
  } else if (feature.kind == FeatureKind::vertex) {
    name.local[0] = local_vertex(body, *part, VertexId(feature.id));
  } else {
    const Edge& edge = mesh.topology().edge(EdgeId(feature.id));
    name.local = {local_vertex(body, *part, edge[0]), local_vertex(body, *part, edge[1])};
  }
}

std::uint32_t FeatureNames::local_vertex(std::size_t body, std::size_t part, VertexId vertex) const {
  PartVertices& vertices = part_vertices_[body];
  if (vertices.empty())
    for (const MeshPart& each : meshes_[body]->origin().parts) vertices.push_back(vertices_of(*meshes_[body], each));
  const std::vector<std::uint32_t>& own = vertices[part];
  return static_cast<std::uint32_t>(std::lower_bound(own.begin(), own.end(), vertex.value) - own.begin());
}

}  // namespace pliant
