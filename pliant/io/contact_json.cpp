#include "pliant/io/contact_json.h"

namespace pliant {
namespace {

void write_pair(JsonWriter& json, const char* key, const std::array<std::uint32_t, 2>& ends) {
  json.key(key).begin_array().value(ends[0]).value(ends[1]).end_array();
}

void write_region(JsonWriter& json, const FeatureName& name) {
  const RegionName region = name.region.value_or(RegionName{});
  json.key("region").begin_object().field("id", name.index[0]);
  json.field("centre", region.centre).field("radius", region.radius).field("triangles", region.triangles);
  json.end_object();
}

void write_feature(JsonWriter& json, const FeatureName& name) {
  json.begin_object().field("body", name.body);
  const bool is_edge = name.kind == FeatureKind::edge;
  if (name.kind == FeatureKind::region) write_region(json, name);
  else if (is_edge) write_pair(json, "edge", name.index);
  else json.field(name.kind == FeatureKind::vertex ? "vertex" : "triangle", name.index[0]);
  if (name.face) json.field("face", *name.face);
  if (!name.part.empty()) {
    json.field("part", name.part);
    if (is_edge) write_pair(json, "local", name.local);
    else json.field("local", name.local[0]);
  }
  json.end_object();
}

void write_contact(JsonWriter& json, const CheckedContact& checked, const FeatureName& a, const FeatureName& b) {
  const Contact& contact = checked.contact;
  json.begin_object();
  json.field("time", contact.time).field("kind", to_string(contact.kind()));
  json.field("relation", to_string(contact.relation)).field("initial", contact.initial);
  if (checked.from_start) json.field("from_start", true);
  if (checked.excused) json.field("excused", true);
  if (checked.continued) json.field("continued", true);
  json.key("a");
  write_feature(json, a);
  json.key("b");
  write_feature(json, b);
  if (contact.kind() != ContactKind::region_region)
    json.field("point", contact.point).field("normal", contact.normal).field("depth", contact.depth);
  json.end_object();
}

}  // namespace

void write_json(JsonWriter& json, const Contact& contact, const Detector& detector) {
  write_contact(json, {.contact = contact}, name_of(contact.a, detector), name_of(contact.b, detector));
}

void write_json(JsonWriter& json, const NamedContact& contact) {
  write_contact(json, contact.checked, contact.a, contact.b);
}

void write_json(JsonWriter& json, const Counters& counters) {
  json.begin_object();
  for (const auto& [name, count] : counters.all()) json.field(name, count);
  json.end_object();
}

}  // namespace pliant
