// A body that moves as one: mass, pose, and how fast it goes.
#pragma once

#include <Eigen/Core>
#include <span>

#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct RigidMotion {
  double mass = 0;                                    // kg
  Vec3 centre = Vec3::Zero();                         // of mass, m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about it, along the axes of space, kg m^2
  Vec3 velocity = Vec3::Zero();                       // m/s, of the centre
  Vec3 spin = Vec3::Zero();                           // rad/s
};

// The volume that a closed, outward surface encloses, filled with one density.
struct SolidMass {
  double volume = 0;  // m^3
  Vec3 centre = Vec3::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre, of density 1, m^5
};
SolidMass mass_of(const TriangleMesh& mesh);

// Of a set of points that moves as one: where a rest shape is, and how it moves.
class RigidFit {
 public:
  // `arms`: points of the rest shape about its own origin, not all in one plane. They outlive it.
  explicit RigidFit(std::span<const Vec3> arms);

  struct Pose {
    Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
    Vec3 origin = Vec3::Zero();
  };
  Pose pose(std::span<const Vec3> x) const;  // the rotation nearest to the affine map that fits best

  struct Rates {
    Vec3 velocity = Vec3::Zero();  // of the origin
    Vec3 spin = Vec3::Zero();
  };
  Rates rates(const Pose& pose, std::span<const Vec3> v) const;

 private:
  std::span<const Vec3> arms_;
  Vec3 mean_ = Vec3::Zero();
  Eigen::Matrix3d inverse_moments_ = Eigen::Matrix3d::Zero();  // of the sum of d d^T, d from the mean
  Eigen::Matrix3d inverse_inertia_ = Eigen::Matrix3d::Zero();  // of the sum of |d|^2 - d d^T
};

// One step of free rotation from `turn`, with the angular momentum in the axes of the body, by the implicit midpoint
// rule. Energy and the angular momentum in space (turn * momentum) are kept.
struct Rotation {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Vec3 momentum = Vec3::Zero();
};
Rotation rotated(const Rotation& from, const Eigen::Matrix3d& inverse_inertia, double seconds);

}  // namespace pliant
