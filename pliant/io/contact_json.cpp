#include "pliant/io/contact_json.h"

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

void write_triangle(JsonWriter& json, const TriangleMesh& mesh, FaceId face) {
  json.field("triangle", mesh.triangle_in_file(face));
  if (!mesh.origin().polygon_of_face.empty()) json.field("face", mesh.polygon_in_file(face));
}

void write_region(JsonWriter& json, const Region& region, std::uint32_t id) {
  json.key("region").begin_object();
  json.field("id", id).field("centre", region.centre).field("radius", region.radius);
  json.field("triangles", region.faces.size()).end_object();
}

void write_feature(JsonWriter& json, const Feature& feature, const Detector& detector) {
  const TriangleMesh& mesh = *detector.body(feature.body).mesh;
  json.begin_object().field("body", feature.body.value);
  switch (feature.kind) {
    case FeatureKind::vertex:
      json.field("vertex", mesh.vertex_in_file(VertexId(feature.id)));
      break;
    case FeatureKind::face:
      write_triangle(json, mesh, FaceId(feature.id));
      break;
    case FeatureKind::edge: {
      const Edge& edge = mesh.topology().edge(EdgeId(feature.id));
      json.key("edge")
          .begin_array()
          .value(mesh.vertex_in_file(edge[0]))
          .value(mesh.vertex_in_file(edge[1]))
          .end_array();
      break;
    }
    case FeatureKind::region:
      write_region(json, detector.region(feature.body, feature.id), feature.id);
      break;
  }
  json.end_object();
}

}  // namespace

void write_json(JsonWriter& json, const Contact& contact, const Detector& detector) {
  json.begin_object();
  json.field("time", contact.time).field("kind", to_string(contact.kind()));
  json.field("relation", to_string(contact.relation)).field("initial", contact.initial);
  json.key("a");
  write_feature(json, contact.a, detector);
  json.key("b");
  write_feature(json, contact.b, detector);
  if (contact.kind() != ContactKind::region_region)
    json.field("point", contact.point).field("normal", contact.normal).field("depth", contact.depth);
  json.end_object();
}

void write_json(JsonWriter& json, const Counters& counters) {
  json.begin_object();
  for (const auto& [name, count] : counters.all()) json.field(name, count);
  json.end_object();
}

}  // namespace pliant
