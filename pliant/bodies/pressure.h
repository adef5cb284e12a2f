// Balloons: closed surfaces of springs with gas inside.
#pragma once

#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/integrators.h"
#include "pliant/bodies/pressure_forces.h"

namespace pliant {

enum class PressureIntegrator {
  symplectic_euler,  // as in the paper; first order, keeps energy over long times
  velocity_verlet,   // second order, likewise, as cheap
  runge_kutta4,      // fourth order; four times the work for a step 1.3 times as long
};

struct PressureSettings {
  PressureMaterial material;
  PressureIntegrator integrator = PressureIntegrator::symplectic_euler;
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s^2
  std::vector<VertexId> pinned;
  int max_substeps = 10'000;  // in one predicted step
};

class PressureBody : public BodyModel {
 public:
  // Throws Error as PressureForces does, or for a pin that is no vertex.
  explicit PressureBody(const MeshPtr& mesh, const PressureSettings& settings = {});

  const PressureForces& forces() const { return forces_; }
  double volume() const { return forces_.volume(positions()); }  // m^3
  // The longest sub-step that the integrator takes from the committed state, s: half of what is stable for small
  // motions (0.8 of it for Runge-Kutta), because a body that is squeezed within a step becomes stiffer.
  double stable_step() const;
  double potential_energy() const override { return forces_.energy(state().x); }

 private:
  PressureBody(const PressureSettings& settings, PressureForces forces);
  StepStatus advance(double seconds, ParticleState& next) override;

  PressureSettings settings_;
  PressureForces forces_;
  SymplecticEuler euler_;
  VelocityVerlet verlet_;
  RungeKutta4 runge_kutta_;
};

}  // namespace pliant
