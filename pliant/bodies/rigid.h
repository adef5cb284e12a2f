// Bodies that do not bend.
//
// The state is that of every other body, positions and velocities of the surface: the pose and its motion are fitted to
// them, which is exact for what moves as one, whoever moved it, and puts right what was pushed out of shape.
#pragma once

#include <optional>
#include <vector>

#include "pliant/bodies/body.h"

namespace pliant {

struct RigidSettings {
  double density = 1000;             // kg/m^3 of the volume that the surface encloses
  std::optional<double> mass;        // kg; given instead of the density
  Vec3 velocity = Vec3::Zero();      // m/s, of the centre of mass, at the start
  Vec3 spin = Vec3::Zero();          // rad/s, about the centre of mass, at the start
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s^2
};

// Turns by the implicit midpoint rule (in sub-steps where it spins fast), which keeps the energy and the angular
// momentum of free motion to rounding; falls on exact parabolas.
class RigidBody : public BodyModel {
 public:
  // Throws Error if the mesh is not closed and outward, or a number is out of range.
  explicit RigidBody(const MeshPtr& mesh, const RigidSettings& settings = {});
  ~RigidBody() override;

  double kinetic_energy() const override;
  double gravitational_energy() const override;
  Vec3 gravity() const override;
  bool moves_as_one() const override { return true; }
  std::optional<RigidMotion> rigid_motion(std::span<const Vec3> x, std::span<const Vec3> v) const override;
  Vec3 momentum() const;          // N s
  Vec3 angular_momentum() const;  // N m s, about the origin

 private:
  struct Parts;
  RigidBody(const MeshPtr& mesh, std::unique_ptr<Parts> parts);
  StepStatus advance(double seconds, ParticleState& next) override;

  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
