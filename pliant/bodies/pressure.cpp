#include "pliant/bodies/pressure.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "pliant/bodies/integrators.h"
#include "pliant/bodies/pins.h"
#include "pliant/bodies/pressure_forces.h"
#include "pliant/bodies/pressure_motion.h"
#include "pliant/core/error.h"
#include "pliant/mesh/topology.h"

namespace pliant {

struct PressureBody::Parts {
  Parts(const MeshPtr& mesh, const PressureSettings& s) : settings(s), forces(mesh, s.material, s.grows) {
    if (!settings.gravity.allFinite()) throw Error("gravity is not finite");
    if (settings.max_substeps < 1) throw Error("max_substeps must be positive");
  }

  double stable_step(const OscillationBound& b) const {
    if (settings.integrator == PressureIntegrator::runge_kutta4)
      return 0.8 * 2.6 / std::max(std::sqrt(b.omega_sq), b.gamma);
    // v += h (-omega^2 x - gamma v), x += h v has its roots in the unit disc while h^2 omega^2 + 2 h gamma < 4.
    return kStable * 4 / (b.gamma + std::sqrt(b.gamma * b.gamma + 4 * b.omega_sq));
  }

  PressureMotion::Outer outer(std::span<const Vec3> forces) const { return {settings.gravity, forces}; }

  // Of what is stable.
  static constexpr double kStable = 0.75;
  // A step in rounds was chosen some steps ago: it may be so much longer than what is chosen now.
  static constexpr double kStiffened = 1.2;
  StepStatus round_status;
  PressureSettings settings;
  PressureForces forces;
  std::optional<PressureMotion> motion;
  RungeKutta4 runge_kutta;
};

PressureBody::PressureBody(const MeshPtr& mesh, const PressureSettings& settings)
    : PressureBody(std::make_unique<Parts>(mesh, settings)) {}

PressureBody::PressureBody(std::unique_ptr<Parts> parts)
    : BodyModel(parts->forces.mesh(),
                {parts->forces.mesh()->positions().begin(), parts->forces.mesh()->positions().end()},
                with_pins(parts->forces.lumped_masses(), parts->settings.pinned)),
      parts_(std::move(parts)) {
  parts_->motion.emplace(parts_->forces, inverse_masses());
}

PressureBody::~PressureBody() = default;

double PressureBody::volume() const { return parts_->forces.volume(positions()); }
double PressureBody::rest_volume() const { return parts_->forces.rest_volume(); }
double PressureBody::pressure() const { return parts_->forces.pressure(positions()); }
double PressureBody::potential_energy() const { return parts_->forces.energy(state().x); }
Vec3 PressureBody::gravity() const { return parts_->settings.gravity; }

double PressureBody::stable_step() const { return parts_->stable_step(parts_->motion->bound(state())); }

// Contacts with obstacles act at its own sub-steps; those with what gives way only between predictions.
double PressureBody::contact_seconds() const { return std::min(BodyModel::contact_seconds(), 4 * stable_step()); }

double PressureBody::straight_seconds() const {
  double fastest = 0;
  for (const Edge& e : mesh()->topology().edges()) {
    const std::size_t a = e[0].index(), b = e[1].index();
    const double length_sq = (state().x[b] - state().x[a]).squaredNorm();
    fastest = std::max(fastest, (state().v[b] - state().v[a]).squaredNorm() / length_sq);
  }
  return fastest > 0 ? 1 / std::sqrt(fastest) : BodyModel::straight_seconds();
}

StepStatus PressureBody::advance(double seconds, ParticleState& next) {
  return advance_constrained(seconds, {}, next, {});
}

StepStatus PressureBody::advance_constrained(double seconds, std::span<const SurfaceConstraint> constraints,
                                             ParticleState& next, std::span<Vec3> impulses) {
  PressureMotion& motion = *parts_->motion;
  const double stable = parts_->stable_step(motion.begin(next, parts_->outer(external_forces())));
  StepStatus status;
  const double count = std::max(1.0, std::ceil(seconds / stable));
  if (!(count <= parts_->settings.max_substeps)) {
    status.trouble = std::isnan(count) ? Trouble::not_finite : Trouble::too_many_substeps;
    return status;
  }
  const PressureMotion::Steps steps{seconds / count, static_cast<int>(count)};
  switch (parts_->settings.integrator) {
    case PressureIntegrator::symplectic_euler:
      motion.symplectic_euler(steps, constraints, impulses);
      motion.finish(next);
      break;
    case PressureIntegrator::velocity_verlet:
      motion.velocity_verlet(steps, constraints, impulses);
      motion.finish(next);
      break;
    case PressureIntegrator::runge_kutta4:
      run_runge_kutta(steps.h, steps.count, next);
      break;
  }
  status.substeps = steps.count;
  status.shortest_substep = steps.h;
  status.volume_clamped = motion.volume() < parts_->forces.least_volume();
  return status;
}

void PressureBody::forget() const { parts_->motion->forget(); }

bool PressureBody::kicks_last() const { return parts_->settings.integrator == PressureIntegrator::velocity_verlet; }

double PressureBody::round_seconds() const {
  return parts_->settings.integrator == PressureIntegrator::runge_kutta4 ? 0 : stable_step();
}

void PressureBody::start_rounds(double seconds, std::span<const SurfaceConstraint> constraints,
                                std::span<JointVertex> vertices) {
  PressureMotion& motion = *parts_->motion;
  const double stable = parts_->stable_step(motion.begin(state(), parts_->outer(external_forces())));
  parts_->round_status = {.substeps = 1, .shortest_substep = seconds};
  if (!(seconds <= Parts::kStiffened * stable))
    parts_->round_status.trouble = std::isnan(stable) ? Trouble::not_finite : Trouble::too_many_substeps;
  motion.join(seconds, parts_->settings.integrator == PressureIntegrator::velocity_verlet, constraints, vertices);
}

void PressureBody::round(std::span<JointVertex> vertices) { parts_->motion->round(vertices); }

StepStatus PressureBody::finish_rounds(std::span<const JointVertex> vertices, ParticleState& next,
                                       std::span<Vec3> impulses) {
  PressureMotion& motion = *parts_->motion;
  motion.part(vertices, impulses);
  motion.finish(next);
  parts_->round_status.volume_clamped = motion.volume() < parts_->forces.least_volume();
  return parts_->round_status;
}

// Of everything besides springs and gas.
std::vector<Vec3> PressureBody::accelerations() const {
  std::vector<Vec3> result(state().x.size(), Vec3::Zero());
  const std::span<const double> inverse = inverse_masses();
  for (std::size_t i = 0; i < result.size(); ++i)
    if (inverse[i] > 0) result[i] = inverse[i] * external_forces()[i] + parts_->settings.gravity;
  return result;
}

void PressureBody::run_runge_kutta(double h, int count, ParticleState& next) {
  const std::span<const double> inverse = inverse_masses();
  const std::vector<Vec3> others = accelerations();
  const auto accelerate = [&](std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> a) {
    std::fill(a.begin(), a.end(), Vec3::Zero());
    parts_->forces.add_forces(x, v, a);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = inverse[i] * a[i] + others[i];
  };
  for (int k = 0; k < count; ++k) parts_->runge_kutta.step(next, h, accelerate);
}

}  // namespace pliant
