#include "pliant/world/world_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"

namespace pliant {
namespace {

// Pushes that move a sleeper by this fraction of the separation wake it: far less than what bends a body visibly.
constexpr double kCreep = 0.1;
// The least part of a step that a deadline leaves to be tried.
constexpr double kLeastTrial = 1.0 / 64;
// Pieces are not cut below this part of a frame only because a body swings.
constexpr double kLeastStraight = 1.0 / 16;

std::set<std::pair<BodyId, BodyId>> body_pairs(const std::vector<Impact>& impacts) {
  std::set<std::pair<BodyId, BodyId>> pairs;
  for (const Impact& impact : impacts) pairs.insert(std::minmax(impact.contact.a.body, impact.contact.b.body));
  return pairs;
}

std::vector<WorldState::Pair> numbers_of(const std::set<std::pair<BodyId, BodyId>>& pairs) {
  std::vector<WorldState::Pair> numbers;
  numbers.reserve(pairs.size());
  for (const auto& [a, b] : pairs) numbers.emplace_back(a.value, b.value);
  return numbers;
}

std::set<std::pair<BodyId, BodyId>> pairs_of(const std::vector<WorldState::Pair>& numbers) {
  std::set<std::pair<BodyId, BodyId>> pairs;
  for (const auto& [a, b] : numbers) pairs.emplace(a, b);
  return pairs;
}

void require_fits(const WorldState& state, std::size_t bodies) {
  if (state.bodies.size() != bodies)
    throw Error("the state has " + std::to_string(state.bodies.size()) + " bodies, the world " + std::to_string(bodies),
                "restore a state of the same scene");
  if (!(state.fraction >= 0 && state.fraction < 1)) throw Error("a state between no two frames");
  for (const auto& pairs : {state.overlapping, state.touching, state.pushed})
    for (const auto& [a, b] : pairs)
      if (a >= bodies || b >= bodies) throw Error("a state that names a body that is not there");
}

}  // namespace

World::Loop::Loop(const WorldSettings& settings) : settings_(settings), bodies_(settings), sleep_(settings.sleep) {}

BodyId World::Loop::add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings) {
  const BodyId body = bodies_.add(std::move(model), settings);
  sleep_.add();
  return body;
}

std::vector<StartOverlap> World::Loop::resolve_overlaps() {
  knows_overlaps_ = false;
  return bodies_.resolve_overlaps();
}

// Pairs that overlap are left alone until they are apart: any response would only entangle them more.
void World::Loop::forget_parted_pairs() {
  if (knows_overlaps_ && overlapping_.empty()) return;
  Pairs now;
  for (const StartOverlap& overlap : bodies_.overlaps())
    if (!knows_overlaps_ || overlapping_.contains({overlap.a, overlap.b})) now.insert({overlap.a, overlap.b});
  overlapping_ = std::move(now);
  knows_overlaps_ = true;
}

FrameReport World::Loop::step(const World& world, const Budget& budget, WorldObserver* observer) {
  if (!trial_) {
    bodies_.begin();
    trial_ = std::make_unique<StepTrial>(bodies_, settings_, sleep_);
  }
  report_ = {};
  report_.frame = frame_ + 1;
  forget_parted_pairs();
  PairTable pairs = bodies_.pairs();
  for (const auto& [a, b] : overlapping_) pairs.set(a, b, PairTable::kNone);
  trial_->set_pairs(pairs);
  proved_ = proved_bodies(pairs);

  const auto steps = static_cast<double>(settings_.substeps);
  while (fraction_ < 1) {
    const double target = std::min(1.0, (std::floor(fraction_ * steps) + 1) / steps);
    if (!advance_to(target, budget, {world, observer})) return std::move(report_);
  }
  finish_frame();
  return std::move(report_);
}

// Bodies with a pair that is to be proved free, by number: only what is proved is about straight ways.
std::vector<bool> World::Loop::proved_bodies(const PairTable& pairs) const {
  const std::span<const PairRule> rules = bodies_.rules();
  const auto is_proved = [&](std::uint8_t rule) {
    return rule != PairTable::kNone && rules[rule].response.kind == ResponseKind::proof;
  };
  std::vector<bool> proved(bodies_.count(), false);
  for (std::uint32_t a = 0; a < proved.size(); ++a)
    for (std::uint32_t b = 0; b < proved.size() && !proved[a]; ++b) proved[a] = is_proved(pairs(BodyId(a), BodyId(b)));
  return proved;
}

// Of the body that swings fastest.
double World::Loop::straight_seconds() const {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::uint32_t b = 0; b < bodies_.count(); ++b)
    if (!bodies_.all()[b].obstacle && !sleep_.asleep(BodyId(b)) && proved_[b])
      shortest = std::min(shortest, bodies_.all()[b].model->straight_seconds());
  return shortest;
}

// Tries the whole way, then half of it, and so on. False: the frame ends here, and the report says why.
bool World::Loop::advance_to(double target, const Budget& budget, const Listener& listener) {
  const double whole = target - fraction_;
  double tried = whole * trial_fraction_;
  const double straight = straight_seconds() / settings_.frame_seconds;
  while (tried > straight && tried > kLeastStraight) tried /= 2;
  for (int halvings = 0;; ++halvings) {
    const auto outcome = trial_->run(tried * settings_.frame_seconds, budget, report_);
    if (const auto* failure = std::get_if<StepFailure>(&outcome)) {
      fail(*failure);
      if (report_.pieces == 0 && budget.past_deadline()) trial_fraction_ = std::max(trial_fraction_ / 2, kLeastTrial);
      return false;
    }
    const Resolution& resolution = std::get<Resolution>(outcome);
    if (resolution.free) {
      // The last piece ends where it should, to the last bit.
      commit(resolution, tried == whole ? target : fraction_ + tried, listener);
      trial_fraction_ = std::min(2 * trial_fraction_, 1.0);
      return true;
    }
    if (halvings == settings_.halvings) {
      const auto [a, b] = *resolution.stuck;
      fail({StepOutcome::pinched,
            {a, b},
            bodies_.at(a).settings.name + " and " + bodies_.at(b).settings.name +
                " cannot be kept apart: what moves by keyframes leaves no room between them"});
      return false;
    }
    tried /= 2;
    ++report_.halvings;
    if (!report_.halved) report_.halved = resolution.stuck;
  }
}

void World::Loop::report_contacts(const Resolution& resolution, double fraction, const Listener& listener) const {
  if (!listener.observer) return;
  const double length = fraction - fraction_;
  const double seconds = trial_->step().seconds;
  for (const Impact& impact : resolution.impacts)
    listener.observer->contact(listener.world,
                               {frame() + impact.contact.time * length, impact, impact.impulse / seconds});
}

void World::Loop::commit(const Resolution& resolution, double fraction, const Listener& listener) {
  report_contacts(resolution, fraction, listener);
  Step& step = trial_->step();
  {
    const SecondsInto watch(report_.seconds.commit);
    for (const BodyId body : trial_->woken()) sleep_.wake(body);
    for (StepBody& body : step.bodies) {
      WorldBody& one = bodies_.all()[body.id.index()];
      if (sleep_.asleep(body.id)) sleep_.wake_if_moved(body, step.seconds, kCreep * bodies_.separation());
      one.model->commit(body.x_t1, body.v_t1);
      // The prediction of a body that stands still is where it was: its frame serves on.
      if (!std::equal(body.x_t1.begin(), body.x_t1.end(), one.positions.positions().begin()))
        one.positions = Frame::own(std::move(body.x_t1));
    }
    pushed_.merge(body_pairs(resolution.impacts));
  }
  fraction_ = fraction;
  ++report_.pieces;
  report_.impacts += resolution.impacts.size();
  report_.zones += resolution.zones;
  if (!report_.zoned) report_.zoned = resolution.zoned;
  if (listener.observer) listener.observer->piece(listener.world, frame());
}

void World::Loop::finish_frame() {
  const SecondsInto watch(report_.seconds.commit);
  ++frame_;
  fraction_ = 0;
  std::vector<Sleeper> sleepers;
  for (const WorldBody& one : bodies_.all()) sleepers.push_back({one.model.get(), one.obstacle, one.pinned});
  for (const BodyId body : sleep_.frame_done(sleepers, pushed_, settings_.frame_seconds)) {
    BodyModel& model = *bodies_.all()[body.index()].model;
    const std::vector<Vec3> at_rest(model.mesh()->vertex_count(), Vec3::Zero());
    model.commit(model.positions(), at_rest);
  }
  pushed_.clear();
  for (std::size_t i = 0; i < bodies_.count(); ++i) report_.asleep += sleep_.asleep(BodyId(i)) ? 1 : 0;
  forget_parted_pairs();
}

void World::Loop::fail(const StepFailure& failure) {
  report_.outcome = failure.outcome;
  report_.bodies = failure.bodies;
  report_.message = "frame " + std::to_string(frame_ + 1) + ": " + failure.message;
}

WorldState World::Loop::snapshot() const {
  WorldState state;
  state.frame = frame_;
  state.fraction = fraction_;
  state.bodies = bodies_.snapshot();
  sleep_.save(state);
  state.overlapping = numbers_of(overlapping_);
  state.pushed = numbers_of(pushed_);
  state.knows_overlaps = knows_overlaps_;
  return state;
}

void World::Loop::restore(const WorldState& state) {
  require_fits(state, bodies_.count());
  sleep_.load(state);
  bodies_.restore(state.bodies);
  frame_ = state.frame;
  fraction_ = state.fraction;
  trial_fraction_ = 1;
  overlapping_ = pairs_of(state.overlapping);
  pushed_ = pairs_of(state.pushed);
  knows_overlaps_ = state.knows_overlaps;
}

}  // namespace pliant
