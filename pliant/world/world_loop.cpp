#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "pliant/world/contact_steps.h"
#include "pliant/world/stage_watch.h"
#include "pliant/world/world_loop.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

// Pushes that move a sleeper by this share of the separation wake it: far less than what bends a body visibly.
constexpr double kCreep = 0.1;
// The least part of a step that a deadline leaves to be tried.
constexpr double kLeastShare = 1.0 / 64;

std::set<std::pair<BodyId, BodyId>> body_pairs(const std::vector<Impact>& impacts) {
  std::set<std::pair<BodyId, BodyId>> pairs;
  for (const Impact& impact : impacts) pairs.insert(std::minmax(impact.contact.a.body, impact.contact.b.body));
  return pairs;
}

}  // namespace

// Pairs that overlap are left alone until they are apart: any response would only entangle them more.
void World::Loop::look_for_parted_pairs() {
  if (knows_overlaps_ && overlapping_.empty()) return;
  std::set<std::pair<BodyId, BodyId>> now;
  for (const StartOverlap& overlap : overlaps())
    if (!knows_overlaps_ || overlapping_.contains({overlap.a, overlap.b})) now.insert({overlap.a, overlap.b});
  overlapping_ = std::move(now);
  knows_overlaps_ = true;
}

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
      if (!std::equal(body.x_t1.begin(), body.x_t1.end(), one.positions.positions().begin()))
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

}  // namespace pliant
