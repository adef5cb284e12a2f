#include "pliant/world/contact_steps.h"

#include <algorithm>
#include <cmath>

#include "pliant/response/contact_constraints.h"
#include "pliant/world/unproved_pairs.h"

namespace pliant {
namespace {

// Of a short step: what they leave open the next one goes on with.
constexpr int kSweeps = 4;

std::span<Vec3> part_of(std::vector<Vec3>& row, const FlatStep& flat, const StepBody& body) {
  return std::span(row).subspan(flat.first[body.id.index()], body.x_t1.size());
}

// One row of short steps.
class Stepping {
 public:
  Stepping(Step& step, std::span<const SteppedBody> bodies, const ContactStepSettings& settings, const Budget& budget)
      : step_(step),
        bodies_(bodies),
        count_(settings.count),
        unproved_(settings.unproved),
        budget_(budget),
        flat_(step),
        row_end_(flat_.x_t1),
        row_start_(flat_.x_t0) {
    result_.status.resize(bodies.size());
    for (const StepBody& body : step.bodies)
      is_obstacle_.push_back(
          std::all_of(body.masses.begin(), body.masses.end(), [](double m) { return std::isinf(m); }));
  }

  ContactSteps run(std::span<const Contact> contacts, const ResolverSettings& settings) {
    ContactConstraints constraints(step_, settings);
    constraints.add(contacts, flat_);
    flat_.seconds = step_.seconds / count_;
    for (const StepBody& body : step_.bodies)
      with_obstacles_.push_back(bodies_[body.id.index()].is_predicted ? constraints.with_obstacles(body.id, flat_)
                                                                      : std::vector<std::size_t>{});
    for (int k = 0; k < count_ && result_.ok(); ++k) {
      constraints.begin_short_step();
      move_others(k);
      if (!push_unproved() || !predict(constraints) || !move_unproved()) return std::move(result_);
      constraints.solve_positions(flat_, kSweeps);
      constraints.solve_velocities(flat_, kSweeps);
      commit();
    }
    std::vector<Impact> proved = constraints.impacts();
    result_.impacts.insert(result_.impacts.begin(), proved.begin(), proved.end());
    flat_.x_t1 = flat_.x_t0;
    for (StepBody& body : step_.bodies)
      if (!bodies_[body.id.index()].is_predicted && is_obstacle(body)) restore_end(body);
    flat_.write_to(step_);
    return std::move(result_);
  }

 private:
  bool is_obstacle(const StepBody& body) const { return is_obstacle_[body.id.index()]; }

  // An obstacle ends exactly where it was going.
  void restore_end(const StepBody& body) {
    const std::span<const Vec3> end = part_of(row_end_, flat_, body);
    std::copy(end.begin(), end.end(), part_of(flat_.x_t1, flat_, body).begin());
  }

  // Obstacles go on on their straight ways; sleepers stay.
  void move_others(int k) {
    const double fraction = (k + 1.0) / count_;
    for (const StepBody& body : step_.bodies) {
      if (bodies_[body.id.index()].is_predicted) continue;
      const std::span<Vec3> x = part_of(flat_.x_t1, flat_, body);
      const std::span<Vec3> v = part_of(flat_.v_t1, flat_, body);
      if (is_obstacle(body)) {
        const std::span<const Vec3> from = part_of(row_start_, flat_, body), to = part_of(row_end_, flat_, body);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = from[i] + fraction * (to[i] - from[i]);
      } else {
        const std::span<const Vec3> from = part_of(flat_.x_t0, flat_, body);
        std::copy(from.begin(), from.end(), x.begin());
        std::fill(v.begin(), v.end(), Vec3::Zero());
      }
    }
  }

  // Forces of pairs that are answered without a proof. False: the budget ran out.
  bool push_unproved() {
    if (!unproved_) return true;
    forces_.assign(flat_.size(), Vec3::Zero());
    result_.complete = unproved_->add_forces(step_, flat_, forces_, result_.impacts, budget_);
    if (!result_.complete) return false;
    for (const StepBody& body : step_.bodies)
      if (bodies_[body.id.index()].is_predicted)
        bodies_[body.id.index()].model->apply_forces(part_of(forces_, flat_, body));
    return true;
  }

  bool move_unproved() {
    if (unproved_) result_.complete = unproved_->move_ends(step_, flat_, result_.impacts, budget_);
    return result_.complete;
  }

  // Contacts with obstacles act within the predictions.
  bool predict(ContactConstraints& constraints) {
    for (const StepBody& body : step_.bodies) {
      const SteppedBody& stepped = bodies_[body.id.index()];
      if (!stepped.is_predicted) continue;
      if (budget_.cancelled() || budget_.past_deadline()) {
        result_.complete = false;
        return false;
      }
      held_.clear();
      half_spaces_.clear();
      for (const std::size_t contact : with_obstacles_[body.id.index()]) {
        const std::optional<SurfaceConstraint> half = constraints.half_space(contact, body.id, flat_);
        if (!half) continue;
        held_.push_back(contact);
        half_spaces_.push_back(*half);
      }
      const Prediction end = stepped.model->predict(flat_.seconds, half_spaces_);
      for (std::size_t i = 0; i < held_.size(); ++i)
        if (end.impulses[i] != Vec3::Zero()) constraints.hold(held_[i], body.id, end.impulses[i]);
      note(result_.status[body.id.index()], end.status);
      std::copy(end.positions.begin(), end.positions.end(), part_of(flat_.x_t1, flat_, body).begin());
      std::copy(end.velocities.begin(), end.velocities.end(), part_of(flat_.v_t1, flat_, body).begin());
    }
    return result_.ok();
  }

  static void note(StepStatus& all, const StepStatus& one) {
    all.substeps += one.substeps;
    all.solver_iterations += one.solver_iterations;
    all.inverted_elements = one.inverted_elements;
    all.volume_clamped = all.volume_clamped || one.volume_clamped;
    if (all.ok()) all.trouble = one.trouble;
  }

  void commit() {
    for (const StepBody& body : step_.bodies)
      if (bodies_[body.id.index()].is_predicted)
        bodies_[body.id.index()].model->commit(part_of(flat_.x_t1, flat_, body), part_of(flat_.v_t1, flat_, body));
    flat_.x_t0 = flat_.x_t1;
  }

  Step& step_;
  std::span<const SteppedBody> bodies_;
  int count_;
  UnprovedPairs* unproved_;
  const Budget& budget_;
  FlatStep flat_;  // of the short step
  std::vector<Vec3> row_end_, row_start_;
  std::vector<bool> is_obstacle_;
  std::vector<std::vector<std::size_t>> with_obstacles_;  // by body: contacts that act within its prediction
  std::vector<std::size_t> held_;                         // those of one prediction
  std::vector<SurfaceConstraint> half_spaces_;            // the same, as it takes them
  std::vector<Vec3> forces_;                              // by row: of pairs without a proof
  ContactSteps result_;
};

}  // namespace

bool ContactSteps::ok() const {
  return std::all_of(status.begin(), status.end(), [](const StepStatus& one) { return one.ok(); });
}

ContactSteps take_contact_steps(Step& step, std::span<const SteppedBody> bodies, std::span<const Contact> contacts,
                                const ContactStepSettings& settings, const Budget& budget) {
  return Stepping(step, bodies, settings, budget).run(contacts, settings.response);
}

}  // namespace pliant
