#include "pliant/io/check_json.h"

#include "pliant/io/contact_json.h"

namespace pliant {
namespace {

void write_bodies(JsonWriter& json, const CheckReport& report) {
  json.new_line().key("bodies").begin_array();
  for (const CheckedBody& body : report.bodies) {
    json.begin_object().field("name", body.name);
    json.field("vertices", body.vertices).field("triangles", body.triangles);
    json.key("defects").begin_object();
    for (const auto& [name, count] : body.defects) json.field(name, count);
    json.end_object().end_object();
  }
  json.end_array();
}

void write_optional(JsonWriter& json, const char* key, const std::optional<double>& number) {
  json.key(key);
  if (number) json.value(*number);
  else json.null();
}

void write_optional(JsonWriter& json, const char* key, const std::optional<NamedContact>& contact) {
  json.new_line().key(key);
  if (contact) write_json(json, *contact);
  else json.null();
}

void write_pair(JsonWriter& json, const PairTally& pair, bool moves) {
  const auto of_relation = [&pair](Relation relation) { return pair.by_relation[static_cast<std::size_t>(relation)]; };
  json.new_line().begin_object().field("a", pair.a).field("b", pair.b).field("contacts", pair.contacts);
  for (const Relation relation : {Relation::touching, Relation::crossing, Relation::coplanar, Relation::near})
    json.field(to_string(relation), of_relation(relation));
  json.field("possible", pair.possible).field("continued", pair.continued);
  json.field("from_start", pair.from_start).field("excused", pair.excused);
  write_optional(json, "first_time", pair.first_time);
  json.field("frames_affected", pair.frames_affected).key("ranges").begin_array();
  for (const FrameRange& range : pair.ranges) json.begin_array().value(range[0]).value(range[1]).end_array();
  json.end_array().field("initial", pair.initial).field("near_at_start", pair.near_at_start);
  if (moves) json.field("longest_curve", pair.longest_curve).field("longest_curve_time", pair.longest_curve_time);
  write_optional(json, "penetration", pair.penetration);
  json.key("inside");
  if (pair.inside == Inside::neither) json.null();
  else json.value(pair.inside == Inside::a_in_b ? "a" : "b");
  json.end_object();
}

}  // namespace

CheckJson::CheckJson(JsonWriter::Output output, std::uint64_t limit) : json_(std::move(output)), limit_(limit) {}

void CheckJson::begin(const CheckReport& asked, std::span<const CheckBody> bodies) {
  names_ = FeatureNames(meshes_of(bodies));
  begin(asked);
}

void CheckJson::begin(const CheckReport& asked) {
  json_.begin_object().field("schema", "pliant.check/2").field("method", asked.method);
  json_.field("mode", asked.mode == Mode::paper ? "paper" : "safe");
  json_.field("moves", asked.moves).field("continuous", asked.continuous).field("frames", asked.frames);
  json_.field("allow_initial", asked.allow_initial).field("earliest", asked.earliest);
  json_.field("min_separation", asked.min_separation);
  write_optional(json_, "search_budget", asked.search_seconds);
  json_.field("scene_size", asked.scene_size);
  write_bodies(json_, asked);
  json_.new_line().key("contacts").begin_array();
}

Flow CheckJson::contact(const CheckedContact& contact, const Detector& detector) {
  if (listed_ >= limit_) return Flow::go_on;  // before names are made
  add({contact, names_.of(contact.contact.a, detector), names_.of(contact.contact.b, detector)});
  return Flow::go_on;
}

void CheckJson::add(const NamedContact& contact) {
  if (listed_ >= limit_) return;
  ++listed_;
  json_.new_line();
  write_json(json_, contact);
}

void CheckJson::write_pairs(const CheckReport& report) {
  json_.new_line().key("pairs").begin_array();
  for (const PairTally& pair : report.pairs) write_pair(json_, pair, report.moves);
  json_.end_array().new_line().key("per_frame").begin_array();
  for (const FrameTally& frame : report.per_frame)
    json_.begin_array().value(frame.frame).value(frame.contacts).end_array();
  json_.end_array();
}

void CheckJson::write_summary(const CheckReport& report) {
  json_.new_line().field("verdict", to_string(report.verdict)).field("collides", report.verdict == Verdict::collides);
  json_.field("guarantee", to_string(report.guarantee)).field("complete", report.complete);
  json_.field("stopped_by", to_string(report.stopped_by)).field("bound", report.bound);
  write_optional(json_, "first_time", report.first_time());
  json_.new_line().field("contact_count", report.contacts).field("continued_count", report.continued);
  json_.field("from_start_count", report.from_start).field("excused_count", report.excused);
  json_.field("possible_count", report.possible).field("listed_count", listed_);
  write_optional(json_, "first", report.first);
  write_optional(json_, "first_new", report.first_new);
}

void CheckJson::finish(const CheckReport& report, const CheckSeconds& seconds) {
  json_.end_array();
  write_pairs(report);
  write_summary(report);
  json_.new_line().key("notes").begin_array();
  for (const std::string& note : report.notes) json_.value(note);
  json_.end_array().new_line().key("counters").begin_object();
  for (const auto& [name, count] : report.counters) json_.field(name, count);
  json_.end_object().key("seconds").begin_object();
  for (const auto& [name, passed] : seconds) json_.field(name, passed);
  json_.end_object().end_object().new_line();
  json_.flush();
}

void write_check_json(const JsonWriter::Output& output, const CheckDocument& document) {
  CheckJson json(output);
  json.begin(document.report);
  for (const NamedContact& contact : document.contacts) json.add(contact);
  json.finish(document.report, document.seconds);
}

}  // namespace pliant
