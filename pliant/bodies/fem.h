// Elastic and viscous solids of tetrahedra.
#pragma once

#include <memory>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/materials.h"
#include "pliant/mesh/tet_mesh.h"

namespace pliant {

using TetMeshPtr = std::shared_ptr<const TetMesh>;

enum class FemIntegrator {
  runge_kutta4,    // explicit, fourth order; sub-steps from the stability bound. Accurate; slow for stiff or tiny tets
  backward_euler,  // implicit, first order, one step as long as asked for. Stable; damps by itself
};

struct FemSettings {
  ElasticMaterial material;
  FemIntegrator integrator = FemIntegrator::runge_kutta4;
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s^2
  std::vector<VertexId> pinned;      // of the tet mesh
  int max_substeps = 10'000;         // in one predicted step (explicit)
  // Implicit: at most so many Newton steps, until none moves further than `tolerance` of the body's size. 1: the
  // linearised method, cheaper and less accurate.
  int newton_steps = 8;
  double tolerance = 1e-6;
};

// The surface is that of the tet mesh. St. Venant-Kirchhoff material softens under strong compression (below 0.58 of
// its length) and has no energy against turning inside out: elements that are so are counted in the status.
class FemBody : public BodyModel {
 public:
  // Throws Error for a bad material or setting, a tet without volume, or a pin that is no vertex of a tet.
  explicit FemBody(const TetMeshPtr& mesh, const FemSettings& settings = {});
  ~FemBody() override;

  const TetMeshPtr& tet_mesh() const;
  // Positions by the vertices of the tet mesh, for embedding (vertices on no tet: where they were at rest).
  std::vector<Vec3> tet_positions() const;
  // The longest explicit sub-step from the committed state, s.
  double stable_step() const;
  double potential_energy() const override;
  Vec3 gravity() const override;

 private:
  struct Parts;
  explicit FemBody(std::unique_ptr<Parts> parts);
  StepStatus advance(double seconds, ParticleState& next) override;
  StepStatus advance_explicit(double seconds, ParticleState& next);
  StepStatus advance_implicit(double seconds, ParticleState& next);

  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
