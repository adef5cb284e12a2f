#include <limits>

#include "pliant/core/error.h"
#include "pliant/io/check_json.h"
#include "pliant/io/json_value.h"

namespace pliant {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One of the words that `to_string` gives.
template <class Enum>
Enum word(const JsonValue& json, std::initializer_list<Enum> all) {
  const std::string& text = json.text();
  for (const Enum each : all)
    if (text == to_string(each)) return each;
  throw Error("'" + text + "' is not one of the words that stand there");
}

// The members of an object, in their order.
template <class Number>
std::vector<std::pair<std::string, Number>> named_numbers(const JsonValue& json) {
  std::vector<std::pair<std::string, Number>> numbers;
  for (std::size_t i = 0; i < json.size(); ++i) numbers.emplace_back(json.names()[i], json.begin()[i].get<Number>());
  return numbers;
}

std::optional<double> optional_number(const JsonValue& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Vec3 point(const JsonValue& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

std::array<std::uint32_t, 2> ends(const JsonValue& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>()};
}

FeatureName read_region(const JsonValue& json) {
  FeatureName name;
  name.kind = FeatureKind::region;
  name.index[0] = json.at("id").get<std::uint32_t>();
  name.region =
      RegionName{point(json.at("centre")), json.at("radius").get<double>(), json.at("triangles").get<std::uint64_t>()};
  return name;
}

FeatureName read_indices(const JsonValue& json) {
  FeatureName name;
  if (json.contains("region")) return read_region(json.at("region"));
  if (json.contains("edge")) {
    name.kind = FeatureKind::edge;
    name.index = ends(json.at("edge"));
  } else {
    name.kind = json.contains("vertex") ? FeatureKind::vertex : FeatureKind::face;
    name.index[0] = json.at(name.kind == FeatureKind::vertex ? "vertex" : "triangle").get<std::uint32_t>();
  }
  return name;
}

FeatureName read_feature(const JsonValue& json) {
  FeatureName name = read_indices(json);
  name.body = json.at("body").get<std::uint32_t>();
  if (json.contains("face")) name.face = json.at("face").get<std::uint32_t>();
  if (!json.contains("part")) return name;
  name.part = json.at("part").get<std::string>();
  if (name.kind == FeatureKind::edge) name.local = ends(json.at("local"));
  else name.local[0] = json.at("local").get<std::uint32_t>();
  return name;
}

Feature feature_of(const FeatureName& name) { return {BodyId(name.body), name.kind, name.index[0]}; }

NamedContact read_contact(const JsonValue& json) {
  NamedContact named;
  named.a = read_feature(json.at("a"));
  named.b = read_feature(json.at("b"));
  CheckedContact& checked = named.checked;
  checked.from_start = json.value("from_start", false);
  checked.excused = json.value("excused", false);
  checked.continued = json.value("continued", false);
  Contact& contact = checked.contact;
  contact.time = json.at("time").get<double>();
  contact.relation = word(json.at("relation"), {Relation::none, Relation::touching, Relation::crossing,
                                                Relation::coplanar, Relation::possible, Relation::near});
  contact.initial = json.at("initial").get<bool>();
  contact.a = feature_of(named.a);
  contact.b = feature_of(named.b);
  if (contact.kind() == ContactKind::region_region) return named;
  contact.point = point(json.at("point"));
  contact.normal = point(json.at("normal"));
  contact.depth = json.at("depth").get<double>();
  return named;
}

std::optional<NamedContact> read_optional_contact(const JsonValue& json) {
  return json.is_null() ? std::nullopt : std::optional(read_contact(json));
}

PairTally read_pair(const JsonValue& json) {
  PairTally pair;
  pair.a = json.at("a").get<std::uint32_t>();
  pair.b = json.at("b").get<std::uint32_t>();
  pair.contacts = json.at("contacts").get<std::uint64_t>();
  for (const Relation relation :
       {Relation::touching, Relation::crossing, Relation::coplanar, Relation::near, Relation::possible})
    pair.by_relation[static_cast<std::size_t>(relation)] = json.at(to_string(relation)).get<std::uint64_t>();
  pair.possible = json.at("possible").get<std::uint64_t>();
  pair.continued = json.at("continued").get<std::uint64_t>();
  pair.from_start = json.at("from_start").get<std::uint64_t>();
  pair.excused = json.at("excused").get<std::uint64_t>();
  pair.first_time = optional_number(json.at("first_time"));
  pair.frames_affected = json.at("frames_affected").get<std::uint64_t>();
  for (const JsonValue& range : json.at("ranges"))
    pair.ranges.push_back({range.at(0).get<double>(), range.at(1).get<double>()});
  pair.initial = json.at("initial").get<bool>();
  pair.near_at_start = json.at("near_at_start").get<bool>();
  pair.longest_curve = json.value("longest_curve", 0.0);
  pair.longest_curve_time = json.value("longest_curve_time", 0.0);
  pair.penetration = optional_number(json.at("penetration"));
  const JsonValue& inside = json.at("inside");
  if (!inside.is_null()) pair.inside = inside.get<std::string>() == "a" ? Inside::a_in_b : Inside::b_in_a;
  return pair;
}

CheckedBody read_body(const JsonValue& json) {
  CheckedBody body;
  body.name = json.at("name").get<std::string>();
  body.vertices = json.at("vertices").get<std::size_t>();
  body.triangles = json.at("triangles").get<std::size_t>();
  body.defects = named_numbers<std::size_t>(json.at("defects"));
  return body;
}

void read_asked(const JsonValue& json, CheckReport& report) {
  report.method = json.at("method").get<std::string>();
  report.mode = json.at("mode").get<std::string>() == "paper" ? Mode::paper : Mode::safe;
  report.moves = json.at("moves").get<bool>();
  report.continuous = json.at("continuous").get<bool>();
  report.frames = json.at("frames").get<std::size_t>();
  report.allow_initial = json.at("allow_initial").get<bool>();
  report.earliest = json.at("earliest").get<bool>();
  report.min_separation = json.at("min_separation").get<double>();
  if (json.contains("search_budget")) report.search_seconds = optional_number(json.at("search_budget"));
  if (json.contains("scene_size")) report.scene_size = json.at("scene_size").get<double>();
  for (const JsonValue& body : json.at("bodies")) report.bodies.push_back(read_body(body));
}

void read_findings(const JsonValue& json, CheckReport& report) {
  for (const JsonValue& pair : json.at("pairs")) report.pairs.push_back(read_pair(pair));
  for (const JsonValue& frame : json.at("per_frame"))
    report.per_frame.push_back({frame.at(0).get<double>(), frame.at(1).get<std::uint64_t>()});
  report.contacts = json.at("contact_count").get<std::uint64_t>();
  report.continued = json.at("continued_count").get<std::uint64_t>();
  report.from_start = json.at("from_start_count").get<std::uint64_t>();
  report.excused = json.at("excused_count").get<std::uint64_t>();
  report.possible = json.at("possible_count").get<std::uint64_t>();
  report.listed = json.at("listed_count").get<std::uint64_t>();
  report.first = read_optional_contact(json.at("first"));
  report.first_new = read_optional_contact(json.at("first_new"));
}

void read_reach(const JsonValue& json, CheckReport& report) {
  report.verdict = word(json.at("verdict"), {Verdict::clean, Verdict::collides, Verdict::not_known});
  report.guarantee =
      word(json.at("guarantee"), {Guarantee::none, Guarantee::statistical, Guarantee::conservative, Guarantee::exact});
  report.complete = json.at("complete").get<bool>();
  report.stopped_by = word(json.at("stopped_by"), {StopReason::none, StopReason::deadline, StopReason::operations,
                                                   StopReason::cancelled, StopReason::memory, StopReason::sink});
  report.bound = optional_number(json.at("bound")).value_or(kInfinity);
  report.counters = named_numbers<std::uint64_t>(json.at("counters"));
  for (const JsonValue& note : json.at("notes")) report.notes.push_back(note.get<std::string>());
}

CheckDocument read_document(const JsonValue& json) {
  const std::string schema = json.at("schema").get<std::string>();
  if (schema != "pliant.check/2") throw Error("its schema is '" + schema + "', not pliant.check/2");
  CheckDocument document;
  read_asked(json, document.report);
  for (const JsonValue& contact : json.at("contacts")) document.contacts.push_back(read_contact(contact));
  read_findings(json, document.report);
  read_reach(json, document.report);
  document.seconds = named_numbers<double>(json.at("seconds"));
  return document;
}

}  // namespace

CheckDocument read_check_json(std::string_view text, const std::string& file) {
  const std::string remedy = "give a report of `pliant check --json`";
  try {
    return read_document(JsonValue::parse(text));
  } catch (const JsonError& error) {
    throw Error(ErrorPlace{.file = file}, std::string("is not a report of a check: ") + error.what(), remedy);
  } catch (const Error& error) {
    throw Error(ErrorPlace{.file = file}, "is not a report of a check: " + error.problem(), remedy);
  }
}

}  // namespace pliant
