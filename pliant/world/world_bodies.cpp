#include <algorithm>
#include <cmath>
#include <numeric>

#include "pliant/detect/registry.h"
#include "pliant/mesh/topology.h"
#include "pliant/world/world_loop.h"

namespace pliant {
namespace {

// What comes near is looked for somewhat beyond the separation: pairs at rest are kept just at that, and to tell
// whether they come within it takes the solver many steps.
constexpr double kReach = 1.5;
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
  if (s.halvings < 0) throw Error("less than no halvings", "halvings must be 0 or more");
  require_continuous_method(s.method);
  for (const auto& [name, chosen] : s.method_settings) check_settings(method_info(name), chosen);
}

}  // namespace

World::Loop::Loop(const WorldSettings& settings) : settings_(settings), sleep_(settings.sleep) {
  require_valid(settings);
  methods_.push_back(settings.method);
}

BodyId World::Loop::add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings) {
  if (search_) throw Error("a body was added to a world that has begun", "add all bodies before the first step");
  if (!model) throw Error("a body needs a model, and there is none", "give a cloth, a fem body, an obstacle, ...");
  if (!settings.surface.valid())
    throw Error("the surface of " + settings.name + " is out of range",
                "friction must be 0 or more, restitution between 0 and 1");
  const BodyId id(members_.size());
  Member one{.model = std::move(model), .settings = settings, .obstacle = true};
  if (one.settings.name.empty()) one.settings.name = "body " + std::to_string(id.value);
  for (const double mass : one.model->masses()) {
    one.obstacle = one.obstacle && std::isinf(mass);
    one.pinned = one.pinned || std::isinf(mass);
  }
  one.positions = Frame::own({one.model->positions().begin(), one.model->positions().end()});
  members_.push_back(std::move(one));
  sleep_.add();
  return id;
}

void World::Loop::choose_channel(BodyId a, BodyId b, std::uint8_t channel) {
  member(a);
  member(b);
  if (search_) throw Error("a pair was changed in a world that has begun", "do it before the first step");
  chosen_[std::minmax(a, b)] = channel;
}

std::uint8_t World::Loop::channel_of(const std::string& method) {
  require_continuous_method(method);
  const auto found = std::find(methods_.begin(), methods_.end(), method);
  if (found != methods_.end()) return static_cast<std::uint8_t>(found - methods_.begin());
  if (method == "auto") throw Error("auto is a choice for the whole world", "name a method for this pair");
  methods_.push_back(method);
  return static_cast<std::uint8_t>(methods_.size() - 1);
}

void World::Loop::set_filter(std::shared_ptr<const ContactFilter> filter) {
  if (search_) throw Error("a filter was set in a world that has begun", "do it before the first step");
  filter_ = std::move(filter);
}

PairTable World::Loop::table() const {
  PairTable table(members_.size());
  for (const auto& [pair, channel] : chosen_) table.set(pair.first, pair.second, channel);
  for (std::size_t i = 0; filter_ && i < members_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (!filter_->bodies(BodyId(j), BodyId(i))) table.set(BodyId(j), BodyId(i), PairTable::kNone);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const BodyId a(i);
    if (!members_[i].settings.self_collision) table.set(a, a, PairTable::kNone);
    if (!members_[i].obstacle) continue;
    for (std::size_t j = 0; j < members_.size(); ++j)
      if (members_[j].obstacle) table.set(a, BodyId(j), PairTable::kNone);
  }
  return table;
}

double World::Loop::separation() const {
  if (separation_ > 0) return separation_;
  if (settings_.separation > 0) return settings_.separation;
  double shortest = std::numeric_limits<double>::infinity();
  for (const Member& one : members_)
    if (!one.obstacle) shortest = std::min(shortest, mean_edge(*one.model->mesh()));
  return std::isfinite(shortest) && shortest > 0 ? shortest / 20 : 1e-3;
}

// ---- the start ----

std::vector<PlacedBody> World::Loop::placed() const {
  std::vector<PlacedBody> bodies;
  for (const Member& one : members_) {
    double mass = 0;
    for (const double m : one.model->masses()) mass += m;
    bodies.push_back({one.model->mesh(), one.positions, mass});
  }
  return bodies;
}

void World::Loop::shift(BodyId body, const Vec3& by) {
  Member& one = members_[body.index()];
  BodyState state = one.model->snapshot();
  for (Vec3& x : state.positions) x += by;
  one.model->restore(state);
  one.positions = Frame::own({one.model->positions().begin(), one.model->positions().end()});
}

// From the heaviest to the lightest: each has to be apart from all before it, which stay. (A body with a pin is as
// heavy as an obstacle.)
std::vector<StartOverlap> World::Loop::resolve_overlaps() {
  std::vector<PlacedBody> bodies = placed();
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bodies[a].mass > bodies[b].mass; });
  const PairTable pairs = table();
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    if (!std::isfinite(bodies[i].mass)) continue;
    std::vector<PlacedBody> settled;
    for (std::size_t before = 0; before < k; ++before)
      if (pairs(BodyId(i), BodyId(order[before])) != PairTable::kNone) settled.push_back(bodies[order[before]]);
    if (settled.empty()) continue;
    const Vec3 way = way_out(bodies[i], settled, separation());
    if (way == Vec3::Zero()) continue;
    shift(BodyId(i), way);
    bodies[i].positions = members_[i].positions;
  }
  knows_overlaps_ = false;
  return overlaps();
}

void World::Loop::start() {
  std::vector<MeshPtr> meshes;
  for (const Member& one : members_) meshes.push_back(one.model->mesh());
  separation_ = separation();
  search_ = std::make_unique<StepSearch>(StepSearchSettings{.reach = kReach * separation_,
                                                            .filter = filter_,
                                                            .threads = settings_.threads,
                                                            .methods = methods_,
                                                            .method_settings = settings_.method_settings},
                                         meshes);
  ResolverSettings response = settings_.response;
  response.separation = separation();
  resolver_ = std::make_unique<StepResolver>(response);
}

// ---- state ----

WorldState World::Loop::snapshot() const {
  WorldState state;
  state.frame = frame_;
  state.fraction = fraction_;
  for (const Member& one : members_) state.bodies.push_back(one.model->snapshot());
  sleep_.save(state);
  for (const auto& [a, b] : overlapping_) state.overlapping.emplace_back(a.value, b.value);
  for (const auto& [a, b] : pushed_) state.pushed.emplace_back(a.value, b.value);
  state.knows_overlaps = knows_overlaps_;
  return state;
}

void World::Loop::restore(const WorldState& state) {
  if (state.bodies.size() != members_.size())
    throw Error("the state has " + std::to_string(state.bodies.size()) + " bodies, the world " +
                    std::to_string(members_.size()),
                "restore a state of the same scene");
  if (!(state.fraction >= 0 && state.fraction < 1)) throw Error("a state between no two frames");
  for (const auto& pairs : {state.overlapping, state.touching, state.pushed})
    for (const auto& [a, b] : pairs)
      if (a >= members_.size() || b >= members_.size()) throw Error("a state that names a body that is not there");
  sleep_.load(state);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].model->restore(state.bodies[i]);
    const std::span<const Vec3> x = members_[i].model->positions();
    members_[i].positions = Frame::own({x.begin(), x.end()});
  }
  frame_ = state.frame;
  fraction_ = state.fraction;
  share_ = 1;
  overlapping_.clear();
  for (const auto& [a, b] : state.overlapping) overlapping_.emplace(a, b);
  pushed_.clear();
  for (const auto& [a, b] : state.pushed) pushed_.emplace(a, b);
  knows_overlaps_ = state.knows_overlaps;
}

}  // namespace pliant
