#include "pliant/world/contact_steps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "pliant/core/disjoint_sets.h"
#include "pliant/core/parallel.h"
#include "pliant/response/contact_constraints.h"
#include "pliant/response/foreseen_contacts.h"
#include "pliant/response/joint_contacts.h"
#include "pliant/world/unproved_pairs.h"

namespace pliant {
namespace {

// Of a short step: what they leave open the next one goes on with.
constexpr int kSweeps = 4;
// Of bodies that are solved together, in a short step, at most: as long as contacts change, or a body would gain
// energy. Contacts are gone through a few times between them.
constexpr int kMostRounds = 20;
// Of those that are shorter than contacts need, for the sake of a body: the next one goes on with what is left open.
constexpr int kEnoughRounds = 2;
constexpr double kShorter = 0.5;
constexpr double kJointSeconds = 1.0 / 480;  // what contacts between bodies that give way need at most
constexpr int kRoundSweeps = 4;
// Where two bodies touch that both bend and one cannot be solved together with others, contacts act after their
// predictions, which presses strain into them: what it costs falls with the square of the step (twenty boxes of foam
// gained 7.1 J at 1/960 s, 0.4 J at 1/3840 s).
constexpr double kSoftContactSeconds = 1.0 / 3840;
// The longest short step of springs that are not solved for: they are as stiff as it lets them be.
constexpr double kSpringSeconds = 1.0 / 960;
// A step that a body cannot take is cut into two, four, ... up to so many.
constexpr int kMostCuts = 64;
// So is one whose answer would move a particle farther than so many edges at once, into more: what flies into something
// would be pressed flat within the step.
constexpr double kFarthestMove = 2;
constexpr int kMostCutsOfMoves = 512;

// In a step, at the ends of dense surfaces, whose contacts act within it nearly where they are. (Two soft bunnies
// gained 10, 0.2 and 0 % of their largest kinetic energy with one, two and four.)
constexpr int kLooksAtDense = 4;

// Bodies that are linked by contacts, or one alone.
struct Island {
  std::vector<BodyId> bodies;
  std::vector<std::uint32_t> contacts;           // indices, ascending
  std::vector<std::uint32_t> joint, after;       // those that bodies are solved together with; and those after that
  std::vector<std::vector<std::uint32_t>> held;  // by body of the island: those that act within its prediction
  int enough_rounds = kMostRounds;
};

void note(StepStatus& all, const StepStatus& one) {
  all.substeps += one.substeps;
  all.solver_iterations += one.solver_iterations;
  all.inverted_elements = one.inverted_elements;
  all.volume_clamped = all.volume_clamped || one.volume_clamped;
  if (all.ok()) all.trouble = one.trouble;
}

bool is_to_be_shortened(const StepStatus& status) {
  return status.trouble == Trouble::too_many_substeps || status.trouble == Trouble::solver_failed;
}

}  // namespace

class ContactSteps::Row {
 public:
  Row(Step& step, std::span<const SteppedBody> bodies, const ContactStepSettings& settings)
      : step_(step),
        bodies_(bodies.begin(), bodies.end()),
        settings_(settings),
        flat_(step),
        ends_(flat_.x_t1),
        constraints_(step, settings.response),
        status_(bodies.size()),
        start_(bodies.size()),
        round_seconds_(bodies.size(), -1),
        goes_(bodies.size(), true),
        linked_(bodies.size()) {
    if (settings.unproved)
      for (std::uint32_t b = 1; b < bodies.size(); ++b) linked_.unite(0, b);
  }

  bool add(std::span<const Contact> contacts);
  bool add(std::span<const CarriedContact> contacts);
  void move(const Budget& budget);
  void restore();

  bool complete() const { return complete_; }
  std::span<const StepStatus> status() const { return status_; }
  const std::vector<Contact>& unforeseen() const { return unforeseen_; }
  const std::vector<CarriedContact>& unforeseen_carried() const { return unforeseen_carried_; }
  std::vector<Impact> impacts() const {
    std::vector<Impact> all = constraints_.impacts();
    all.insert(all.end(), unproved_impacts_.begin(), unproved_impacts_.end());
    return all;
  }

 private:
  bool is_obstacle(BodyId body) const { return flat_.is_obstacle[body.index()]; }
  void put_on_way();
  bool link_from(std::size_t first);
  std::vector<Island> islands();
  void move_island(Island& island, const Budget& budget);
  void start(const Island& island);
  void go_alone(BodyId body, const Budget& budget);
  // Of each of `looks` parts of the step: short steps, `count` in all.
  struct Cut {
    int count = 1, looks = 1;
  };
  void take_short_steps(const Island& island, Cut cut, const Budget& budget);
  bool answer_unproved(const Budget& budget);
  void note_unforeseen(std::size_t first, const std::vector<Vec3>& unanswered);
  int steps_of(Island& island) const;
  void move_obstacles(double to);
  bool push_unproved(const Island& island, const Budget& budget);
  bool is_joint(std::uint32_t contact);
  double round_seconds(BodyId body);
  bool predict(const Island& island, double seconds, const Budget& budget);
  bool predict_together(const Island& island, double seconds, JointContacts& joint, const Budget& budget);
  struct HalfSpaces {
    std::vector<std::uint32_t> contacts;
    std::vector<SurfaceConstraint> constraints;
  };
  HalfSpaces half_spaces(const Island& island, std::size_t slot) const;
  bool take_end(BodyId body, const HalfSpaces& held, const Prediction& end);
  void commit(const Island& island);
  bool in_time(const Budget& budget);

  Step& step_;
  std::vector<SteppedBody> bodies_;
  ContactStepSettings settings_;
  FlatStep flat_;           // of the short step
  std::vector<Vec3> ends_;  // of obstacles: where they go
  ContactConstraints constraints_;
  std::vector<BodyId> held_by_;  // by constraint: the body whose prediction it acts within
  std::vector<StepStatus> status_;
  std::vector<std::optional<BodyState>> start_;  // of bodies that were committed to short steps
  std::vector<double> round_seconds_;            // by body; -1: not asked for yet
  std::vector<bool> goes_;                       // by body: has to be moved
  DisjointSets linked_;
  std::vector<Vec3> forces_;  // by slot: of pairs without a proof
  std::vector<Impact> unproved_impacts_;
  std::atomic<bool> complete_ = true;
  // Of pairs without a proof, where there is one island only.
  bool may_cut_ = true, too_far_ = false;
  std::vector<Contact> unforeseen_;
  std::vector<CarriedContact> unforeseen_carried_;
  std::vector<Vec3> looked_;  // by slot: where they were when they were last looked at
};

bool ContactSteps::Row::add(std::span<const Contact> contacts) {
  put_on_way();
  const std::size_t before = constraints_.size();
  constraints_.add(contacts, flat_);
  return link_from(before);
}

bool ContactSteps::Row::add(std::span<const CarriedContact> contacts) {
  if (contacts.empty()) return false;
  put_on_way();
  const std::size_t before = constraints_.size();
  constraints_.add_carried(contacts, flat_);
  return link_from(before);
}

// From where the step starts to where bodies are now.
void ContactSteps::Row::put_on_way() {
  for (const StepBody& body : step_.bodies) {
    const std::span<const Vec3> x = body.x_t0.positions();
    std::copy(x.begin(), x.end(), flat_.part(flat_.x_t0, body.id).begin());
    std::copy(body.x_t1.begin(), body.x_t1.end(), flat_.part(flat_.x_t1, body.id).begin());
  }
}

// Bodies of new constraints, from `first` on, have to go. False: there are none.
bool ContactSteps::Row::link_from(std::size_t first) {
  for (std::size_t k = first; k < constraints_.size(); ++k) {
    const Contact& contact = constraints_.contact(k);
    const BodyId holder = contact.a.body == contact.b.body ? contact.a.body : constraints_.held_by(k, flat_);
    const bool holds = holder.valid() && bodies_[holder.index()].is_predicted &&
                       (contact.a.body != contact.b.body || bodies_[holder.index()].model->solves_self_contacts());
    held_by_.push_back(holds ? holder : BodyId());
    if (!is_obstacle(contact.a.body) && !is_obstacle(contact.b.body))
      linked_.unite(contact.a.body.value, contact.b.body.value);
    goes_[contact.a.body.index()] = goes_[contact.b.body.index()] = true;
  }
  return constraints_.size() > first;
}

// Those with a body that has to go, each whole.
std::vector<Island> ContactSteps::Row::islands() {
  std::vector<bool> root_goes(bodies_.size(), false);
  for (std::uint32_t b = 0; b < bodies_.size(); ++b)
    if (goes_[b] && !is_obstacle(BodyId(b))) root_goes[linked_.root(b)] = true;
  std::vector<std::uint32_t> number(bodies_.size(), 0), slot(bodies_.size(), 0);
  std::vector<Island> islands;
  for (std::uint32_t b = 0; b < bodies_.size(); ++b) {
    const std::uint32_t root = linked_.root(b);
    if (is_obstacle(BodyId(b)) || !root_goes[root]) continue;
    if (number[root] == 0) {
      islands.emplace_back();
      number[root] = static_cast<std::uint32_t>(islands.size());
    }
    Island& island = islands[number[root] - 1];
    slot[b] = static_cast<std::uint32_t>(island.bodies.size());
    island.bodies.push_back(BodyId(b));
    island.held.emplace_back();
  }
  for (std::uint32_t k = 0; k < constraints_.size(); ++k) {
    const Contact& contact = constraints_.contact(k);
    const BodyId body = is_obstacle(contact.a.body) ? contact.b.body : contact.a.body;
    const std::uint32_t root = linked_.root(body.value);
    if (!root_goes[root]) continue;
    Island& island = islands[number[root] - 1];
    island.contacts.push_back(k);
    (is_joint(k) ? island.joint : island.after).push_back(k);
    if (held_by_[k].valid()) island.held[slot[held_by_[k].index()]].push_back(k);
  }
  return islands;
}

void ContactSteps::Row::move(const Budget& budget) {
  std::vector<Island> all = islands();
  run_chunks(settings_.threads, all.size(), [&](std::size_t i) { move_island(all[i], budget); });
  goes_.assign(goes_.size(), false);
}

void ContactSteps::Row::move_island(Island& island, const Budget& budget) {
  const bool has_contacts = !island.contacts.empty() || settings_.unproved;
  const int wanted = has_contacts ? steps_of(island) : 1;
  const int looks = settings_.unproved && settings_.unproved->foresees_dense() ? kLooksAtDense : 1;
  const int count = (wanted + looks - 1) / looks * looks;
  for (int cuts = 1;; cuts *= 2) {
    start(island);
    if (settings_.unproved) {
      may_cut_ = cuts < kMostCutsOfMoves;
      too_far_ = false;
    }
    if (count * cuts == 1 && !has_contacts) go_alone(island.bodies[0], budget);
    else take_short_steps(island, {count * cuts, looks * cuts}, budget);
    const bool again = std::any_of(island.bodies.begin(), island.bodies.end(),
                                   [&](BodyId b) { return is_to_be_shortened(status_[b.index()]); });
    if (!complete_ || !(too_far_ || (again && cuts < kMostCuts))) break;
  }
  for (const BodyId body : island.bodies) flat_.write_to(step_.bodies[body.index()]);
}

// Bodies where they were at the start of the step.
void ContactSteps::Row::start(const Island& island) {
  constraints_.begin_again(island.contacts);
  if (settings_.unproved) {
    unproved_impacts_.clear();
    unforeseen_.clear();
    unforeseen_carried_.clear();
    settings_.unproved->begin_step();
  }
  for (const BodyId body : island.bodies) {
    const std::size_t b = body.index();
    status_[b] = {};
    if (start_[b]) bodies_[b].model->restore(*start_[b]);
    bodies_[b].model->forget();  // the step may be the first after a world was restored
    const std::span<const Vec3> x = bodies_[b].model->positions(), v = bodies_[b].model->velocities();
    const std::span<Vec3> v_t1 = flat_.part(flat_.v_t1, body);
    std::copy(x.begin(), x.end(), flat_.part(flat_.x_t0, body).begin());
    std::copy(x.begin(), x.end(), flat_.part(flat_.x_t1, body).begin());
    if (bodies_[b].is_predicted) std::copy(v.begin(), v.end(), v_t1.begin());
    else std::fill(v_t1.begin(), v_t1.end(), Vec3::Zero());
  }
}

bool ContactSteps::Row::in_time(const Budget& budget) {
  if (budget.cancelled() || budget.past_deadline()) complete_ = false;
  return complete_;
}

void ContactSteps::Row::go_alone(BodyId body, const Budget& budget) {
  if (!bodies_[body.index()].is_predicted || !in_time(budget)) return;
  const Prediction end = bodies_[body.index()].model->predict(step_.seconds);
  note(status_[body.index()], end.status);
  std::copy(end.positions.begin(), end.positions.end(), flat_.part(flat_.x_t1, body).begin());
  std::copy(end.velocities.begin(), end.velocities.end(), flat_.part(flat_.v_t1, body).begin());
}

// At the start of the step; asked for once, since it may take a look at the whole body.
double ContactSteps::Row::round_seconds(BodyId body) {
  double& known = round_seconds_[body.index()];
  if (known < 0) known = bodies_[body.index()].model->round_seconds();
  return known;
}

// Whether the bodies of a contact can be solved together.
bool ContactSteps::Row::is_joint(std::uint32_t contact) {
  const auto joins = [&](BodyId b) { return bodies_[b.index()].is_predicted && round_seconds(b) > 0; };
  const Contact& c = constraints_.contact(contact);
  return c.a.body != c.b.body && !held_by_[contact].valid() && joins(c.a.body) && joins(c.b.body);
}

// How many short steps, and how exactly each is to be solved.
int ContactSteps::Row::steps_of(Island& island) const {
  const bool once = settings_.unproved && settings_.unproved->once_per_step();
  const bool foresees = settings_.unproved && settings_.unproved->foresees();
  if ((once && !foresees) || (foresees && island.contacts.empty())) return 1;
  double longest = settings_.contact_seconds;
  if (once) island.enough_rounds = 1;
  else
    for (const BodyId body : island.bodies) longest = std::min(longest, bodies_[body.index()].model->contact_seconds());
  const double needed = std::min(longest, kJointSeconds);
  for (const std::uint32_t k : island.joint)
    for (const BodyId b : {constraints_.contact(k).a.body, constraints_.contact(k).b.body})
      longest = std::min(longest, round_seconds_[b.index()]);
  if (settings_.unproved && settings_.unproved->adds_forces()) longest = std::min(longest, kSpringSeconds);
  if (longest < kShorter * needed) island.enough_rounds = kEnoughRounds;
  const bool both_bend = std::any_of(island.after.begin(), island.after.end(), [&](std::uint32_t k) {
    const Contact& contact = constraints_.contact(k);
    const auto bends = [&](BodyId b) { return !is_obstacle(b) && !flat_.as_one[b.index()]; };
    return contact.a.body != contact.b.body && !held_by_[k].valid() && bends(contact.a.body) && bends(contact.b.body);
  });
  if (both_bend) longest = std::min(longest, kSoftContactSeconds);
  return std::max(1, static_cast<int>(std::ceil(step_.seconds / longest * (1 - 1e-9))));
}

void ContactSteps::Row::take_short_steps(const Island& island, Cut cut, const Budget& budget) {
  for (const BodyId body : island.bodies)
    if (!start_[body.index()] && bodies_[body.index()].is_predicted)
      start_[body.index()] = bodies_[body.index()].model->snapshot();
  const int count = cut.count;
  const double seconds = step_.seconds / count;
  if (settings_.unproved) {  // there is one island only
    flat_.seconds = seconds;
    move_obstacles(0);
    looked_ = flat_.x_t1;
  }
  const int per_look = settings_.unproved && settings_.unproved->foresees() ? count / cut.looks : 1;
  for (int k = 0; k < count; ++k) {
    const double from = static_cast<double>(k) / count, to = (k + 1.0) / count;
    if (settings_.unproved) move_obstacles(from);
    constraints_.begin_short_step(island.contacts, flat_, from, to);
    if (!push_unproved(island, budget) || !predict(island, seconds, budget)) return;
    constraints_.solve_positions(island.after, flat_, kSweeps);
    constraints_.solve_velocities(island.contacts, flat_, kSweeps);
    if (settings_.unproved) move_obstacles(to);
    if (settings_.unproved && (k + 1) % per_look == 0 && !answer_unproved(budget)) return;
    commit(island);
  }
  if (settings_.unproved) settings_.unproved->end_step(unproved_impacts_);
}

// Where they are now, coming from where they were looked at before. False: out of budget, or to be cut.
bool ContactSteps::Row::answer_unproved(const Budget& budget) {
  const std::size_t first = unproved_impacts_.size();
  const std::vector<Vec3> unanswered = flat_.x_t1;
  flat_.x_t0.swap(looked_);
  if (!settings_.unproved->move_ends(step_, flat_, unproved_impacts_, budget)) complete_ = false;
  note_unforeseen(first, unanswered);
  if (settings_.unproved->foresees() && !settings_.unproved->once_per_step())
    unforeseen_carried_ = settings_.unproved->take_unforeseen();
  flat_.x_t0.swap(looked_);
  looked_ = flat_.x_t1;
  if (!complete_) return false;
  too_far_ = may_cut_ && settings_.unproved->farthest_move() > kFarthestMove;
  return !too_far_;
}

void ContactSteps::Row::note_unforeseen(std::size_t first, const std::vector<Vec3>& unanswered) {
  if (!settings_.unproved->foresees() || settings_.unproved->once_per_step()) return;
  const double margin = settings_.response.separation;
  for (std::size_t i = first; i < unproved_impacts_.size(); ++i) {
    const Contact& contact = unproved_impacts_[i].contact;
    if (contact.kind() != ContactKind::vertex_face || contact.a.body == contact.b.body) continue;
    const auto is_dense = [&](BodyId body) { return step_.bodies[body.index()].dense != nullptr; };
    if (is_dense(contact.a.body) || is_dense(contact.b.body)) continue;  // the search tells of them
    const Contact at_end = timed(contact, step_, flat_, {unanswered, unanswered, margin});
    if (at_end.depth > UnprovedPairs::kUnforeseen * margin)
      unforeseen_.push_back(timed(contact, step_, flat_, {flat_.x_t0, unanswered, margin}));
  }
}

// Pairs without a proof look at them at instants: on their straight ways.
void ContactSteps::Row::move_obstacles(double to) {
  for (const StepBody& body : step_.bodies) {
    if (!is_obstacle(body.id)) continue;
    const std::span<const Vec3> start = body.x_t0.positions(), end = flat_.part(std::as_const(ends_), body.id);
    const std::span<Vec3> x_t0 = flat_.part(flat_.x_t0, body.id), x_t1 = flat_.part(flat_.x_t1, body.id);
    for (std::size_t i = 0; i < start.size(); ++i) x_t0[i] = x_t1[i] = start[i] + to * (end[i] - start[i]);
  }
}

// Forces of pairs that are answered without a proof. False: the budget ran out.
bool ContactSteps::Row::push_unproved(const Island& island, const Budget& budget) {
  if (!settings_.unproved || !settings_.unproved->adds_forces()) return true;
  forces_.assign(flat_.size(), Vec3::Zero());
  if (!settings_.unproved->add_forces(step_, flat_, forces_, unproved_impacts_, budget)) complete_ = false;
  if (!complete_) return false;
  for (const BodyId body : island.bodies)
    if (bodies_[body.index()].is_predicted) bodies_[body.index()].model->apply_forces(flat_.part(forces_, body));
  return true;
}

ContactSteps::Row::HalfSpaces ContactSteps::Row::half_spaces(const Island& island, std::size_t slot) const {
  HalfSpaces held;
  for (const std::uint32_t contact : island.held[slot]) {
    const std::optional<SurfaceConstraint> half = constraints_.half_space(contact, island.bodies[slot], flat_);
    if (!half) continue;
    held.contacts.push_back(contact);
    held.constraints.push_back(*half);
  }
  return held;
}

// False: it is in trouble.
bool ContactSteps::Row::take_end(BodyId body, const HalfSpaces& held, const Prediction& end) {
  for (const std::uint32_t contact : held.contacts) constraints_.leave(contact);
  for (std::size_t i = 0; i < held.contacts.size(); ++i)
    if (end.impulses[i] != Vec3::Zero()) constraints_.hold(held.contacts[i], body, end.impulses[i]);
  note(status_[body.index()], end.status);
  if (!end.status.ok()) return false;
  std::copy(end.positions.begin(), end.positions.end(), flat_.part(flat_.x_t1, body).begin());
  std::copy(end.velocities.begin(), end.velocities.end(), flat_.part(flat_.v_t1, body).begin());
  return true;
}

// Contacts with obstacles act within the predictions, those between bodies that give way within them all together.
// False: the budget ran out, or a body is in trouble.
bool ContactSteps::Row::predict(const Island& island, double seconds, const Budget& budget) {
  JointContacts joint(constraints_, island.joint, flat_);
  for (std::size_t b = 0; b < island.bodies.size(); ++b) {
    const BodyId body = island.bodies[b];
    const SteppedBody& stepped = bodies_[body.index()];
    if (!stepped.is_predicted) {  // stays where it was left
      const std::span<const Vec3> x = flat_.part(std::as_const(flat_.x_t0), body);
      const std::span<Vec3> v = flat_.part(flat_.v_t1, body);
      std::copy(x.begin(), x.end(), flat_.part(flat_.x_t1, body).begin());
      std::fill(v.begin(), v.end(), Vec3::Zero());
      continue;
    }
    if (!joint.vertices(body).empty()) continue;
    if (!in_time(budget)) return false;
    const HalfSpaces held = half_spaces(island, b);
    if (!take_end(body, held, stepped.model->predict(seconds, held.constraints))) return false;
  }
  return joint.empty() || predict_together(island, seconds, joint, budget);
}

bool ContactSteps::Row::predict_together(const Island& island, double seconds, JointContacts& joint,
                                         const Budget& budget) {
  std::vector<BodyId> together;
  std::vector<HalfSpaces> held;
  for (std::size_t b = 0; b < island.bodies.size(); ++b) {
    const BodyId body = island.bodies[b];
    if (joint.vertices(body).empty()) continue;
    together.push_back(body);
    held.push_back(half_spaces(island, b));
    bodies_[body.index()].model->begin_rounds(seconds, held.back().constraints, joint.vertices(body));
  }
  for (int round = 1; round <= kMostRounds; ++round) {
    if (!in_time(budget)) return false;
    for (const BodyId body : together) bodies_[body.index()].model->round(joint.vertices(body));
    joint.solve(kRoundSweeps);
    if (!joint.settled() && round < island.enough_rounds) continue;
    const bool balanced = std::all_of(together.begin(), together.end(), [&](BodyId body) {
      return bodies_[body.index()].model->in_balance(joint.vertices(body));
    });
    if (balanced) break;
  }
  joint.finish(constraints_);
  for (const std::uint32_t k : island.joint) {
    const Contact& contact = constraints_.contact(k);
    for (const BodyId body : {contact.a.body, contact.b.body})
      if (bodies_[body.index()].model->kicks_last()) constraints_.stop(k);
  }
  bool well = true;
  for (std::size_t i = 0; i < together.size(); ++i) {
    const BodyId body = together[i];
    well = take_end(body, held[i], bodies_[body.index()].model->end_rounds(joint.vertices(body))) && well;
  }
  return well;
}

void ContactSteps::Row::commit(const Island& island) {
  for (const BodyId body : island.bodies) {
    const std::span<const Vec3> x = flat_.part(std::as_const(flat_.x_t1), body);
    if (bodies_[body.index()].is_predicted)
      bodies_[body.index()].model->commit(x, flat_.part(std::as_const(flat_.v_t1), body));
    std::copy(x.begin(), x.end(), flat_.part(flat_.x_t0, body).begin());
  }
}

void ContactSteps::Row::restore() {
  for (std::size_t b = 0; b < start_.size(); ++b)
    if (start_[b]) bodies_[b].model->restore(*start_[b]);
}

ContactSteps::ContactSteps(Step& step, std::span<const SteppedBody> bodies, const ContactStepSettings& settings)
    : row_(std::make_unique<Row>(step, bodies, settings)) {}
ContactSteps::~ContactSteps() = default;
bool ContactSteps::add(std::span<const Contact> contacts) { return row_->add(contacts); }
bool ContactSteps::add(std::span<const CarriedContact> contacts) { return row_->add(contacts); }
void ContactSteps::move(const Budget& budget) { row_->move(budget); }
bool ContactSteps::complete() const { return row_->complete(); }
std::span<const StepStatus> ContactSteps::status() const { return row_->status(); }
std::vector<Impact> ContactSteps::impacts() const { return row_->impacts(); }
const std::vector<Contact>& ContactSteps::unforeseen() const { return row_->unforeseen(); }
const std::vector<CarriedContact>& ContactSteps::unforeseen_carried() const { return row_->unforeseen_carried(); }
void ContactSteps::restore() { row_->restore(); }

}  // namespace pliant
