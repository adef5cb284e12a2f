#include "pliant/world/world.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "pliant/core/error.h"
#include "pliant/mesh/topology.h"
#include "pliant/world/contact_steps.h"
#include "pliant/world/overlaps.h"
#include "pliant/world/sleep.h"
#include "pliant/world/step_search.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

// What comes near is looked for somewhat beyond the separation: pairs at rest are kept just at that, and to tell
// whether they come within it takes the solver many steps.
constexpr double kReach = 1.5;
// Pushes that move a sleeper by this share of the separation wake it: far less than what bends a body visibly.
constexpr double kCreep = 0.1;
// The longest row of short steps in one step, and the least part of a step that a deadline leaves to be tried.
constexpr double kMostContactSteps = 1e5;
constexpr double kLeastShare = 1.0 / 64;

// Adds the time that it lives to a sum.
class StageWatch {
 public:
  explicit StageWatch(double& seconds) : seconds_(seconds) {}
  ~StageWatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  StageWatch(const StageWatch&) = delete;
  StageWatch& operator=(const StageWatch&) = delete;

 private:
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

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
}

std::set<std::pair<BodyId, BodyId>> body_pairs(const std::vector<Impact>& impacts) {
  std::set<std::pair<BodyId, BodyId>> pairs;
  for (const Impact& impact : impacts) pairs.insert(std::minmax(impact.contact.a.body, impact.contact.b.body));
  return pairs;
}

}  // namespace

class World::Loop {
 public:
  explicit Loop(const WorldSettings& settings) : settings_(settings), sleep_(settings.sleep) {
    require_valid(settings);
    methods_.push_back(settings.method);
  }

  BodyId add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings);
  void choose_channel(BodyId a, BodyId b, std::uint8_t channel);
  std::uint8_t channel_of(const std::string& method);

  void set_filter(std::shared_ptr<const ContactFilter> filter);

  std::vector<StartOverlap> overlaps() const { return find_overlaps(placed(), table(), {settings_.threads, filter_}); }
  std::vector<StartOverlap> resolve_overlaps();
  FrameReport step(const Budget& budget, WorldObserver* observer);
  WorldState snapshot() const;
  void restore(const WorldState& state);

  struct Member {
    std::unique_ptr<BodyModel> model;
    WorldBodySettings settings;
    bool obstacle = false;  // of infinite masses only
    bool pinned = false;    // some masses are infinite
    Frame positions;        // committed
  };
  const Member& member(BodyId body) const {
    if (body.index() >= members_.size()) throw Error("there is no body " + std::to_string(body.value));
    return members_[body.index()];
  }
  std::size_t body_count() const { return members_.size(); }
  const WorldSettings& settings() const { return settings_; }
  double separation() const;
  std::string method() const { return search_ ? search_->method() : settings_.method; }
  double frame() const { return static_cast<double>(frame_) + fraction_; }
  const Sleep& sleep() const { return sleep_; }

  const World* world = nullptr;

 private:
  void start();
  PairTable table() const;
  std::vector<PlacedBody> placed() const;
  void shift(BodyId body, const Vec3& by);

  bool advance_to(double target, const Budget& budget, WorldObserver* observer);
  std::optional<Resolution> attempt(double fraction, const Budget& budget);
  std::optional<Resolution> out_of_budget();
  Report find_near(const Budget& budget);
  bool guess();
  bool predict(const Budget& budget);
  bool step_with(std::span<const Contact> contacts, std::vector<Impact>& impacts, const Budget& budget);
  void go_back();
  bool goes_on(BodyId body) const;
  bool accept(const std::vector<StepStatus>& status);
  void commit(const Resolution& resolution, double fraction, WorldObserver* observer);
  void tell(const Resolution& resolution, double fraction, WorldObserver* observer) const;
  void finish_frame();
  void look_for_parted_pairs();
  void fail(StepOutcome outcome, std::vector<BodyId> bodies, const std::string& message);

  WorldSettings settings_;
  std::vector<Member> members_;
  std::vector<std::string> methods_;  // by channel
  std::shared_ptr<const ContactFilter> filter_;
  std::map<std::pair<BodyId, BodyId>, std::uint8_t> chosen_;
  std::unique_ptr<StepSearch> search_;  // from the first step on
  std::unique_ptr<StepResolver> resolver_;
  std::set<std::pair<BodyId, BodyId>> overlapping_;
  std::set<std::pair<BodyId, BodyId>> pushed_;  // in this frame
  bool knows_overlaps_ = false;
  Sleep sleep_;
  std::uint64_t frame_ = 0;
  double fraction_ = 0;
  double separation_ = 0;  // from the first step on
  double share_ = 1;       // of a step that is tried at once: less after a deadline that came too early
  Step step_;
  std::vector<std::optional<BodyState>> before_;  // the committed states while short steps are tried
  FrameReport report_;
};

// ---- bodies and pairs ----

BodyId World::Loop::add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings) {
  if (search_) throw Error("a body was added to a world that has begun", "add all bodies before the first step");
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
  search_ = std::make_unique<StepSearch>(
      StepSearchSettings{
          .reach = kReach * separation_, .filter = filter_, .threads = settings_.threads, .methods = methods_},
      meshes);
  ResolverSettings response = settings_.response;
  response.separation = separation();
  resolver_ = std::make_unique<StepResolver>(response);
}

// Pairs that overlap are left alone until they are apart: any response would only entangle them more.
void World::Loop::look_for_parted_pairs() {
  if (knows_overlaps_ && overlapping_.empty()) return;
  std::set<std::pair<BodyId, BodyId>> now;
  for (const StartOverlap& overlap : overlaps())
    if (!knows_overlaps_ || overlapping_.contains({overlap.a, overlap.b})) now.insert({overlap.a, overlap.b});
  overlapping_ = std::move(now);
  knows_overlaps_ = true;
}

// ---- one frame ----

FrameReport World::Loop::step(const Budget& budget, WorldObserver* observer) {
  if (!search_) start();
  report_ = {};
  report_.frame = frame_ + 1;
  look_for_parted_pairs();
  PairTable pairs = table();
  for (const auto& [a, b] : overlapping_) pairs.set(a, b, PairTable::kNone);
  search_->set_pairs(pairs);

  const auto steps = static_cast<double>(settings_.substeps);
  while (fraction_ < 1) {
    const double target = std::min(1.0, (std::floor(fraction_ * steps) + 1) / steps);
    if (!advance_to(target, budget, observer)) return std::move(report_);
  }
  finish_frame();
  return std::move(report_);
}

// Tries the whole way, then half of it, and so on. False: the frame ends here.
bool World::Loop::advance_to(double target, const Budget& budget, WorldObserver* observer) {
  double part = (target - fraction_) * share_;
  for (int halvings = 0;; ++halvings) {
    const std::optional<Resolution> resolution = attempt(part, budget);
    if (!resolution) {
      if (report_.pieces == 0 && budget.past_deadline()) share_ = std::max(share_ / 2, kLeastShare);
      return false;
    }
    if (resolution->free) {
      // The last piece ends where it should, to the last bit.
      commit(*resolution, halvings == 0 && share_ == 1 ? target : fraction_ + part, observer);
      share_ = std::min(2 * share_, 1.0);
      return true;
    }
    if (halvings == settings_.halvings) {
      const auto [a, b] = *resolution->stuck;
      fail(StepOutcome::pinched, {a, b},
           members_[a.index()].settings.name + " and " + members_[b.index()].settings.name +
               " can not be kept apart: what moves by keyframes leaves no room between them");
      return false;
    }
    part /= 2;
    ++report_.halvings;
  }
}

// Nothing: the frame ends here, and the report says why.
std::optional<Resolution> World::Loop::attempt(double part, const Budget& budget) {
  if (budget.cancelled() || budget.past_deadline()) {
    fail(StepOutcome::out_of_budget, {}, "the budget ran out");
    return std::nullopt;
  }
  step_.seconds = part * settings_.frame_seconds;
  if (!guess()) return std::nullopt;
  const Report near = find_near(budget);
  if (!near.complete) return out_of_budget();
  std::vector<Impact> impacts;
  if (near.contacts.empty() ? !predict(budget) : !step_with(near.contacts, impacts, budget)) return std::nullopt;

  const Clock::time_point begin = Clock::now();
  Resolution resolution = resolver_->resolve(step_, *search_, budget);
  report_.seconds.detect += resolution.detect_seconds;
  report_.seconds.respond += std::chrono::duration<double>(Clock::now() - begin).count() - resolution.detect_seconds;
  report_.searches += static_cast<std::size_t>(resolution.searches);
  if (!resolution.free) go_back();
  if (!resolution.complete) return out_of_budget();
  resolution.impacts.insert(resolution.impacts.begin(), impacts.begin(), impacts.end());
  return resolution;
}

std::optional<Resolution> World::Loop::out_of_budget() {
  fail(StepOutcome::out_of_budget, {}, "the budget ran out before the step was proved free");
  return std::nullopt;
}

Report World::Loop::find_near(const Budget& budget) {
  const StageWatch watch(report_.seconds.detect);
  ++report_.searches;
  return search_->find_near(step_, budget);
}

// Where bodies would go on straight ways; obstacles where they do go. Good enough to see what comes near.
bool World::Loop::guess() {
  const StageWatch watch(report_.seconds.predict);
  step_.bodies.resize(members_.size());
  std::vector<StepStatus> status(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& one = members_[i];
    StepBody& body = step_.bodies[i];
    body = {BodyId(i), one.model->mesh(), one.model->masses(), one.settings.surface, one.positions, {}, {}};
    const std::span<const Vec3> x = one.model->positions(), v = one.model->velocities();
    body.x_t1.assign(x.begin(), x.end());
    body.v_t1.assign(v.begin(), v.end());
    if (one.obstacle) {
      const Prediction end = one.model->predict(step_.seconds);
      status[i] = end.status;
      body.x_t1.assign(end.positions.begin(), end.positions.end());
      body.v_t1.assign(end.velocities.begin(), end.velocities.end());
    } else if (!sleep_.asleep(body.id)) {
      for (std::size_t k = 0; k < v.size(); ++k) body.x_t1[k] += step_.seconds * v[k];
    }
  }
  return accept(status);
}

// Nothing comes near anything: each body goes its way.
bool World::Loop::predict(const Budget& budget) {
  const StageWatch watch(report_.seconds.predict);
  std::vector<StepStatus> status(members_.size());
  std::atomic<bool> complete = true;
  run_chunks(settings_.threads, members_.size(), [&](std::size_t i) {
    if (!goes_on(BodyId(i))) return;
    if (budget.cancelled() || budget.past_deadline()) {
      complete = false;
      return;
    }
    const Prediction end = members_[i].model->predict(step_.seconds);
    status[i] = end.status;
    step_.bodies[i].x_t1.assign(end.positions.begin(), end.positions.end());
    step_.bodies[i].v_t1.assign(end.velocities.begin(), end.velocities.end());
  });
  if (!complete) out_of_budget();
  return complete && accept(status);
}

bool World::Loop::step_with(std::span<const Contact> contacts, std::vector<Impact>& impacts, const Budget& budget) {
  const StageWatch watch(report_.seconds.predict);
  std::vector<SteppedBody> bodies;
  before_.resize(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    bodies.push_back({members_[i].model.get(), goes_on(BodyId(i))});
    if (bodies[i].goes_on) before_[i] = members_[i].model->snapshot();
  }
  ResolverSettings response = settings_.response;
  response.separation = separation();
  const int count = static_cast<int>(std::ceil(step_.seconds / settings_.contact_seconds * (1 - 1e-9)));
  ContactSteps steps = take_contact_steps(step_, bodies, contacts, {response, count}, budget);
  impacts = std::move(steps.impacts);
  if (!steps.complete) out_of_budget();
  else if (accept(steps.status)) return true;
  go_back();
  return false;
}

// Undoes step_with().
void World::Loop::go_back() {
  for (std::size_t i = 0; i < before_.size(); ++i)
    if (before_[i]) members_[i].model->restore(*before_[i]);
  before_.clear();
}

bool World::Loop::goes_on(BodyId body) const { return !members_[body.index()].obstacle && !sleep_.asleep(body); }

bool World::Loop::accept(const std::vector<StepStatus>& status) {
  report_.inverted_elements = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    report_.inverted_elements += status[i].inverted_elements;
    if (status[i].ok()) continue;
    fail(StepOutcome::diverged, {BodyId(i)},
         members_[i].settings.name + ": " + std::string(describe(status[i].trouble)));
    return false;
  }
  return true;
}

void World::Loop::tell(const Resolution& resolution, double fraction, WorldObserver* observer) const {
  if (!observer) return;
  const double length = fraction - fraction_;
  for (const Impact& impact : resolution.impacts)
    observer->contact(*world, {frame() + impact.contact.time * length, impact, impact.impulse / step_.seconds});
}

void World::Loop::commit(const Resolution& resolution, double fraction, WorldObserver* observer) {
  tell(resolution, fraction, observer);
  {
    const StageWatch watch(report_.seconds.commit);
    for (StepBody& body : step_.bodies) {
      Member& one = members_[body.id.index()];
      if (sleep_.asleep(body.id)) sleep_.wake_if_moved(body, step_.seconds, kCreep * separation_);
      one.model->commit(body.x_t1, body.v_t1);
      // The prediction of a body that stands still is where it was: its frame serves on.
      if (!std::equal(body.x_t1.begin(), body.x_t1.end(), one.positions.positions.begin()))
        one.positions = Frame::own(std::move(body.x_t1));
    }
    pushed_.merge(body_pairs(resolution.impacts));
    before_.clear();
  }
  fraction_ = fraction;
  ++report_.pieces;
  report_.impacts += resolution.impacts.size();
  report_.zones += resolution.zones;
  if (observer) observer->piece(*world, frame());
}

void World::Loop::finish_frame() {
  const StageWatch watch(report_.seconds.commit);
  ++frame_;
  fraction_ = 0;
  std::vector<Sleeper> sleepers;
  for (const Member& one : members_) sleepers.push_back({one.model.get(), one.obstacle, one.pinned});
  for (const BodyId body : sleep_.frame_done(sleepers, pushed_, settings_.frame_seconds)) {
    Member& one = members_[body.index()];
    const std::vector<Vec3> at_rest(one.model->mesh()->vertex_count(), Vec3::Zero());
    one.model->commit(one.model->positions(), at_rest);
  }
  pushed_.clear();
  for (std::size_t i = 0; i < members_.size(); ++i) report_.asleep += sleep_.asleep(BodyId(i)) ? 1 : 0;
  look_for_parted_pairs();
}

void World::Loop::fail(StepOutcome outcome, std::vector<BodyId> bodies, const std::string& message) {
  report_.outcome = outcome;
  report_.bodies = std::move(bodies);
  report_.message = "frame " + std::to_string(frame_ + 1) + ": " + message;
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

// ---- the door ----

World::World(const WorldSettings& settings) : loop_(std::make_unique<Loop>(settings)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

BodyId World::add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings) {
  return loop_->add(std::move(model), settings);
}
void World::ignore(BodyId a, BodyId b) { loop_->choose_channel(a, b, PairTable::kNone); }
void World::set_method(BodyId a, BodyId b, const std::string& method) {
  loop_->choose_channel(a, b, loop_->channel_of(method));
}
void World::set_filter(std::shared_ptr<const ContactFilter> filter) { loop_->set_filter(std::move(filter)); }
std::size_t World::body_count() const { return loop_->body_count(); }
const BodyModel& World::body(BodyId body) const { return *loop_->member(body).model; }
BodyModel& World::body(BodyId body) { return *loop_->member(body).model; }
const std::string& World::name(BodyId body) const { return loop_->member(body).settings.name; }
bool World::asleep(BodyId body) const { return loop_->sleep().asleep(body); }
const WorldSettings& World::settings() const { return loop_->settings(); }
double World::separation() const { return loop_->separation(); }
std::string World::method_in_use() const { return loop_->method(); }
std::vector<StartOverlap> World::overlaps() const { return loop_->overlaps(); }
std::vector<StartOverlap> World::resolve_overlaps() { return loop_->resolve_overlaps(); }
FrameReport World::step(const Budget& budget, WorldObserver* observer) {
  loop_->world = this;
  return loop_->step(budget, observer);
}
double World::frame() const { return loop_->frame(); }
WorldState World::snapshot() const { return loop_->snapshot(); }
void World::restore(const WorldState& state) { loop_->restore(state); }

}  // namespace pliant
