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

// Some unit vector at a right angle to the unit vector v.
inline Vec3 across(const Vec3& v) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(v[i]) < std::abs(v[least])) least = i;
  const Vec3 side = v.cross(Vec3::Unit(least));
  return side / fixed_length(side);
}

// What the smallest rotation that takes the unit vector `from` to the unit vector `to` makes of v; half a turn if they
// are opposite. Two mirrors, the second halfway between `from` and `to`: Eigen's own way goes through a singular value
// decomposition, which takes the compiler ten seconds.
inline Vec3 turned(const Vec3& v, const Vec3& from, const Vec3& to) {
  constexpr double kOpposite = 1e-8;
  const Vec3 sum = from + to;
  const double length = fixed_length(sum);
  const Vec3 halfway = length < kOpposite ? across(from) : Vec3(sum / length);
  const Vec3 mirrored = v - 2 * fixed_dot(v, from) * from;
  return mirrored - 2 * fixed_dot(mirrored, halfway) * halfway;
}

// Turns about a point instead of the origin.
inline RigidTransform about(const Vec3& place, const RigidTransform& turn) {
  return {turn.rotation, place + (turn * Vec3(-place))};
}

}  // namespace pliant
