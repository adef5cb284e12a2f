// Balloons: closed surfaces of springs with gas inside.
#pragma once

#include <memory>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/pressure_materials.h"

namespace pliant {

// The first two keep to the contacts of a prediction at each of their sub-steps; Runge-Kutta leaves them to whoever
// answers contacts afterwards.
enum class PressureIntegrator {
  velocity_verlet,   // second order, keeps energy over long times
  symplectic_euler,  // as in the papers; first order, likewise, as cheap
  runge_kutta4,      // fourth order; four times the work for a step 1.3 times as long
};

struct PressureSettings {
  PressureMaterial material;
  PressureIntegrator integrator = PressureIntegrator::velocity_verlet;
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s^2
  std::vector<VertexId> pinned;
  int max_substeps = 10'000;  // in one predicted step
  // As in the papers: springs are at rest in the mesh as given, and it grows until they carry the pressure. Otherwise
  // they are stretched such that it keeps its size.
  bool grows = false;
};

class PressureBody : public BodyModel {
 public:
  // Throws Error if the mesh is not closed and outward, has a vertex on no face or an edge of no length, a number of
  // the material is out of range, or a pin is no vertex.
  explicit PressureBody(const MeshPtr& mesh, const PressureSettings& settings = {});
  ~PressureBody() override;

  double volume() const;       // m^3; negative when it is turned inside out
  double rest_volume() const;  // m^3
  double pressure() const;     // Pa, absolute, inside
  // The longest sub-step that the integrator takes from the committed state, s: half of what is stable for small
  // motions (0.8 of it for Runge-Kutta), because a body that is squeezed within a step becomes stiffer.
  double stable_step() const;
  double potential_energy() const override;
  Vec3 gravity() const override;
  double contact_seconds() const override;
  double straight_seconds() const override;
  double round_seconds() const override;  // that of its sub-steps; none with Runge-Kutta
  void round(std::span<JointVertex> vertices) override;
  void forget() const override;
  bool kicks_last() const override;  // half a kick of velocity Verlet

 private:
  struct Parts;
  explicit PressureBody(std::unique_ptr<Parts> parts);
  StepStatus advance(double seconds, ParticleState& next) override;
  StepStatus advance_constrained(double seconds, std::span<const SurfaceConstraint> constraints, ParticleState& next,
                                 std::span<Vec3> impulses) override;
  void start_rounds(double seconds, std::span<const SurfaceConstraint> constraints,
                    std::span<JointVertex> vertices) override;
  StepStatus finish_rounds(std::span<const JointVertex> vertices, ParticleState& next,
                           std::span<Vec3> impulses) override;
  std::vector<Vec3> accelerations() const;
  void run_runge_kutta(double h, int count, ParticleState& next);

  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
