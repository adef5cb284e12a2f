// Sums and rigid transforms whose operations come in one fixed order: Eigen adds in different orders on different
// instruction sets, and shapes and scenes must have the same bits everywhere.
#pragma once

#include <cmath>

#include "pliant/core/trig.h"
#include "pliant/core/vec3.h"

namespace pliant {

inline double fixed_dot(const Vec3& a, const Vec3& b) { return a.x() * b.x() + a.y() * b.y() + a.z() * b.z(); }
inline double fixed_length(const Vec3& v) { return std::sqrt(fixed_dot(v, v)); }

// p -> rotation p + translation.
struct RigidTransform {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Vec3 translation = Vec3::Zero();

  Vec3 operator*(const Vec3& p) const {
    return {fixed_dot(rotation.row(0), p) + translation.x(), fixed_dot(rotation.row(1), p) + translation.y(),
            fixed_dot(rotation.row(2), p) + translation.z()};
  }
  // First `other`, then this.
  RigidTransform operator*(const RigidTransform& other) const {
    RigidTransform result{.translation = *this * other.translation};
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row)
        result.rotation(row, column) = fixed_dot(rotation.row(row), other.rotation.col(column));
    return result;
  }
};

// Turns by `radians` around `axis` (any length but zero) through the origin, then moves by `translation`.
inline RigidTransform rigid(const Vec3& axis, double radians, const Vec3& translation = Vec3::Zero()) {
  const Vec3 a = axis / fixed_length(axis);
  const SinCos turn = sin_cos(radians);
  Eigen::Matrix3d cross;
  cross << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  RigidTransform transform{.translation = translation};
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      transform.rotation(row, column) =
          turn.cos * (row == column ? 1 : 0) + turn.sin * cross(row, column) + (1 - turn.cos) * (a[row] * a[column]);
  return transform;
}

// Turns about a point instead of the origin.
inline RigidTransform about(const Vec3& place, const RigidTransform& turn) {
  return {turn.rotation, place + (turn * Vec3(-place))};
}

}  // namespace pliant
