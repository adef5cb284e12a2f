#include "pliant/bodies/pressure_motion.h"

#include <algorithm>

namespace pliant {

GasLayout::Same PressureMotion::take(const ParticleState& state) {
  nodes_.resize(forces_.layout().node_count() * gas::kNode, 0);
  return forces_.layout().pack(state.x, state.v, inverse_masses_, nodes_);
}

void PressureMotion::measure(const ParticleState& state) {
  spring_.resize(forces_.layout().node_count() * gas::kVector);
  gradient_.resize(spring_.size());
  origin_ = mean_of(state.x);
  measured_ = gas::measure(forces_.layout().arrays(), nodes_.data(), origin_.data(), spring_.data(), gradient_.data());
  steps_since_ = 0;
  is_measured_ = true;
  knows_end_ = false;
}

OscillationBound PressureMotion::bound(const ParticleState& state) {
  const GasLayout::Same same = take(state);
  if (!(same.positions && same.velocities && is_measured_)) measure(state);
  return forces_.bound(measured_, inverse_masses_);
}

OscillationBound PressureMotion::begin(const ParticleState& state, const Outer& outer) {
  const GasLayout::Same same = take(state);
  const bool goes_on = knows_end_ && steps_since_ < kMostSteps;
  if (!(same.positions && ((same.velocities && is_measured_) || goes_on))) measure(state);
  is_measured_ = knows_end_ = false;
  ++steps_since_;
  pull(outer);
  return forces_.bound(measured_, inverse_masses_);
}

// Most bodies feel nothing but gravity, step after step.
void PressureMotion::pull(const Outer& outer) {
  const bool plain =
      std::all_of(outer.forces.begin(), outer.forces.end(), [](const Vec3& f) { return f == Vec3::Zero(); });
  if (plain && pulled_by_ == outer.gravity) return;
  pulled_by_.reset();
  if (plain) pulled_by_ = outer.gravity;
  acceleration_.resize(forces_.layout().node_count() * gas::kVector, 0);
  for (std::size_t i = 0; i < outer.forces.size(); ++i) {
    const double inverse = inverse_masses_[i];
    const Vec3 a = inverse > 0 ? Vec3(inverse * outer.forces[i] + outer.gravity) : Vec3(Vec3::Zero());
    std::copy_n(a.data(), 3, acceleration_.data() + gas::kVector * forces_.layout().node_of(i));
  }
}

void PressureMotion::evaluate() {
  measured_.volume =
      gas::evaluate(forces_.layout().arrays(), nodes_.data(), origin_.data(), spring_.data(), gradient_.data());
}

// Springs and gas are known where Verlet ends.
void PressureMotion::finish_verlet(double h) {
  evaluate();
  kick(h / 2, 0);
  contacts_.settle(nodes_);
  knows_end_ = true;
}

void PressureMotion::kick(double seconds, double drift) {
  gas::move({spring_.size() / gas::kVector, spring_.data(), gradient_.data(), acceleration_.data(),
             forces_.excess_pressure(measured_.volume), seconds, drift},
            nodes_.data());
}

void PressureMotion::drift(double time, double h) {
  contacts_.stop(nodes_, time, h);
  gas::GasMove still{spring_.size() / gas::kVector, spring_.data(), gradient_.data(), acceleration_.data(), 0, 0, h};
  gas::move(still, nodes_.data());
  contacts_.lift(nodes_, time + h);
}

void PressureMotion::symplectic_euler(Steps steps, std::span<const SurfaceConstraint> constraints,
                                      std::span<Vec3> impulses) {
  contacts_.begin(constraints, forces_.layout(), nodes_, steps.h * steps.count);
  for (int k = 0; k < steps.count; ++k) {
    if (k > 0) evaluate();
    kick(steps.h, contacts_.empty() ? steps.h : 0);
    if (!contacts_.empty()) drift(k * steps.h, steps.h);
  }
  contacts_.add_impulses(impulses);
}

void PressureMotion::velocity_verlet(Steps steps, std::span<const SurfaceConstraint> constraints,
                                     std::span<Vec3> impulses) {
  contacts_.begin(constraints, forces_.layout(), nodes_, steps.h * steps.count);
  for (int k = 0; k < steps.count; ++k) {
    if (k > 0) evaluate();
    kick(k > 0 ? steps.h : steps.h / 2, contacts_.empty() ? steps.h : 0);
    if (!contacts_.empty()) drift(k * steps.h, steps.h);
  }
  finish_verlet(steps.h);
  contacts_.add_impulses(impulses);
}

void PressureMotion::join(double h, bool verlet, std::span<const SurfaceConstraint> constraints,
                          std::span<JointVertex> vertices) {
  h_ = h;
  verlet_ = verlet;
  contacts_.begin(constraints, forces_.layout(), nodes_, h);
  kick(verlet ? h / 2 : h, 0);
  coupled_ = std::any_of(vertices.begin(), vertices.end(), [&](const JointVertex& one) {
    return contacts_.touches(forces_.layout().node_of(one.vertex.index()));
  });
  if (!coupled_) contacts_.stop(nodes_, 0, h);
  kicked_ = nodes_;
  for (JointVertex& one : vertices)
    one.compliance = h * h * inverse_masses_[one.vertex.index()] * Eigen::Matrix3d::Identity();
}

// What forces of contacts with other bodies do to the velocities, and then obstacles that touch the same vertices.
void PressureMotion::push(std::span<const JointVertex> vertices) {
  if (coupled_) nodes_ = kicked_;
  for (const JointVertex& one : vertices) {
    const std::size_t at = gas::kNode * forces_.layout().node_of(one.vertex.index()) + gas::kVector;
    for (std::size_t k = 0; k < 3; ++k)
      nodes_[at + k] = kicked_[at + k] + h_ * inverse_masses_[one.vertex.index()] * one.force[static_cast<int>(k)];
  }
  if (!coupled_) return;
  contacts_.forget_impulses();
  contacts_.stop(nodes_, 0, h_);
}

void PressureMotion::round(std::span<JointVertex> vertices) {
  push(vertices);
  for (JointVertex& one : vertices) {
    const double* const v = nodes_.data() + gas::kNode * forces_.layout().node_of(one.vertex.index()) + gas::kVector;
    one.moved = h_ * Vec3(v[0], v[1], v[2]);
  }
}

void PressureMotion::part(std::span<const JointVertex> vertices, std::span<Vec3> impulses) {
  push(vertices);
  gas::GasMove still{spring_.size() / gas::kVector, spring_.data(), gradient_.data(), acceleration_.data(), 0, 0, h_};
  gas::move(still, nodes_.data());
  contacts_.lift(nodes_, h_);
  if (verlet_) finish_verlet(h_);
  contacts_.add_impulses(impulses);
}

void PressureMotion::finish(ParticleState& next) const {
  for (std::size_t i = 0; i < next.x.size(); ++i) {
    const double* const node = nodes_.data() + gas::kNode * forces_.layout().node_of(i);
    next.x[i] = Vec3(node[0], node[1], node[2]);
    next.v[i] = Vec3(node[gas::kVector], node[gas::kVector + 1], node[gas::kVector + 2]);
  }
}

}  // namespace pliant
