// One predicted step of a gas body, in sub-steps: kicks and drifts on packed nodes, contacts between them.
#pragma once

#include <span>
#include <vector>

#include "pliant/bodies/pressure_forces.h"
#include "pliant/bodies/surface_contacts.h"

namespace pliant {

// Keeps only scratch memory between steps.
class PressureMotion {
 public:
  // Both outlive it.
  PressureMotion(const PressureForces& forces, std::span<const double> inverse_masses)
      : forces_(forces), inverse_masses_(inverse_masses) {}

  // Takes over a state, and the accelerations that act on it besides springs and gas (m/s^2, by vertex).
  void begin(const ParticleState& state, std::span<const Vec3> acceleration);
  // At the start.
  OscillationBound bound() const { return bound_; }
  double volume() const { return volume_; }  // m^3, where springs and gas were last looked at

  struct Steps {
    double h = 0;  // s
    int count = 0;
  };
  // v += h a(x, v), then x += h v. Called Euler in many papers; with the old v in the second line it would be unstable
  // for every step on undamped springs.
  void symplectic_euler(Steps steps, std::span<const SurfaceConstraint> constraints, std::span<Vec3> impulses);
  // Half a kick, drifts with kicks between them, half a kick. Damping sees the velocity before the kick.
  void velocity_verlet(Steps steps, std::span<const SurfaceConstraint> constraints, std::span<Vec3> impulses);

  // One step of velocity Verlet, or of symplectic Euler, that is solved together with those of other bodies: after
  // begin(), join(), rounds, and part().
  void join(double h, bool verlet, std::span<const SurfaceConstraint> constraints, std::span<JointVertex> vertices);
  void round(std::span<JointVertex> vertices);
  void part(std::span<const JointVertex> vertices, std::span<Vec3> impulses);

  // Hands over the end of the step.
  void finish(ParticleState& next) const;

 private:
  void evaluate();
  void kick(double seconds, double drift);
  void drift(double time, double h);
  void push(std::span<const JointVertex> vertices);

  const PressureForces& forces_;
  std::span<const double> inverse_masses_;
  OscillationBound bound_;
  Vec3 origin_ = Vec3::Zero();  // of the volume: near the body
  double volume_ = 0;
  std::vector<double> nodes_, spring_, gradient_, acceleration_;
  SurfaceContacts contacts_;
  // Of a step in rounds.
  double h_ = 0;
  bool verlet_ = true;
  bool coupled_ = false;        // a vertex touches both an obstacle and another body
  std::vector<double> kicked_;  // nodes before contacts; if nothing is coupled, after those with obstacles
};

}  // namespace pliant
