// Sheets of cloth: extended position-based dynamics with small steps (M. Macklin et al., "Small steps in physics
// simulation", SCA 2019): many short sub-steps with one pass over the constraints each. Stable for any stiffness and
// frame rate; the fewer sub-steps, the softer the cloth appears.
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
  double substep = 1.0 / 960;  // s, at most
  Vec3 wind = Vec3::Zero();    // m/s
  double air_density = 1.2;    // kg/m^3; 0: no air
  // Of a flat plate: the force on a face is 1/2 air_density area v^2 cos(a) (drag along v, lift sin(a) across it),
  // where v is the wind against the face and a its angle to the normal.
  double drag = 1;
  double lift = 0.5;
};

class ClothConstraints;

class ClothBody : public BodyModel {
 public:
  // Throws Error for a number out of range, a pin that is no vertex, or a vertex on no face that is not pinned.
  explicit ClothBody(const MeshPtr& mesh, const ClothBodySettings& settings = {});
  ~ClothBody() override;

  // m/s; an input like gravity, not part of the state. Throws Error if it is not finite.
  void set_wind(const Vec3& wind);
  double potential_energy() const override;
  Vec3 gravity() const override;

 private:
  StepStatus advance(double seconds, ParticleState& next) override;
  void accelerate(double h, ParticleState& next);
  void add_wind(double h, ParticleState& next) const;

  ClothBodySettings settings_;
  std::unique_ptr<const ClothConstraints> constraints_;
  std::vector<Vec3> x_t0_;
};

}  // namespace pliant
