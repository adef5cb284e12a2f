// Elastic and viscous solids of tetrahedra.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/materials.h"
#include "pliant/mesh/tet_mesh.h"

namespace pliant {

namespace detail {
class FemDescent;
}  // namespace detail

using TetMeshPtr = std::shared_ptr<const TetMesh>;

enum class FemIntegrator {
  // The faster of the next two that is good enough: vertex_descent, unless too many tetrahedra are slivers.
  automatic,
  vertex_descent,       // implicit; steps of at most 1/480 s, two cycles each. For tetrahedra of good shape
  conjugate_gradients,  // implicit; the same steps by Newton's method. For slivers
  runge_kutta4,    // explicit, fourth order; sub-steps from the stability bound. Accurate; slow for stiff or tiny tets
  backward_euler,  // implicit, first order, one step as long as asked for, by sparse Cholesky. Stable; damps by itself
};

enum class FemEnergy {
  neo_hookean,          // stable Neo-Hookean: recovers from being turned inside out. Of the first three integrators
  st_venant_kirchhoff,  // of O'Brien and Hodgins 1999. Of the last two
};

struct FemSettings {
  ElasticMaterial material;
  FemIntegrator integrator = FemIntegrator::automatic;
  std::optional<FemEnergy> energy;   // none: that of the integrator
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s^2
  std::vector<VertexId> pinned;      // of the tet mesh
  int max_substeps = 10'000;         // in one predicted step (explicit)
  // backward_euler: at most so many Newton steps, until none moves further than `tolerance` of the body's size. 1: the
  // linearised method, cheaper and less accurate.
  int newton_steps = 8;
  double tolerance = 1e-6;
};
// Throws Error if the energy is given and is not that of the integrator.
void require_matching(const FemSettings& settings);

// The surface is that of the tet mesh. Contacts act inside the solve of vertex_descent and conjugate_gradients.
// Elements that are turned inside out are counted in the status; Neo-Hookean material turns them back. St.
// Venant-Kirchhoff material softens under strong compression (below 0.58 of its length) and has no energy against
// turning inside out.
class FemBody : public BodyModel {
 public:
  // Throws Error for a bad material or setting, an integrator that does not go with the energy, a tet without volume,
  // or a pin that is no vertex of a tet.
  explicit FemBody(const TetMeshPtr& mesh, const FemSettings& settings = {});
  ~FemBody() override;

  const TetMeshPtr& tet_mesh() const;
  // Positions by the vertices of the tet mesh, for embedding (vertices on no tet: where they were at rest).
  std::vector<Vec3> tet_positions() const;
  FemIntegrator integrator() const;  // the one in use: not `automatic`
  FemEnergy energy() const;
  // The longest explicit sub-step from the committed state, s, of St. Venant-Kirchhoff material.
  double stable_step() const;
  double potential_energy() const override;
  Vec3 gravity() const override;
  BodyCondition condition() const override;
  double round_seconds() const override;
  void round(std::span<JointVertex> vertices) override;
  bool in_balance(std::span<const JointVertex> vertices) override;

 private:
  struct Parts;
  explicit FemBody(std::unique_ptr<Parts> parts);
  StepStatus advance(double seconds, ParticleState& next) override;
  StepStatus advance_constrained(double seconds, std::span<const SurfaceConstraint> constraints, ParticleState& next,
                                 std::span<Vec3> impulses) override;
  StepStatus advance_explicit(double seconds, ParticleState& next);
  StepStatus advance_implicit(double seconds, ParticleState& next);
  StepStatus advance_neo_hookean(double seconds, std::span<const SurfaceConstraint> constraints, ParticleState& next,
                                 std::span<Vec3> impulses);
  void start_rounds(double seconds, std::span<const SurfaceConstraint> constraints,
                    std::span<JointVertex> vertices) override;
  StepStatus finish_rounds(std::span<const JointVertex> vertices, ParticleState& next,
                           std::span<Vec3> impulses) override;
  detail::FemDescent& descent();
  int settle(detail::FemDescent& descent) const;
  std::vector<Vec3> accelerations() const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
