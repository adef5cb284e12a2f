#include "web/wasm/contact_list.h"

#include "pliant/mesh/topology.h"

namespace pliant::web {

FaceId face_of(const Feature& feature, const TriangleMesh& mesh) {
  switch (feature.kind) {
    case FeatureKind::vertex:
      if (feature.id < mesh.vertex_count()) return mesh.topology().owner(VertexId(feature.id));
      break;
    case FeatureKind::edge:
      if (feature.id < mesh.topology().edges().size()) return mesh.topology().owner(EdgeId(feature.id));
      break;
    case FeatureKind::face:
      if (feature.id < mesh.face_count()) return FaceId(feature.id);
      break;
    case FeatureKind::region:
      break;
  }
  return {};
}

void ContactList::add(const Contact& contact, FaceId face_a, FaceId face_b) {
  ++count_;
  if (is_full()) return;
  time_.push_back(contact.time);
  add_point(point_, contact.point);
  add_point(normal_, contact.normal);
  depth_.push_back(static_cast<float>(contact.depth));
  kind_.push_back(static_cast<std::uint8_t>(contact.kind()));
  relation_.push_back(static_cast<std::uint8_t>(contact.relation));
  initial_.push_back(contact.initial ? 1 : 0);
  body_a_.push_back(contact.a.body.value);
  feature_a_.push_back(contact.a.id);
  body_b_.push_back(contact.b.body.value);
  feature_b_.push_back(contact.b.id);
  face_a_.push_back(face_a.value);
  face_b_.push_back(face_b.value);
}

void ContactList::add(const Contact& contact, FaceId face_a, FaceId face_b, const Vec3& force) {
  if (!is_full()) add_point(force_, force);
  add(contact, face_a, face_b);
}

void ContactList::write(Reply& reply) {
  const bool has_forces = !force_.empty();
  reply.json().begin_object().field("count", count_).field("listed", time_.size());
  reply.array("time", std::move(time_));
  reply.array("point", std::move(point_));
  reply.array("normal", std::move(normal_));
  reply.array("depth", std::move(depth_));
  reply.array("kind", std::move(kind_));
  reply.array("relation", std::move(relation_));
  reply.array("initial", std::move(initial_));
  reply.array("bodyA", std::move(body_a_));
  reply.array("featureA", std::move(feature_a_));
  reply.array("bodyB", std::move(body_b_));
  reply.array("featureB", std::move(feature_b_));
  reply.array("faceA", std::move(face_a_));
  reply.array("faceB", std::move(face_b_));
  if (has_forces) reply.array("force", std::move(force_));
  else reply.json().key("force").null();
  reply.json().end_object();
  *this = ContactList(limit_);
}

}  // namespace pliant::web
