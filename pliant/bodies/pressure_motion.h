// One predicted step of a gas body, in sub-steps: kicks and drifts on packed nodes, contacts between them.
#pragma once

#include <optional>
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

  // What acts on a body besides springs and gas.
  struct Outer {
    Vec3 gravity = Vec3::Zero();   // m/s^2
    std::span<const Vec3> forces;  // N, by vertex
  };
  // Of a state; that of the next begin() from there is known then.
  OscillationBound bound(const ParticleState& state);
  // Takes over a state. If it is the one that the last step handed over, what that knew of springs and gas in its last
  // place is used again; for damping Verlet takes the velocities before its last kick, as it does between sub-steps.
  // Returns the bound there, of springs as they were some steps ago at most.
  OscillationBound begin(const ParticleState& state, const Outer& outer);
  // The next step looks at springs and gas itself.
  void forget() { knows_end_ = false; }
  double volume() const { return measured_.volume; }  // m^3, where springs and gas were last looked at

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
  static constexpr int kMostSteps = 16;  // that go on, one after the other

  GasLayout::Same take(const ParticleState& state);
  void measure(const ParticleState& state);
  void pull(const Outer& outer);
  void evaluate();
  void finish_verlet(double h);
  void kick(double seconds, double drift);
  void drift(double time, double h);
  void push(std::span<const JointVertex> vertices);

  const PressureForces& forces_;
  std::span<const double> inverse_masses_;
  gas::GasSums measured_;  // but for the volume, which is the latest
  int steps_since_ = 0;
  bool is_measured_ = false;    // springs and gas where nodes are
  bool knows_end_ = false;      // the same but for damping: the last step ended there
  Vec3 origin_ = Vec3::Zero();  // of the volume: near the body
  std::vector<double> nodes_, spring_, gradient_, acceleration_;
  std::optional<Vec3> pulled_by_;  // the gravity of acceleration_, if nothing else is in it
  SurfaceContacts contacts_;
  // Of a step in rounds.
  double h_ = 0;
  bool verlet_ = true;
  bool coupled_ = false;        // a vertex touches both an obstacle and another body
  std::vector<double> kicked_;  // nodes before contacts; if nothing is coupled, after those with obstacles
};

}  // namespace pliant
