#include "pliant/bodies/body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/geometry/extent.h"

namespace pliant {
namespace {

// Far beyond anything elastic: a body that large has exploded, even if its numbers are still finite.
constexpr double kRunawayGrowth = 1000;

// Zero times what is not finite is no number. Summed up in four ways, because one would wait for itself.
bool all_finite(std::span<const Vec3> values) {
  if (values.empty()) return true;
  const double* const numbers = values[0].data();
  const std::size_t count = 3 * values.size();
  double sums[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += 0 * numbers[i + k];
  for (; i < count; ++i) sums[0] += 0 * numbers[i];
  return sums[0] + sums[1] + sums[2] + sums[3] == 0;
}

void require_vectors(std::span<const Vec3> values, std::size_t count, const char* what) {
  if (values.size() != count)
    throw Error(std::string(what) + ": " + std::to_string(values.size()) + " given",
                "give one for each of the " + std::to_string(count) + " vertices");
  if (all_finite(values)) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].allFinite())
      throw Error(ErrorPlace{.element = "vertex " + std::to_string(i)}, std::string(what) + " are not finite");
  }
}

void require_constraint(const SurfaceConstraint& c, std::size_t index, std::size_t vertex_count) {
  const auto refuse = [index](const std::string& what, const std::string& remedy) {
    throw Error(ErrorPlace{.element = "constraint " + std::to_string(index)}, what, remedy);
  };
  double sum = 0, least = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (!(std::abs(c.weights[k]) <= 1)) refuse("a weight is not between -1 and 1", "give those of a point");
    least = std::min(least, c.weights[k]);
    if (c.weights[k] != 0 && c.vertices[k].index() >= vertex_count)
      refuse("it names vertex " + std::to_string(c.vertices[k].value),
             "the surface has " + std::to_string(vertex_count) + " vertices");
    sum += c.weights[k];
  }
  constexpr double kRounding = 1e-6;
  const bool is_point = least >= 0 && c.weights[3] == 0 && std::abs(sum - 1) <= kRounding;
  if (!is_point && !(least < 0 && std::abs(sum) <= kRounding))
    refuse("the weights do not add up to 1 or, of two points, to 0", "give those of a point or of two");
  if (!(std::abs(c.normal.squaredNorm() - 1) <= kRounding)) refuse("the normal is not of length 1", "normalise it");
  if (!std::isfinite(c.offset) || !c.velocity.allFinite()) refuse("a number is not finite", "give finite ones");
  if (!(c.from >= 0) || !(c.keep >= 0)) refuse("a time or length is negative", "give 0 or more");
  if (!(c.friction >= 0) || !std::isfinite(c.friction)) refuse("the friction is not 0 or more", "give a coefficient");
}

std::vector<double> inverted(std::span<const double> masses) {
  std::vector<double> inverse(masses.size());
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (!(masses[i] > 0))
      throw Error(ErrorPlace{.element = "vertex " + std::to_string(i)}, "the mass is not positive",
                  "give it mass or pin it; a vertex on no face has none");
    inverse[i] = 1 / masses[i];
  }
  return inverse;
}

}  // namespace

std::string_view describe(Trouble trouble) {
  switch (trouble) {
    case Trouble::not_finite:
      return "positions became infinite or not a number: shorten the step or soften the material";
    case Trouble::runaway:
      return "the body grew beyond a thousand times its size: shorten the step or soften the material";
    case Trouble::too_many_substeps:
      return "the material is too stiff for so few sub-steps: raise max_substeps, shorten the step, soften the "
             "material, "
             "or (fem) integrate implicitly";
    case Trouble::solver_failed:
      return "the implicit solver found no step: shorten the step";
    case Trouble::motion_unreadable:
      return "the motion that it follows cannot be read there, or is not finite: mend its file";
    case Trouble::none:
      break;
  }
  return "no trouble";
}

BodyModel::BodyModel(MeshPtr mesh, std::vector<Vec3> nodes, std::vector<double> masses)
    : mesh_(std::move(mesh)),
      masses_(std::move(masses)),
      inverse_masses_(inverted(masses_)),
      rest_size_(extent_of(nodes).largest_side()) {
  state_.v.assign(nodes.size(), Vec3::Zero());
  forces_.assign(nodes.size(), Vec3::Zero());
  state_.x = std::move(nodes);
}

double BodyModel::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < state_.v.size(); ++i)
    if (inverse_masses_[i] > 0) sum += masses_[i] * state_.v[i].squaredNorm();
  return sum / 2;
}

double BodyModel::gravitational_energy() const {
  const Vec3 g = gravity();
  double sum = 0;
  for (std::size_t i = 0; i < state_.x.size(); ++i)
    if (inverse_masses_[i] > 0) sum -= masses_[i] * g.dot(state_.x[i]);
  return sum;
}

Trouble BodyModel::find_trouble(const ParticleState& next) const {
  if (!all_finite(next.x) || !all_finite(next.v)) return Trouble::not_finite;
  if (extent_of(next.x).largest_side() > kRunawayGrowth * rest_size_) return Trouble::runaway;
  return Trouble::none;
}

void BodyModel::require_step(double seconds, std::span<const SurfaceConstraint> constraints) const {
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw Error("a step of " + std::to_string(seconds) + " s", "steps must be positive and finite");
  for (std::size_t i = 0; i < constraints.size(); ++i) require_constraint(constraints[i], i, mesh_->vertex_count());
}

Prediction BodyModel::predict(double seconds, std::span<const SurfaceConstraint> constraints) {
  require_step(seconds, constraints);
  next_ = state_;
  impulses_.assign(constraints.size(), Vec3::Zero());
  const StepStatus status =
      constraints.empty() ? advance(seconds, next_) : advance_constrained(seconds, constraints, next_, impulses_);
  return predicted(seconds, status);
}

Prediction BodyModel::predicted(double seconds, StepStatus status) {
  if (status.ok()) status.trouble = find_trouble(next_);
  predicted_seconds_ = status.ok() ? seconds : 0;
  const ParticleState& end = status.ok() ? next_ : state_;
  if (!status.ok()) std::fill(impulses_.begin(), impulses_.end(), Vec3::Zero());
  return {surface(end.x), surface(end.v), status, impulses_};
}

void BodyModel::begin_rounds(double seconds, std::span<const SurfaceConstraint> constraints,
                             std::span<JointVertex> vertices) {
  require_step(seconds, constraints);
  for (const JointVertex& one : vertices)
    if (one.vertex.index() >= mesh_->vertex_count() || !(inverse_masses_[one.vertex.index()] > 0))
      throw Error(ErrorPlace{.element = "vertex " + std::to_string(one.vertex.value)},
                  "contacts push no such vertex of the surface");
  next_ = state_;
  round_constraints_.assign(constraints.begin(), constraints.end());
  impulses_.assign(constraints.size(), Vec3::Zero());
  rounds_seconds_ = seconds;
  start_rounds(seconds, round_constraints_, vertices);
}

Prediction BodyModel::end_rounds(std::span<const JointVertex> vertices) {
  const StepStatus status = finish_rounds(vertices, next_, impulses_);
  return predicted(rounds_seconds_, status);
}

void BodyModel::start_rounds(double seconds, std::span<const SurfaceConstraint>, std::span<JointVertex> vertices) {
  for (JointVertex& one : vertices)
    one.compliance = seconds * seconds * inverse_masses_[one.vertex.index()] * Eigen::Matrix3d::Identity();
}

StepStatus BodyModel::advance_under(std::span<const JointVertex> vertices, ParticleState& next,
                                    std::span<Vec3> impulses) {
  const std::vector<Vec3> outer = forces_;
  for (const JointVertex& one : vertices) forces_[one.vertex.index()] += one.force;
  next = state_;
  std::fill(impulses.begin(), impulses.end(), Vec3::Zero());
  const StepStatus status = round_constraints_.empty()
                                ? advance(rounds_seconds_, next)
                                : advance_constrained(rounds_seconds_, round_constraints_, next, impulses);
  forces_ = outer;
  return status;
}

void BodyModel::round(std::span<JointVertex> vertices) {
  advance_under(vertices, next_, impulses_);
  for (JointVertex& one : vertices) one.moved = next_.x[one.vertex.index()] - state_.x[one.vertex.index()];
}

StepStatus BodyModel::finish_rounds(std::span<const JointVertex> vertices, ParticleState& next,
                                    std::span<Vec3> impulses) {
  return advance_under(vertices, next, impulses);
}

StepStatus BodyModel::advance_constrained(double seconds, std::span<const SurfaceConstraint>, ParticleState& next,
                                          std::span<Vec3>) {
  return advance(seconds, next);
}

void BodyModel::apply_forces(std::span<const Vec3> forces) {
  require_vectors(forces, mesh_->vertex_count(), "forces");
  for (std::size_t i = 0; i < forces.size(); ++i) forces_[i] += forces[i];
}

void BodyModel::apply_impulses(std::span<const Vec3> impulses) {
  require_vectors(impulses, mesh_->vertex_count(), "impulses");
  for (std::size_t i = 0; i < impulses.size(); ++i) state_.v[i] += inverse_masses_[i] * impulses[i];
}

void BodyModel::commit(std::span<const Vec3> positions, std::span<const Vec3> velocities, double fraction) {
  require_vectors(positions, mesh_->vertex_count(), "positions");
  require_vectors(velocities, mesh_->vertex_count(), "velocities");
  if (!(fraction >= 0 && fraction <= 1)) throw Error("a fraction of a step outside [0, 1]");
  if (predicted_seconds_ > 0) commit_inner_nodes(fraction);
  // The spans may be those of the prediction or of the state itself.
  std::copy(positions.begin(), positions.end(), state_.x.begin());
  std::copy(velocities.begin(), velocities.end(), state_.v.begin());
  seconds_ += fraction * predicted_seconds_;
  predicted_seconds_ = 0;
  std::fill(forces_.begin(), forces_.end(), Vec3::Zero());
}

void BodyModel::commit_inner_nodes(double fraction) {
  for (std::size_t i = mesh_->vertex_count(); i < state_.x.size(); ++i) {
    if (fraction == 1) {  // not by the formula below, which rounds
      state_.x[i] = next_.x[i];
      state_.v[i] = next_.v[i];
    } else {
      state_.x[i] += fraction * (next_.x[i] - state_.x[i]);
      state_.v[i] += fraction * (next_.v[i] - state_.v[i]);
    }
  }
}

BodyState BodyModel::snapshot() const {
  forget();
  return {seconds_, state_.x, state_.v, forces_};
}

void BodyModel::restore(const BodyState& state) {
  require_vectors(state.positions, state_.x.size(), "positions");
  require_vectors(state.velocities, state_.v.size(), "velocities");
  require_vectors(state.forces, forces_.size(), "forces");
  forget();
  seconds_ = state.seconds;
  state_.x = state.positions;
  state_.v = state.velocities;
  forces_ = state.forces;
  predicted_seconds_ = 0;
}

}  // namespace pliant
