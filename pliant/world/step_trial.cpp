#include "pliant/world/step_trial.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/core/stopwatch.h"

namespace pliant {
namespace {

// What comes near is looked for somewhat beyond the separation: pairs at rest are kept just at that, and to tell
// whether they come within it takes the solver many steps.
constexpr double kReach = 3;
// How often bodies are moved with what met the last time as contacts.
constexpr int kTries = 4;
// The same of contacts that pairs without a proof did not foresee.
constexpr int kTriesUnproved = 2;
// Of the separation: how much larger bodies are looked at to foresee what they will touch.
constexpr double kForesight = 2;

StepFailure out_of_budget() {
  return {StepOutcome::out_of_budget, {}, "the budget ran out before the step was proved free"};
}

// By rule; empty where nothing is to be proved.
std::vector<std::string> proving_methods(const WorldBodies& bodies) {
  std::vector<std::string> methods;
  for (const PairRule& rule : bodies.rules())
    methods.push_back(rule.response.kind == ResponseKind::proof ? rule.method : "");
  return methods;
}

StepSearchSettings search_settings(const WorldBodies& bodies, const WorldSettings& settings) {
  return {.reach = kReach * bodies.separation(),
          .filter = bodies.filter(),
          .threads = settings.threads,
          .search_seconds = settings.search_seconds,
          .methods = proving_methods(bodies),
          .method_settings = settings.method_settings};
}

ResolverSettings response_settings(const WorldBodies& bodies, const WorldSettings& settings) {
  ResolverSettings response = settings.response.proof;
  response.separation = bodies.separation();
  return response;
}

}  // namespace

StepTrial::StepTrial(WorldBodies& bodies, const WorldSettings& settings, const Sleep& sleep)
    : bodies_(bodies),
      settings_(settings),
      sleep_(sleep),
      search_(search_settings(bodies, settings), bodies.meshes()),
      unproved_(bodies.rules(),
                {settings.threads, bodies.filter(), settings.mode, settings.method_settings, settings.search_seconds,
                 bodies.separation()},
                {bodies.meshes(), bodies.dense()}),
      response_(response_settings(bodies, settings)),
      resolver_(response_) {}

std::variant<Resolution, StepFailure> StepTrial::run(double seconds, const Budget& budget, FrameReport& report) {
  report_ = &report;
  before_.assign(bodies_.count(), std::nullopt);
  if (budget.cancelled() || budget.past_deadline())
    return StepFailure{StepOutcome::out_of_budget, {}, "the budget ran out"};
  step_.seconds = seconds;
  woken_.clear();
  if (Problem problem = guess_ends()) return *std::move(problem);
  Report near = find_near(budget);
  while (near.complete && wake_beside(near.contacts, foreseen_)) {
    if (Problem problem = guess_ends()) return *std::move(problem);
    near = find_near(budget);
  }
  if (!near.complete) {
    restore_bodies();
    return out_of_budget();
  }
  ContactSteps steps(
      step_, stepped_bodies(),
      {response_, settings_.contact_seconds, unproved_.empty() ? nullptr : &unproved_, settings_.threads});
  add(steps, near.contacts, foreseen_);
  std::variant<Resolution, StepFailure> outcome = find_free(steps, budget);
  const Resolution* const resolution = std::get_if<Resolution>(&outcome);
  if (resolution && resolution->free) return outcome;
  steps.restore();
  restore_bodies();
  return outcome;
}

// What meets although contacts act goes into the next try, so that bodies answer to it as a whole: contacts that only
// move the surface leave what is below it behind, which is energy from nothing. The last try is answered at its end.
std::variant<Resolution, StepFailure> StepTrial::find_free(ContactSteps& steps, const Budget& budget) {
  for (int tries = 1;; ++tries) {
    if (Problem problem = move(steps, budget)) return *std::move(problem);
    const std::vector<Contact> unforeseen = steps.unforeseen();
    const std::vector<CarriedContact> carried = steps.unforeseen_carried();
    if (!(unforeseen.empty() && carried.empty()) && tries < kTriesUnproved && add(steps, unforeseen, carried)) continue;
    Report meeting = find_meeting(budget);
    if (!meeting.complete) return out_of_budget();
    std::erase_if(meeting.contacts, [](const Contact& c) { return c.initial; });
    if (!meeting.contacts.empty() && tries < kTries && add(steps, meeting.contacts)) continue;
    Resolution resolution = resolve(std::move(meeting.contacts), budget);
    if (!resolution.complete) return out_of_budget();
    std::vector<Impact> impacts = steps.impacts();
    resolution.impacts.insert(resolution.impacts.begin(), impacts.begin(), impacts.end());
    return resolution;
  }
}

bool StepTrial::add(ContactSteps& steps, std::span<const Contact> contacts, std::span<const CarriedContact> carried) {
  const SecondsInto respond(report_->seconds.respond);
  const bool of_bodies = steps.add(contacts), of_dense = steps.add(carried);
  return of_bodies || of_dense;
}

Report StepTrial::find_near(const Budget& budget) {
  const SecondsInto detect(report_->seconds.detect);
  ++report_->searches;
  Report near = search_.find_near(step_, budget);
  foreseen_.clear();
  if (unproved_.empty() || !near.complete) return near;
  const Report foreseen = unproved_.foresee(step_, kForesight * bodies_.separation(), budget, foreseen_);
  near.contacts.insert(near.contacts.end(), foreseen.contacts.begin(), foreseen.contacts.end());
  near.complete = foreseen.complete;
  note(unproved_.take_work());
  return near;
}

Report StepTrial::find_meeting(const Budget& budget) {
  const SecondsInto detect(report_->seconds.detect);
  ++report_->searches;
  return search_.find_meeting(step_, budget);
}

Resolution StepTrial::resolve(std::vector<Contact> meeting, const Budget& budget) {
  const Stopwatch watch(budget);
  Resolution resolution = resolver_.resolve(step_, std::move(meeting), search_, budget);
  report_->seconds.detect += resolution.detect_seconds;
  report_->seconds.respond += watch.seconds() - resolution.detect_seconds;
  report_->searches += static_cast<std::size_t>(resolution.searches);
  return resolution;
}

// Where bodies would fall; obstacles where they do go. Good enough to see what comes near.
StepTrial::Problem StepTrial::guess_ends() {
  const SecondsInto predict(report_->seconds.predict);
  if (Problem problem = move_obstacles()) return problem;
  aim_pins();
  for (std::size_t i = 0; i < bodies_.count(); ++i) {
    const WorldBody& one = bodies_.all()[i];
    if (one.obstacle) continue;
    StepBody& body = step_.bodies[i];
    const std::span<const Vec3> x = one.model->positions(), v = one.model->velocities();
    body.x_t1.assign(x.begin(), x.end());
    body.v_t1.assign(v.begin(), v.end());
    if (!is_predicted(body.id)) continue;
    const Vec3 fall = 0.5 * step_.seconds * step_.seconds * one.model->gravity();
    const std::span<const double> masses = one.model->masses();
    for (std::size_t k = 0; k < v.size(); ++k) {
      body.x_t1[k] += step_.seconds * v[k];
      if (std::isfinite(masses[k])) body.x_t1[k] += fall;
    }
  }
  return std::nullopt;
}

StepTrial::Problem StepTrial::move_obstacles() {
  step_.bodies.resize(bodies_.count());
  std::vector<StepStatus> status(bodies_.count());
  for (std::size_t i = 0; i < bodies_.count(); ++i) {
    const WorldBody& one = bodies_.all()[i];
    StepBody& body = step_.bodies[i];
    body = {BodyId(i), one.model->mesh(), one.model->masses(), one.settings.surface, one.positions, {}, {}};
    if (one.model->moves_as_one()) body.as_one = one.model.get();
    if (one.settings.dense) body.dense = &one.settings.dense;
    body.has_outside = one.has_outside;
    if (!one.obstacle) continue;
    const Prediction end = one.model->predict(step_.seconds);
    status[i] = end.status;
    body.x_t1.assign(end.positions.begin(), end.positions.end());
    body.v_t1.assign(end.velocities.begin(), end.velocities.end());
  }
  return trouble_in(status);
}

// A pin goes on with its velocity: one that follows gets the velocity that takes it to where its leader will be.
void StepTrial::aim_pins() {
  for (const FollowingPins& pins : bodies_.following()) {
    const std::size_t body = pins.following().body.index();
    BodyModel& model = *bodies_.all()[body].model;
    BodyState state = model.snapshot();
    if (!before_[body]) before_[body] = state;
    const std::vector<Vec3> ends = pins.positions(step_.bodies[pins.following().leader.index()].x_t1);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::size_t pin = pins.following().pins[i].index();
      state.velocities[pin] = (ends[i] - state.positions[pin]) / step_.seconds;
    }
    model.restore(state);
  }
}

std::vector<SteppedBody> StepTrial::stepped_bodies() const {
  std::vector<SteppedBody> stepped;
  for (std::size_t i = 0; i < bodies_.count(); ++i)
    stepped.push_back({bodies_.all()[i].model.get(), is_predicted(BodyId(i))});
  return stepped;
}

StepTrial::Problem StepTrial::move(ContactSteps& steps, const Budget& budget) {
  {
    const SecondsInto predict(report_->seconds.predict);
    steps.move(budget);
  }
  const UnprovedPairs::Work work = unproved_.take_work();
  report_->seconds.predict -= work.seconds + work.respond_seconds;
  report_->seconds.detect += work.seconds;
  report_->seconds.respond += work.respond_seconds;
  note(work);
  return steps.complete() ? trouble_in(steps.status()) : Problem(out_of_budget());
}

void StepTrial::note(const UnprovedPairs::Work& work) {
  report_->searches += work.searches;
  report_->unproved_searches += work.searches;
  report_->unproved_counters.merge(work.counters);
}

// Undoes aim_pins().
void StepTrial::restore_bodies() {
  for (std::size_t i = 0; i < before_.size(); ++i)
    if (before_[i]) bodies_.all()[i].model->restore(*before_[i]);
  before_.clear();
}

// A body that stands still while another leans on it could not be solved together with it. True: some were asleep.
bool StepTrial::wake_beside(std::span<const Contact> near, std::span<const CarriedContact> carried) {
  const std::size_t before = woken_.size();
  const auto wake = [this](const Contact& contact) {
    for (const auto& [one, other] : {std::pair(contact.a.body, contact.b.body), {contact.b.body, contact.a.body}}) {
      if (!is_predicted(one) || is_predicted(other) || bodies_.all()[other.index()].obstacle) continue;
      const std::vector<BodyId> all = sleep_.sleeping_with(other);
      woken_.insert(woken_.end(), all.begin(), all.end());
    }
  };
  for (const Contact& contact : near) wake(contact);
  for (const CarriedContact& one : carried) wake(one.contact);
  return woken_.size() > before;
}

// Pins that are on their way keep a body awake.
bool StepTrial::is_predicted(BodyId body) const {
  if (bodies_.all()[body.index()].obstacle) return false;
  if (!sleep_.asleep(body) || std::find(woken_.begin(), woken_.end(), body) != woken_.end()) return true;
  const std::span<const Vec3> v = bodies_.all()[body.index()].model->velocities();
  const auto pins = bodies_.following();
  return std::any_of(pins.begin(), pins.end(), [&](const FollowingPins& one) {
    const std::vector<VertexId>& tied = one.following().pins;
    return one.following().body == body &&
           std::any_of(tied.begin(), tied.end(), [&](VertexId pin) { return !v[pin.index()].isZero(0); });
  });
}

StepTrial::Problem StepTrial::trouble_in(std::span<const StepStatus> status) {
  report_->inverted_elements = 0;
  for (std::size_t i = 0; i < status.size(); ++i) {
    report_->inverted_elements += status[i].inverted_elements;
    if (status[i].ok()) continue;
    return StepFailure{StepOutcome::diverged,
                       {BodyId(i)},
                       bodies_.all()[i].settings.name + ": " + std::string(describe(status[i].trouble))};
  }
  return std::nullopt;
}

}  // namespace pliant
