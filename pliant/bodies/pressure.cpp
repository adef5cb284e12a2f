#include "pliant/bodies/pressure.h"

#include <algorithm>
#include <cmath>

#include "pliant/bodies/pins.h"
#include "pliant/core/error.h"

namespace pliant {

PressureBody::PressureBody(const MeshPtr& mesh, const PressureSettings& settings)
    : PressureBody(settings, PressureForces(mesh, settings.material)) {}

PressureBody::PressureBody(const PressureSettings& settings, PressureForces forces)
    : BodyModel(forces.mesh(), {forces.mesh()->positions().begin(), forces.mesh()->positions().end()},
                with_pins(forces.lumped_masses(), settings.pinned)),
      settings_(settings),
      forces_(std::move(forces)) {
  if (!settings.gravity.allFinite()) throw Error("gravity is not finite");
  if (settings.max_substeps < 1) throw Error("max_substeps must be positive");
}

double PressureBody::stable_step() const {
  const OscillationBound b = forces_.bound(state().x, inverse_masses());
  if (settings_.integrator == PressureIntegrator::runge_kutta4)
    return 0.8 * 2.6 / std::max(std::sqrt(b.omega_sq), b.gamma);
  // v += h (-omega^2 x - gamma v), x += h v has its roots in the unit disc while h^2 omega^2 + 2 h gamma < 4.
  return 0.5 * 4 / (b.gamma + std::sqrt(b.gamma * b.gamma + 4 * b.omega_sq));
}

StepStatus PressureBody::advance(double seconds, ParticleState& next) {
  const std::span<const double> inverse = inverse_masses();
  const std::span<const Vec3> external = external_forces();
  const auto accelerate = [&](std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> a) {
    std::copy(external.begin(), external.end(), a.begin());
    forces_.add_forces(x, v, a);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = inverse[i] > 0 ? Vec3(inverse[i] * a[i] + settings_.gravity) : Vec3(Vec3::Zero());
  };
  StepStatus status;
  const double count = std::max(1.0, std::ceil(seconds / stable_step()));
  if (!(count <= settings_.max_substeps)) {
    status.trouble = std::isnan(count) ? Trouble::not_finite : Trouble::too_many_substeps;
    return status;
  }
  const double h = seconds / count;
  if (settings_.integrator == PressureIntegrator::velocity_verlet) verlet_.begin(next, accelerate);
  for (status.substeps = 0; status.substeps < count; ++status.substeps) {
    switch (settings_.integrator) {
      case PressureIntegrator::symplectic_euler:
        euler_.step(next, h, accelerate);
        break;
      case PressureIntegrator::velocity_verlet:
        verlet_.step(next, h, accelerate);
        break;
      case PressureIntegrator::runge_kutta4:
        runge_kutta_.step(next, h, accelerate);
        break;
    }
  }
  status.shortest_substep = h;
  status.volume_clamped = forces_.volume(next.x) < forces_.least_volume();
  return status;
}

}  // namespace pliant
