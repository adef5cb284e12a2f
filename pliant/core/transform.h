// Rigid transforms, with the same bits on every platform.
#pragma once

#include "pliant/core/vec3.h"

namespace pliant {

// p -> rotation p + translation.
struct RigidTransform {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Vec3 translation = Vec3::Zero();

  Vec3 operator*(const Vec3& p) const;
  RigidTransform operator*(const RigidTransform& other) const;  // first `other`, then this
};

// Turns by `radians` around `axis` (any length but zero) through the origin, then moves by `translation`.
RigidTransform rigid(const Vec3& axis, double radians, const Vec3& translation = Vec3::Zero());
// Turns about a point instead of the origin.
RigidTransform about(const Vec3& centre, const RigidTransform& turn);

}  // namespace pliant
