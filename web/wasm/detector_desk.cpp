#include "web/wasm/detector_desk.h"

#include <limits>

#include "pliant/core/bit_cast.h"
#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"
#include "pliant/detect/overlay.h"
#include "pliant/detect/registry.h"
#include "pliant/io/decimal.h"
#include "web/wasm/contact_list.h"
#include "web/wasm/recall.h"
#include "web/wasm/settings.h"

namespace pliant::web {
namespace {

constexpr const char* kStops[] = {"none", "deadline", "operations", "cancelled", "memory", "sink"};

Budget budget_of(const JsonValue& question) {
  Budget budget;
  if (question.contains("budgetMs")) budget = Budget::within_seconds(1e-3 * question.at("budgetMs").get<double>());
  if (question.contains("operations"))
    budget = budget & Budget::operations(question.at("operations").get<std::uint64_t>());
  return budget;
}

struct Asked {
  Report report;
  double milliseconds = 0;
};
// Time runs from when the bodies are in place: what a program that has them anyway would pay.
Asked ask(Look& look, const Subject& subject, double time, const JsonValue& question) {
  const Interval interval = subject.place_bodies(look, time);
  const Stopwatch watch;
  Report report = look.detector->detect(interval, budget_of(question));
  return {std::move(report), 1e3 * watch.seconds()};
}

// FNV-1a over all bits of all contacts.
class BitHash {
 public:
  void add(std::uint64_t bits) {
    for (int shift = 0; shift < 64; shift += 8) hash_ = (hash_ ^ (bits >> shift & 255)) * 1099511628211ULL;
  }
  void add(double number) { add(pliant::bit_cast<std::uint64_t>(number)); }
  void add(const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis) add(v[axis]);
  }
  void add(const Feature& f) {
    add(std::uint64_t{f.body.value} << 32 | f.id);
    add(static_cast<std::uint64_t>(f.kind));
  }
  void add(const Contact& c) {
    add(c.time);
    add(c.a);
    add(c.b);
    for (int i = 0; i < 3; ++i) {
      add(c.wa[static_cast<std::size_t>(i)]);
      add(c.wb[static_cast<std::size_t>(i)]);
    }
    add(c.point);
    add(c.normal);
    add(c.depth);
    add(static_cast<std::uint64_t>(c.relation) << 1 | (c.initial ? 1 : 0));
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

std::string hash_of_contacts(const Report& report) {
  BitHash hash;
  for (const Contact& contact : report.contacts) hash.add(contact);
  hash.add(report.bound);
  return hexadecimal(hash.value());
}

void add_sphere(std::vector<float>& to, const Vec3& centre, double radius) {
  add_point(to, centre);
  to.push_back(static_cast<float>(radius));
}

// The boxes of the parts of a surface that stands at `x`.
std::vector<float> boxes_of(const Division& division, const TriangleMesh& mesh, std::span<const Vec3> x) {
  std::size_t regions = 0;
  for (const std::uint32_t r : division.region_of_face) regions = std::max<std::size_t>(regions, r + 1);
  constexpr float kFar = std::numeric_limits<float>::infinity();
  std::vector<float> boxes;
  for (std::size_t r = 0; r < regions; ++r)
    for (int i = 0; i < 6; ++i) boxes.push_back(i < 3 ? kFar : -kFar);
  for (std::size_t f = 0; f < division.region_of_face.size(); ++f)
    for (const VertexId v : mesh.triangles()[f])
      for (std::size_t axis = 0; axis < 3; ++axis) {
        float* box = boxes.data() + 6 * division.region_of_face[f] + axis;
        const auto at = static_cast<float>(x[v.index()][static_cast<int>(axis)]);
        box[0] = std::min(box[0], at);
        box[3] = std::max(box[3], at);
      }
  return boxes;
}

}  // namespace

Look DetectorDesk::make_look(std::string_view method, DetectorSettings settings) const {
  Look look;
  look.detector = make_detector(method, settings);
  subject_.add_bodies(look);
  return look;
}

DetectorDesk::DetectorDesk(const Subject& subject, const JsonValue& choice) : subject_(subject) {
  const MethodInfo& method = method_info(choice.at("method").text());
  DetectorSettings settings;
  settings.mode = choice.value("mode", std::string("safe")) == "paper" ? Mode::paper : Mode::safe;
  settings.self = choice.value("self", true);
  settings.min_separation = choice.value("minSeparation", 0.0);
  if (const JsonValue* chosen = choice.find("settings")) settings.method = settings_of(*chosen, method);
  look_ = make_look(method.name, settings);
  look_.moving = choice.value("moving", !method.still);
  if (look_.moving ? !method.moving : !method.still)
    throw Error("'" + std::string(method.name) + "' does not look at " + (look_.moving ? "motion" : "instants"));
}

void DetectorDesk::write_opened(Reply& reply, int id, int subject) const {
  reply.json()
      .begin_object()
      .field("id", id)
      .field("subject", subject)
      .field("method", look_.detector->info().name)
      .field("moving", look_.moving)
      .end_object();
}

std::size_t DetectorDesk::write_contacts(const Report& report, std::size_t limit, Reply& reply) const {
  ContactList list(limit);
  const auto face = [&](const Feature& feature) { return face_of(feature, *subject_.mesh(feature.body.index())); };
  for (const Contact& contact : report.contacts)
    if (!is_regions(contact)) list.add(contact, face(contact.a), face(contact.b));
  list.write(reply);
  return list.count();
}

// The cut of methods that are made to be interrupted; otherwise what the method knows of its regions.
void DetectorDesk::write_regions(const Report& report, std::size_t limit, Reply& reply) const {
  std::size_t count = 0;
  std::vector<std::uint32_t> body_a, body_b;
  std::vector<float> sphere_a, sphere_b, bound;
  std::vector<std::uint8_t> leaf;
  for (const Contact& contact : report.contacts) {
    if (!is_regions(contact)) continue;
    const UnresolvedPair* pair = count < report.cut.size() ? &report.cut[count] : nullptr;
    if (count++ >= limit) continue;
    body_a.push_back(contact.a.body.value);
    body_b.push_back(contact.b.body.value);
    if (pair) {
      add_sphere(sphere_a, pair->sphere_a.centre, pair->sphere_a.radius);
      add_sphere(sphere_b, pair->sphere_b.centre, pair->sphere_b.radius);
    } else {
      const Region a = look_.detector->region(contact.a.body, contact.a.id);
      const Region b = look_.detector->region(contact.b.body, contact.b.id);
      add_sphere(sphere_a, a.centre, a.radius);
      add_sphere(sphere_b, b.centre, b.radius);
    }
    bound.push_back(pair ? static_cast<float>(pair->bound) : std::numeric_limits<float>::quiet_NaN());
    leaf.push_back(pair && pair->leaves ? 1 : 0);
  }
  reply.json().begin_object().field("count", count).field("listed", leaf.size());
  reply.array("bodyA", std::move(body_a));
  reply.array("bodyB", std::move(body_b));
  reply.array("sphereA", std::move(sphere_a));
  reply.array("sphereB", std::move(sphere_b));
  reply.array("bound", std::move(bound));
  reply.array("leaf", std::move(leaf));
  reply.json().end_object();
}

void DetectorDesk::write_division(Reply& reply, double time) const {
  reply.json().begin_array();
  for (std::size_t b = 0; b < subject_.body_count(); ++b) {
    const Division division = look_.detector->division(BodyId(b));
    if (division.region_of_face.empty()) {
      reply.json().null();
      continue;
    }
    std::vector<std::uint32_t> particles;
    for (const VertexId v : division.particles) particles.push_back(v.value);
    reply.json().begin_object();
    reply.array("regionOfFace", division.region_of_face);
    reply.array("boxes", boxes_of(division, *subject_.mesh(b), subject_.positions(b, time)));
    reply.array("particles", std::move(particles));
    reply.json().end_object();
  }
  reply.json().end_array();
}

void DetectorDesk::write_overlay(const Report& report, Reply& reply) const {
  const detail::Overlay overlay = detail::overlay_of(*look_.detector, report);
  const std::vector<BodyId> bodies = look_.detector->body_ids();
  reply.json().begin_object();
  reply.array("boxes", detail::flat_boxes(overlay, bodies));
  reply.array("spheres", detail::flat_spheres(overlay, bodies));
  reply.array("lines", detail::flat_lines(overlay, bodies));
  reply.json().key("surfaces").begin_array();
  for (const detail::Overlay::Surface& surface : overlay.surfaces()) {
    std::vector<std::uint32_t> particles;
    for (const VertexId v : surface.particles)
      if (v.valid()) particles.push_back(v.value);
    reply.json().begin_object().field("body", surface.body.value);
    reply.array("regionOfFace", surface.region_of_face);
    reply.array("particles", std::move(particles));
    reply.json().end_object();
  }
  reply.json().end_array().field("leftOut", overlay.left_out()).end_object();
}

void DetectorDesk::write_oracle(const Report& report, double time, std::size_t limit, Reply& reply) {
  if (!oracle_.detector) {
    const DetectorSettings& own = look_.detector->settings();
    oracle_ = make_look(look_.moving ? "swept-bvh" : "bvh", {.self = own.self, .min_separation = own.min_separation});
    oracle_.moving = look_.moving;
  }
  const Asked exact = ask(oracle_, subject_, time, JsonValue());
  const Recall recall = recall_of(*look_.detector, report, exact.report);
  const std::size_t all = exact.report.contacts.size();
  reply.json().begin_object().field("method", oracle_.detector->info().name).field("contacts", all);
  reply.json().field("milliseconds", exact.milliseconds).field("found", recall.found);
  reply.json().field("recall", all == 0 ? 1.0 : static_cast<double>(recall.found) / static_cast<double>(all));
  reply.json().field("extra", recall.extra).key("missed");
  Report missed;
  for (const Contact* contact : recall.missed) missed.contacts.push_back(*contact);
  write_contacts(missed, limit, reply);
  reply.json().end_object();
}

void DetectorDesk::detect(const JsonValue& question, Reply& reply) {
  const double time = question.value("time", 0.0);
  const std::size_t limit = question.value("limit", kListed);
  Detail detail;
  detail.size = question.value("size", 0.0);
  look_.detector->set_detail(detail);
  const Asked asked = ask(look_, subject_, time, question);
  const Report& report = asked.report;
  JsonWriter& json = reply.json();
  json.begin_object().field("guarantee", to_string(report.guarantee)).field("complete", report.complete);
  json.field("stoppedBy", kStops[static_cast<int>(report.stopped_by)]).field("bound", report.bound);
  json.field("milliseconds", asked.milliseconds).key("contacts");
  write_contacts(report, limit, reply);
  json.key("regions");
  write_regions(report, limit, reply);
  json.key("counters").begin_object();
  for (const auto& [name, count] : report.counters.all()) json.field(name, count);
  json.end_object().key("division");
  if (question.value("division", false)) write_division(reply, time);
  else json.null();
  json.key("overlay");
  if (question.value("overlay", false)) write_overlay(report, reply);
  else json.null();
  json.key("oracle");
  if (question.value("oracle", false)) write_oracle(report, time, limit, reply);
  else json.null();
  if (question.value("hash", false)) json.field("hash", hash_of_contacts(report));
  json.end_object();
}

}  // namespace pliant::web
