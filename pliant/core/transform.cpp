#include "pliant/core/transform.h"

#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"

namespace pliant {

Vec3 RigidTransform::operator*(const Vec3& p) const {
  return {fixed_dot(rotation.row(0), p) + translation.x(), fixed_dot(rotation.row(1), p) + translation.y(),
          fixed_dot(rotation.row(2), p) + translation.z()};
}

RigidTransform RigidTransform::operator*(const RigidTransform& other) const {
  RigidTransform result{.translation = *this * other.translation};
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      result.rotation(row, column) = fixed_dot(rotation.row(row), other.rotation.col(column));
  return result;
}

RigidTransform rigid(const Vec3& axis, double radians, const Vec3& translation) {
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

RigidTransform about(const Vec3& centre, const RigidTransform& turn) {
  return {turn.rotation, centre + (turn * Vec3(-centre))};
}

}  // namespace pliant
