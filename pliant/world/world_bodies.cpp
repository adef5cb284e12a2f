#include "pliant/world/world_bodies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/topology.h"
#include "pliant/motion/embedding.h"
#include "pliant/world/step_search.h"

namespace pliant {
namespace {

// The longest row of short steps in one step.
constexpr double kMostContactSteps = 1e5;

double mean_edge(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Edge& e : mesh.topology().edges()) sum += (mesh.position(e[0]) - mesh.position(e[1])).norm();
  return sum / static_cast<double>(std::max<std::size_t>(1, mesh.topology().edges().size()));
}

void require_valid(const WorldSettings& s) {
  if (!(s.frame_seconds > 0) || !std::isfinite(s.frame_seconds))
    throw Error("a frame of " + std::to_string(s.frame_seconds) + " s", "frames must be positive and finite");
  if (s.substeps < 1) throw Error("a frame without a step", "substeps must be 1 or more");
  if (!(s.separation >= 0) || !std::isfinite(s.separation))
    throw Error("a separation of " + std::to_string(s.separation) + " m", "give a positive length, or 0 for a default");
  if (!(s.contact_seconds > 0)) throw Error("contact steps of no length", "contact_seconds must be positive");
  if (s.frame_seconds / s.substeps / s.contact_seconds > kMostContactSteps)
    throw Error("contact steps of " + std::to_string(s.contact_seconds * 1e9) + " ns",
                "more than 100,000 in a step never end: make them longer");
  if (s.mode == Mode::paper && s.response.kind == ResponseKind::proof)
    throw Error("methods as published prove nothing", "choose the response penalty or pull-back, or safe mode");
  if (s.halvings < 0) throw Error("less than no halvings", "halvings must be 0 or more");
  for (const auto& [name, chosen] : s.method_settings) check_settings(method_info(name), chosen);
}

// A world whose contacts need no proof has no use for the methods that "auto" chooses from.
PairRule rule_of(const WorldSettings& settings) {
  const bool is_proved = settings.response.kind == ResponseKind::proof;
  const std::string usual = settings.response.kind == ResponseKind::pull_back ? "subdivided-boxes" : "bvh";
  PairRule rule{!is_proved && settings.method == "auto" ? usual : settings.method, settings.response};
  require_fits(rule);
  return rule;
}

void require_fits(const WorldBodySettings& settings, const BodyModel& model) {
  const auto& [mesh, links] = settings.dense;
  if (!mesh && !links) return;
  if (!mesh || !links || links->dense_count() != mesh->vertex_count() ||
      links->coarse_count() != model.mesh()->vertex_count())
    throw Error("the dense surface of " + settings.name + " does not hang on its body",
                "link its vertices to those of the body's mesh: RigidLinks(dense, coarse)");
}

Frame committed(const BodyModel& model) { return Frame::own({model.positions().begin(), model.positions().end()}); }

}  // namespace

WorldBodies::WorldBodies(const WorldSettings& settings) : settings_(settings) {
  require_valid(settings);
  rules_.push_back(rule_of(settings));
}

void WorldBodies::require_not_begun(const char* what, const char* remedy) const {
  if (separation_ > 0) throw Error(std::string(what) + " in a world that has begun", remedy);
}

BodyId WorldBodies::add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings) {
  require_not_begun("a body was added", "add all bodies before the first step");
  if (!model) throw Error("a body needs a model, and there is none", "give a cloth, a fem body, an obstacle, ...");
  if (!settings.surface.valid())
    throw Error("the surface of " + settings.name + " is out of range",
                "friction must be 0 or more, restitution between 0 and 1");
  require_fits(settings, *model);
  const BodyId id(bodies_.size());
  WorldBody body{.model = std::move(model), .settings = settings, .obstacle = true};
  const TriangleMesh& mesh = *body.model->mesh();
  body.has_outside = mesh.face_count() > 0 && mesh.topology().boundary_edge_count() == 0;
  if (body.settings.name.empty()) body.settings.name = "body " + std::to_string(id.value);
  for (const double mass : body.model->masses()) {
    body.obstacle = body.obstacle && std::isinf(mass);
    body.pinned = body.pinned || std::isinf(mass);
  }
  body.positions = committed(*body.model);
  bodies_.push_back(std::move(body));
  if (needs_proof_with_itself(bodies_.back())) {
    ResponseSettings proof = settings_.response;
    proof.kind = ResponseKind::proof;
    assigned_[{id, id}] = number_of({"swept-bvh", proof});
  }
  return id;
}

// Pulling back needs an inside: an open surface has none, and once two layers of it have passed each other nothing says
// on which side they belong, so that pulls crumple it.
bool WorldBodies::needs_proof_with_itself(const WorldBody& body) const {
  return rules_[0].response.kind == ResponseKind::pull_back && body.settings.self_collision && !body.obstacle &&
         body.model->mesh()->topology().boundary_edge_count() > 0;
}

void WorldBodies::assign(BodyId a, BodyId b, std::uint8_t rule) {
  at(a);
  at(b);
  require_not_begun("a pair was changed", "do it before the first step");
  assigned_[std::minmax(a, b)] = rule;
}

void WorldBodies::set_method(BodyId a, BodyId b, const std::string& method) {
  assign(a, b, number_of({method, settings_.response}));
}

void WorldBodies::set_response(BodyId a, BodyId b, const ResponseSettings& response, const std::string& method) {
  PairRule rule{method, response};
  if (method.empty()) {
    const bool is_same_kind =
        (response.kind == ResponseKind::proof) == (rules_[0].response.kind == ResponseKind::proof);
    rule.method = is_same_kind ? rules_[0].method : response.kind == ResponseKind::proof ? "swept-bvh" : "bvh";
  }
  assign(a, b, number_of(rule));
}

std::uint8_t WorldBodies::number_of(const PairRule& rule) {
  require_fits(rule);
  const auto found = std::find(rules_.begin(), rules_.end(), rule);
  if (found != rules_.end()) return static_cast<std::uint8_t>(found - rules_.begin());
  if (rule.method == "auto") throw Error("auto is a choice for the whole world", "name a method for this pair");
  if (rules_.size() == PairTable::kNone) throw Error("more than 254 different rules for pairs", "use fewer");
  rules_.push_back(rule);
  return static_cast<std::uint8_t>(rules_.size() - 1);
}

std::vector<World::UnprovedPair> WorldBodies::unproved_pairs() const {
  std::vector<World::UnprovedPair> unproved;
  const PairTable table = pairs();
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const std::uint8_t rule = table(BodyId(j), BodyId(i));
      if (rule != PairTable::kNone && rules_[rule].response.kind != ResponseKind::proof)
        unproved.push_back({BodyId(j), BodyId(i), rules_[rule].response.kind});
    }
  return unproved;
}

void WorldBodies::follow(BodyId body, std::vector<VertexId> pins, BodyId leader) {
  const WorldBody &one = at(body), &other = at(leader);
  require_not_begun("pins were tied", "do it before the first step");
  if (!other.obstacle || other.model->mesh()->face_count() == 0)
    throw Error(other.settings.name + " leads no pins", "pins follow obstacles with faces: keyframed or fixed bodies");
  std::sort(pins.begin(), pins.end());
  pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
  for (const VertexId pin : pins)
    if (pin.index() >= one.model->masses().size() || !std::isinf(one.model->masses()[pin.index()]))
      throw Error(ErrorPlace{.element = "vertex " + std::to_string(pin.value)},
                  "of " + one.settings.name + " is not pinned", "pin it first: only pins can follow");
  const Following following{body, leader, std::move(pins)};
  seams_ = std::move(seams_) & all_but_the_seam(following, *one.model->mesh());
  following_.emplace_back(following, one.positions.positions(), other.model->mesh(), other.positions.positions());
}

void WorldBodies::set_filter(std::shared_ptr<const ContactFilter> filter) {
  require_not_begun("a filter was set", "do it before the first step");
  filter_ = std::move(filter);
}

void WorldBodies::begin() { separation_ = separation(); }

const WorldBody& WorldBodies::at(BodyId body) const {
  if (body.index() >= bodies_.size())
    throw Error(ErrorPlace{.element = body.valid() ? "body " + std::to_string(body.value) : "no body"},
                "the world has no such body", "use an id that add() gave");
  return bodies_[body.index()];
}

std::vector<MeshPtr> WorldBodies::meshes() const {
  std::vector<MeshPtr> meshes;
  for (const WorldBody& body : bodies_) meshes.push_back(body.model->mesh());
  return meshes;
}

std::vector<DenseSurface> WorldBodies::dense() const {
  std::vector<DenseSurface> dense;
  for (const WorldBody& body : bodies_) dense.push_back(body.settings.dense);
  return dense;
}

PairTable WorldBodies::pairs() const {
  PairTable table(bodies_.size());
  for (const auto& [pair, rule] : assigned_) table.set(pair.first, pair.second, rule);
  for (std::size_t i = 0; filter_ && i < bodies_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (!filter_->bodies(BodyId(j), BodyId(i))) table.set(BodyId(j), BodyId(i), PairTable::kNone);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyId a(i);
    if (!bodies_[i].settings.self_collision) table.set(a, a, PairTable::kNone);
    if (!bodies_[i].obstacle) continue;
    for (std::size_t j = 0; j < bodies_.size(); ++j)
      if (bodies_[j].obstacle) table.set(a, BodyId(j), PairTable::kNone);
  }
  return table;
}

double WorldBodies::separation() const {
  if (separation_ > 0) return separation_;
  if (settings_.separation > 0) return settings_.separation;
  double shortest = std::numeric_limits<double>::infinity();
  for (const WorldBody& body : bodies_)
    if (!body.obstacle) shortest = std::min(shortest, mean_edge(*body.model->mesh()));
  return std::isfinite(shortest) && shortest > 0 ? shortest / 20 : 1e-3;
}

// ---- the start ----

std::vector<PlacedBody> WorldBodies::placed() const {
  std::vector<PlacedBody> placed;
  for (const WorldBody& body : bodies_) {
    double mass = 0;
    for (const double m : body.model->masses()) mass += m;
    placed.push_back({body.model->mesh(), body.positions, mass});
  }
  return placed;
}

std::vector<StartOverlap> WorldBodies::overlaps() const {
  return find_overlaps(placed(), pairs(), {settings_.threads, filter()});
}

void WorldBodies::shift(BodyId body, const Vec3& by) {
  WorldBody& one = bodies_[body.index()];
  BodyState state = one.model->snapshot();
  for (Vec3& x : state.positions) x += by;
  one.model->restore(state);
  one.positions = committed(*one.model);
}

// From the heaviest to the lightest: each has to be apart from all before it, which stay. (A body with a pin is as
// heavy as an obstacle.)
std::vector<StartOverlap> WorldBodies::resolve_overlaps() {
  std::vector<PlacedBody> bodies = placed();
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bodies[a].mass > bodies[b].mass; });
  const PairTable table = pairs();
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    if (!std::isfinite(bodies[i].mass)) continue;
    std::vector<PlacedBody> settled;
    for (std::size_t before = 0; before < k; ++before)
      if (table(BodyId(i), BodyId(order[before])) != PairTable::kNone) settled.push_back(bodies[order[before]]);
    if (settled.empty()) continue;
    const Vec3 way = way_out(bodies[i], settled, separation());
    if (way == Vec3::Zero()) continue;
    shift(BodyId(i), way);
    bodies[i].positions = bodies_[i].positions;
  }
  return overlaps();
}

// ---- state ----

std::vector<BodyState> WorldBodies::snapshot() const {
  std::vector<BodyState> states;
  for (const WorldBody& body : bodies_) states.push_back(body.model->snapshot());
  return states;
}

void WorldBodies::restore(std::span<const BodyState> states) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bodies_[i].model->restore(states[i]);
    bodies_[i].positions = committed(*bodies_[i].model);
  }
}

}  // namespace pliant
