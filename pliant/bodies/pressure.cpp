#include "pliant/bodies/pressure.h"

#include <algorithm>
#include <cmath>

#include "pliant/bodies/integrators.h"
#include "pliant/bodies/pins.h"
#include "pliant/bodies/pressure_forces.h"
#include "pliant/core/error.h"

namespace pliant {

struct PressureBody::Parts {
  Parts(const MeshPtr& mesh, const PressureSettings& s) : settings(s), forces(mesh, s.material) {
    if (!settings.gravity.allFinite()) throw Error("gravity is not finite");
    if (settings.max_substeps < 1) throw Error("max_substeps must be positive");
  }

  PressureSettings settings;
  PressureForces forces;
  SymplecticEuler euler;
  VelocityVerlet verlet;
  RungeKutta4 runge_kutta;
};

PressureBody::PressureBody(const MeshPtr& mesh, const PressureSettings& settings)
    : PressureBody(std::make_unique<Parts>(mesh, settings)) {}

PressureBody::PressureBody(std::unique_ptr<Parts> parts)
    : BodyModel(parts->forces.mesh(),
                {parts->forces.mesh()->positions().begin(), parts->forces.mesh()->positions().end()},
                with_pins(parts->forces.lumped_masses(), parts->settings.pinned)),
      parts_(std::move(parts)) {}

PressureBody::~PressureBody() = default;

double PressureBody::volume() const { return parts_->forces.volume(positions()); }
double PressureBody::rest_volume() const { return parts_->forces.rest_volume(); }
double PressureBody::pressure() const { return parts_->forces.pressure(positions()); }
double PressureBody::potential_energy() const { return parts_->forces.energy(state().x); }
Vec3 PressureBody::gravity() const { return parts_->settings.gravity; }

double PressureBody::stable_step() const {
  const OscillationBound b = parts_->forces.bound(state().x, inverse_masses());
  if (parts_->settings.integrator == PressureIntegrator::runge_kutta4)
    return 0.8 * 2.6 / std::max(std::sqrt(b.omega_sq), b.gamma);
  // v += h (-omega^2 x - gamma v), x += h v has its roots in the unit disc while h^2 omega^2 + 2 h gamma < 4.
  return 0.5 * 4 / (b.gamma + std::sqrt(b.gamma * b.gamma + 4 * b.omega_sq));
}

StepStatus PressureBody::advance(double seconds, ParticleState& next) {
  const std::span<const double> inverse = inverse_masses();
  const std::span<const Vec3> external = external_forces();
  const auto accelerate = [&](std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> a) {
    std::copy(external.begin(), external.end(), a.begin());
    parts_->forces.add_forces(x, v, a);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = inverse[i] > 0 ? Vec3(inverse[i] * a[i] + parts_->settings.gravity) : Vec3(Vec3::Zero());
  };
  StepStatus status;
  const double count = std::max(1.0, std::ceil(seconds / stable_step()));
  if (!(count <= parts_->settings.max_substeps)) {
    status.trouble = std::isnan(count) ? Trouble::not_finite : Trouble::too_many_substeps;
    return status;
  }
  const double h = seconds / count;
  if (parts_->settings.integrator == PressureIntegrator::velocity_verlet) parts_->verlet.begin(next, accelerate);
  for (status.substeps = 0; status.substeps < count; ++status.substeps) {
    switch (parts_->settings.integrator) {
      case PressureIntegrator::symplectic_euler:
        parts_->euler.step(next, h, accelerate);
        break;
      case PressureIntegrator::velocity_verlet:
        parts_->verlet.step(next, h, accelerate);
        break;
      case PressureIntegrator::runge_kutta4:
        parts_->runge_kutta.step(next, h, accelerate);
        break;
    }
  }
  status.shortest_substep = h;
  status.volume_clamped = parts_->forces.volume(next.x) < parts_->forces.least_volume();
  return status;
}

}  // namespace pliant
