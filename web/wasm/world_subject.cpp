#include "web/wasm/world_subject.h"

#include <algorithm>
#include <cmath>

#include "pliant/core/error.h"
#include "pliant/io/decimal.h"
#include "pliant/world/run_health.h"
#include "pliant/world/world_state.h"
#include "web/wasm/contact_list.h"

namespace pliant::web {
namespace {

constexpr const char* kOutcomes[] = {"done", "out of budget", "diverged", "pinched"};
constexpr double kPullSeconds = 0.08;  // in which a grip would arrive, if nothing held the body
constexpr double kGripSize = 0.1;      // of the body: how far around a grip what is pulled along reaches
constexpr double kAlong = 0.2;   // how much the rest of the body comes along: a small grip alone could not lift it
constexpr double kFastest = 10;  // sizes of the body in a second

const char* material_of(const std::string& kind) {
  return kind == "fem" ? "elastic" : kind == "cloth" || kind == "pressure" ? kind.c_str() : "";
}

double size_of(std::span<const Vec3> points) {
  Vec3 least = points[0], most = points[0];
  for (const Vec3& p : points) {
    least = least.cwiseMin(p);
    most = most.cwiseMax(p);
  }
  return (most - least).maxCoeff();
}

// Contacts of one call of step().
class Touches : public WorldObserver {
 public:
  Touches(const World& world, bool listed) : world_(world), list_(listed ? kListed : 0) {}
  void piece(const World&, double) override {}
  void contact(const World&, const WorldContact& touch) override {
    Contact contact = touch.impact.contact;
    contact.time = touch.frame;
    list_.add(contact, face(contact.a), face(contact.b), touch.force);
  }
  void write(Reply& reply) { list_.write(reply); }

 private:
  // Penalty springs act between fine surfaces, where bodies have them.
  FaceId face(const Feature& feature) const {
    const DenseSurface& dense = world_.dense(feature.body);
    return face_of(feature, dense ? *dense.mesh : *world_.body(feature.body).mesh());
  }

  const World& world_;
  ContactList list_;
};

void write_counters(JsonWriter& json, const Counters& counters) {
  json.begin_object();
  for (const auto& [name, count] : counters.all()) json.field(name, count);
  json.end_object();
}

void write_report(JsonWriter& json, const FrameReport& report, const World& world) {
  json.begin_object().field("outcome", kOutcomes[static_cast<int>(report.outcome)]).field("message", report.message);
  json.key("bodies").begin_array();
  for (const BodyId body : report.bodies) json.value(body.value);
  json.end_array();
  json.field("frame", world.frame()).field("pieces", report.pieces).field("impacts", report.impacts);
  json.field("searches", report.searches).field("zones", report.zones).field("halvings", report.halvings);
  json.field("invertedElements", report.inverted_elements).field("method", world.method_in_use());
  json.key("milliseconds").begin_object();
  json.field("predict", 1e3 * report.seconds.predict).field("detect", 1e3 * report.seconds.detect);
  json.field("respond", 1e3 * report.seconds.respond).field("commit", 1e3 * report.seconds.commit).end_object();
  json.key("unproved").begin_object().field("searches", report.unproved_searches).key("counters");
  write_counters(json, report.unproved_counters);
  json.end_object().end_object();
}

}  // namespace

WorldSubject::WorldSubject(SceneDescription scene) : scene_(std::move(scene)), built_(build_world(scene_)) {
  remember_start();
  links_.resize(body_count());
  followers_.resize(body_count());
  for (std::size_t b = 0; b < body_count(); ++b) {
    if (!built_.dense[b]) continue;
    links_[b] = std::make_unique<RigidLinks>(built_.dense[b]->positions(), mesh(b)->positions());
    followers_[b] = std::make_unique<LinkFollower>(*links_[b]);
  }
}

std::vector<Vec3> WorldSubject::positions(std::size_t body, double) const {
  const auto x = built_.world.body(BodyId(body)).positions();
  return {x.begin(), x.end()};
}

bool WorldSubject::is_obstacle(std::size_t body) const {
  return built_.kinds[body] == "fixed" || built_.kinds[body] == "keyframed";
}

// As the world itself looks at them; in a replay all bodies are obstacles, and all pairs are of interest.
FilterPtr WorldSubject::pairs_to_look_at() const {
  if (scene_.replay) return nullptr;
  PairSet ignored;
  for (std::size_t a = 0; a < body_count(); ++a) {
    if (!scene_.bodies[a].self_collision || is_obstacle(a)) ignored.add(BodyId(a), BodyId(a));
    for (std::size_t b = a + 1; b < body_count(); ++b)
      if (is_obstacle(a) && is_obstacle(b)) ignored.add(BodyId(a), BodyId(b));
  }
  const auto number = [&](const std::string& name) {
    const auto found =
        std::find_if(scene_.bodies.begin(), scene_.bodies.end(), [&](const auto& body) { return body.name == name; });
    return BodyId(static_cast<std::size_t>(found - scene_.bodies.begin()));
  };
  for (const PairDescription& pair : scene_.pairs)
    if (pair.ignore) ignored.add(number(pair.a), number(pair.b));
  return all_but(std::move(ignored));
}

void WorldSubject::add_bodies(Look& look) const {
  for (std::size_t b = 0; b < body_count(); ++b)
    look.detector->add_body(mesh(b), Motion::at_rest(Frame::own(positions(b, 0))));
  look.detector->set_filter(pairs_to_look_at());
}

Interval WorldSubject::place_bodies(Look& look, double) const {
  if (look.placed && look.version == version_) return look.interval;
  Detector& detector = *look.detector;
  // One that has followed up to the start of this frame goes on from there.
  const bool follows = look.placed && look.version == started_at_;
  const double end = static_cast<double>(version_);
  look.interval = look.moving ? Interval{end - 1, end} : Interval::instant(end);
  for (std::size_t b = 0; b < body_count(); ++b) {
    if (stands(b)) continue;
    const auto x_t1 = built_.world.body(BodyId(b)).positions();
    if (!look.moving) detector.set_positions(BodyId(b), x_t1);
    else if (follows) look.interval = detector.advance(BodyId(b), x_t1);
    else detector.set_step(BodyId(b), x_t0_[b], x_t1, look.interval);
  }
  look.placed = true;
  look.version = version_;
  return look.interval;
}

void WorldSubject::write_opened(Reply& reply, int id) const {
  const World& world = built_.world;
  std::vector<BodyEntry> bodies;
  for (std::size_t b = 0; b < body_count(); ++b)
    bodies.push_back(
        {world.name(BodyId(b)), built_.kinds[b], material_of(built_.kinds[b]), !is_obstacle(b), built_.dense[b]});
  JsonWriter& json = reply.json();
  json.begin_object().field("kind", "world");
  write_subject(reply, id, scene_.name, *this, bodies, built_.notes);
  const WorldSettings& settings = world.settings();
  json.field("title", scene_.title).field("simulated", !scene_.replay).field("frames", scene_.frames);
  json.field("frameSeconds", settings.frame_seconds).field("method", settings.method);
  json.field("mode", settings.mode == Mode::paper ? "paper" : "safe");
  json.field("response", to_string(settings.response.kind)).field("separation", world.separation());
  json.key("unproved").begin_array();
  for (const World::UnprovedPair& pair : world.unproved_pairs())
    json.begin_object()
        .field("a", pair.a.value)
        .field("b", pair.b.value)
        .field("response", to_string(pair.response))
        .end_object();
  json.end_array().end_object();
}

void WorldSubject::remember_start() {
  x_t0_.resize(body_count());
  for (std::size_t b = 0; b < body_count(); ++b)
    if (x_t0_[b].empty() || !stands(b)) x_t0_[b] = positions(b, 0);
  started_at_ = version_;
}

void WorldSubject::step(const JsonValue& options, Reply& reply) {
  World& world = built_.world;
  if (world.frame() == std::floor(world.frame())) remember_start();
  pull();
  Touches touches(world, options.value("contacts", true));
  Budget budget;
  if (options.contains("budgetMs")) budget = Budget::within_seconds(1e-3 * options.at("budgetMs").get<double>());
  const FrameReport report = world.step(budget, &touches);
  ++version_;
  JsonWriter& json = reply.json();
  json.begin_object().key("report");
  write_report(json, report, world);
  json.key("positions").begin_array();
  for (std::size_t b = 0; b < body_count(); ++b) reply.array(as_floats(world.body(BodyId(b)).positions()));
  json.end_array();
  write_dense(reply);
  json.key("contacts");
  touches.write(reply);
  json.key("energies").begin_array();
  for (std::size_t b = 0; b < body_count(); ++b) {
    const BodyEnergy energy = is_obstacle(b) ? BodyEnergy{} : energy_of(world.body(BodyId(b)));
    json.begin_object().field("kinetic", energy.kinetic).field("elastic", energy.elastic);
    json.field("gravitational", energy.gravitational).end_object();
  }
  json.end_array().key("asleep").begin_array();
  for (std::size_t b = 0; b < body_count(); ++b) json.value(world.asleep(BodyId(b)));
  json.end_array();
  if (options.value("hash", false)) json.field("hash", state_hash());
  json.end_object();
}

void WorldSubject::write_dense(Reply& reply) {
  reply.json().key("dense").begin_array();
  for (std::size_t b = 0; b < body_count(); ++b) {
    if (followers_[b]) reply.array(as_floats(followers_[b]->follow(built_.world.body(BodyId(b)).positions())));
    else reply.json().null();
  }
  reply.json().end_array();
}

std::string WorldSubject::state_hash() const { return hexadecimal(hash_of(built_.world.snapshot())); }

void WorldSubject::drag(const JsonValue& pull) {
  if (pull.is_null()) {
    grip_.reset();
    return;
  }
  const BodyId body(body_of(*this, pull));
  const VertexId vertex(pull.at("vertex").get<std::uint32_t>());
  const std::string& name = built_.world.name(body);
  if (is_obstacle(body.index())) throw Error("'" + name + "' does not give way", "drag a body that is simulated");
  if (vertex.index() >= mesh(body.index())->vertex_count())
    throw Error("'" + name + "' has no vertex " + std::to_string(vertex.value));
  const Vec3 to = vector_of(pull.at("to"));
  if (!to.allFinite()) throw Error("a body is dragged to a point, and that has numbers");
  // The same grip, elsewhere: what it took hold of stays the same.
  if (grip_ && grip_->body == body && grip_->vertex == vertex) {
    grip_->to = to;
    return;
  }
  const double size = size_of(built_.world.body(body).positions());
  grip_ = Grip{body, vertex, to, weights_around(body, vertex, pull.value("radius", kGripSize * size))};
}

std::vector<double> WorldSubject::weights_around(BodyId body, VertexId vertex, double radius) const {
  const BodyModel& model = built_.world.body(body);
  const auto x = model.positions();
  std::vector<double> weights(x.size(), 0.0);
  for (std::size_t v = 0; v < x.size(); ++v) {
    const double away = (x[v] - x[vertex.index()]).squaredNorm() / std::max(radius * radius, 1e-300);
    if (model.moves_as_one() || v == vertex.index()) weights[v] = 1;
    else weights[v] = std::max(kAlong, away < 1 ? (1 - away) * (1 - away) : 0.0);
  }
  return weights;
}

// Velocities go towards what would take the grip to where it is wanted: a push that nothing can be pushed through by.
void WorldSubject::pull() {
  if (!grip_) return;
  wake(grip_->body);
  BodyModel& model = built_.world.body(grip_->body);
  const auto x = model.positions(), v = model.velocities();
  const auto masses = model.masses();
  Vec3 wanted = (grip_->to - x[grip_->vertex.index()]) / kPullSeconds;
  const double fastest = kFastest * size_of(x), speed = wanted.norm();
  if (speed > fastest) wanted *= fastest / speed;
  std::vector<Vec3> impulses(x.size(), Vec3::Zero());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (grip_->weights[i] > 0 && std::isfinite(masses[i]))
      impulses[i] = grip_->weights[i] * masses[i] * (wanted - v[i]);
  model.apply_impulses(impulses);
}

void WorldSubject::wake(BodyId body) {
  if (!built_.world.asleep(body)) return;
  WorldState state = built_.world.snapshot();
  std::fill(state.calm_seconds.begin(), state.calm_seconds.end(), 0.0);
  built_.world.restore(state);
}

}  // namespace pliant::web
