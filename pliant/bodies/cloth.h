// Sheets of cloth: backward Euler with short sub-steps, each solved by two-level vertex block descent
// (bodies/cloth_solver.h). Stable for any stiffness, mesh and frame rate; a sheet stretches as much as its material
// says.
#pragma once

#include <memory>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/materials.h"

namespace pliant {

struct ClothBodySettings {
  ClothMaterial material;
  Vec3 along = Vec3::UnitX();        // the direction of the threads at rest; the others run across
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s^2
  std::vector<VertexId> pinned;
  double substep =
      1.0 / 480;             // s, at most; longer ones damp motion. Shortened for meshes that bend stiffly, or are taut
  Vec3 wind = Vec3::Zero();  // m/s
  double air_density = 1.2;  // kg/m^3; 0: no air
  // Of a flat plate: the force on a face is 1/2 air_density area v^2 cos(a) (drag along v, lift sin(a) across it),
  // where v is the wind against the face and a its angle to the normal.
  double drag = 1;
  double lift = 0.5;
};

namespace detail {
class ClothElements;
class ClothSolver;
}  // namespace detail

class ClothBody : public BodyModel {
 public:
  // Throws Error for a number out of range, a pin that is no vertex, or a vertex on no face that is not pinned.
  explicit ClothBody(const MeshPtr& mesh, const ClothBodySettings& settings = {});
  ~ClothBody() override;

  // m/s; an input like gravity, not part of the state. Throws Error if it is not finite.
  void set_wind(const Vec3& wind);
  double potential_energy() const override;
  Vec3 gravity() const override;
  BodyCondition condition() const override;
  // Contacts act in each of its own sub-steps.
  double contact_seconds() const override { return 1.0 / 60; }
  bool solves_self_contacts() const override { return true; }
  // A step in rounds is one sub-step.
  double round_seconds() const override { return settings_.substep; }
  void round(std::span<JointVertex> vertices) override;
  bool in_balance(std::span<const JointVertex> vertices) override;

 private:
  double taut_substep() const;
  StepStatus advance(double seconds, ParticleState& next) override;
  StepStatus advance_constrained(double seconds, std::span<const SurfaceConstraint> constraints, ParticleState& next,
                                 std::span<Vec3> impulses) override;
  void start_rounds(double seconds, std::span<const SurfaceConstraint> constraints,
                    std::span<JointVertex> vertices) override;
  StepStatus finish_rounds(std::span<const JointVertex> vertices, ParticleState& next,
                           std::span<Vec3> impulses) override;

  ClothBodySettings settings_;
  std::unique_ptr<const detail::ClothElements> elements_;
  std::unique_ptr<detail::ClothSolver> solver_;
};

}  // namespace pliant
