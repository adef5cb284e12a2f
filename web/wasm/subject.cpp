#include "web/wasm/subject.h"

#include "pliant/core/error.h"

namespace pliant::web {
namespace {

void write_body(Reply& reply, const Subject& subject, std::size_t body, const BodyEntry& entry) {
  const TriangleMesh& mesh = *subject.mesh(body);
  JsonWriter& json = reply.json();
  json.begin_object().field("name", entry.name).field("kind", entry.kind);
  if (entry.material.empty()) json.key("material").null();
  else json.field("material", entry.material);
  json.field("gives", entry.gives).field("vertices", mesh.vertex_count());
  reply.array("triangles", corners_of(mesh));
  reply.array("positions", as_floats(subject.positions(body, 0)));
  json.key("dense");
  if (!entry.dense) {
    json.null().end_object();
    return;
  }
  json.begin_object();
  reply.array("triangles", corners_of(*entry.dense));
  reply.array("positions", as_floats(entry.dense->positions()));
  json.end_object().end_object();
}

}  // namespace

std::vector<std::uint32_t> corners_of(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> corners;
  corners.reserve(3 * mesh.face_count());
  for (const Triangle& t : mesh.triangles())
    for (const VertexId v : t) corners.push_back(v.value);
  return corners;
}

void write_subject(Reply& reply, int id, const std::string& name, const Subject& subject,
                   const std::vector<BodyEntry>& bodies, const std::vector<std::string>& notes) {
  reply.json().field("id", id).field("name", name);
  reply.json().key("bodies").begin_array();
  for (std::size_t b = 0; b < bodies.size(); ++b) write_body(reply, subject, b, bodies[b]);
  reply.json().end_array();
  reply.strings("notes", notes);
}

std::size_t body_of(const Subject& subject, const JsonValue& request) {
  const auto body = request.at("body").get<std::size_t>();
  if (body >= subject.body_count()) throw Error("there is no body " + std::to_string(body));
  return body;
}

std::string_view bytes_of(const JsonValue& file) {
  return {reinterpret_cast<const char*>(file.at("at").get<std::size_t>()), file.at("size").get<std::size_t>()};
}

Vec3 vector_of(const JsonValue& value) {
  if (value.size() != 3) throw Error("a vector has three numbers");
  return {value.at(0), value.at(1), value.at(2)};
}

}  // namespace pliant::web
