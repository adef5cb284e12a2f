#include "pliant/bounds/sphere_tree/fit_rotation.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "pliant/core/rigid.h"

namespace pliant {
namespace {

// Axes along one point and across to another.
bool axes_of(const Vec3& p, const Vec3& q, Eigen::Matrix3d& axes) {
  const Vec3 n = p.cross(q);
  const double length = fixed_length(p), area = fixed_length(n);
  if (!(length > 0) || !(area > 1e-6 * length * fixed_length(q))) return false;
  axes.col(0) = p / length;
  axes.col(1) = n / area;
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return true;
}

// By the first pair of points that spans a plane before and after: near enough for any angle.
Eigen::Matrix3d first_guess(std::span<const Vec3> from, std::span<const Vec3> to) {
  Eigen::Matrix3d before, after;
  for (std::size_t i = 0; i + 1 < from.size(); ++i)
    for (std::size_t j = i + 1; j < std::min(from.size(), i + 4); ++j)
      if (axes_of(from[i], from[j], before) && axes_of(to[i], to[j], after)) return after * before.transpose();
  return Eigen::Matrix3d::Identity();
}

}  // namespace

// M. Mueller, J. Bender, N. Chentanez, M. Macklin, "A robust method to extract the rotational part of deformations",
// 2016, with the half-angle tangent in place of the angle: the steps end at the same rotation.
Eigen::Matrix3d fit_rotation(std::span<const Vec3> from, std::span<const Vec3> to) {
  Eigen::Matrix3d a = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) a += to[i] * from[i].transpose();
  Eigen::Quaterniond q(first_guess(from, to));
  q.normalize();
  Eigen::Matrix3d r = q.toRotationMatrix();
  constexpr int kMostSteps = 12;
  for (int step = 0; step < kMostSteps; ++step) {
    Vec3 turn = Vec3::Zero();
    double along = 0;
    for (int i = 0; i < 3; ++i) {
      turn += r.col(i).cross(a.col(i));
      along += r.col(i).dot(a.col(i));
    }
    turn /= std::abs(along) + 1e-300;
    if (!turn.allFinite() || turn.squaredNorm() < 1e-16) break;
    const double most = 1;  // radian, about: longer steps overshoot
    if (turn.squaredNorm() > most) turn.normalize();
    q = Eigen::Quaterniond(1, turn.x() / 2, turn.y() / 2, turn.z() / 2) * q;
    q.normalize();
    r = q.toRotationMatrix();
  }
  return r;
}

}  // namespace pliant
