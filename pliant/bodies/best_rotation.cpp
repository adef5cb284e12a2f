#include "pliant/bodies/best_rotation.h"

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/core/transform.h"

namespace pliant {
namespace {

constexpr int kMostTurns = 100;
constexpr double kStillTurn = 1e-10;  // radians

}  // namespace

Vec3 weighted_centre(std::span<const Vec3> points, std::span<const double> weights) {
  double weight = 0;
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    weight += weights[i];
    sum += weights[i] * points[i];
  }
  return sum / weight;
}

// Turns by the torque of springs between the two, from no rotation on: M. Mueller, J. Bender, N. Chentanez and
// M. Macklin, "A robust method to extract the rotational part of deformations", MIG 2016.
Eigen::Matrix3d best_rotation(std::span<const Vec3> from, std::span<const Vec3> to, std::span<const double> weights) {
  const Vec3 from_centre = weighted_centre(from, weights), to_centre = weighted_centre(to, weights);
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * (to[i] - to_centre) * (from[i] - from_centre).transpose();
  // A start that no mirror plane of the points holds fast: half a turn about some axis has no torque.
  Eigen::Matrix3d rotation = rigid({1, 2, 3}, 0.1).rotation;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    Vec3 torque = Vec3::Zero();
    double pull = 0;
    for (int c = 0; c < 3; ++c) {
      const Vec3 axis = rotation.col(c), goal = sum.col(c);
      torque += axis.cross(goal);
      pull += axis.dot(goal);
    }
    const Vec3 step = torque / (std::abs(pull) + 1e-12 * sum.norm() + 1e-300);
    const double angle = step.norm();
    if (!(angle > kStillTurn)) break;
    rotation = rigid(step, std::min(angle, 1.0)).rotation * rotation;
  }
  return rotation;
}

}  // namespace pliant
