// What the tests of bodies share: random deformations, sums over particles, finite differences.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/core/vec3.h"
#include "tests/support/vectors.h"

namespace pliant {

inline std::vector<Vec3> random_vectors(Random& random, std::size_t count, double size) {
  std::vector<Vec3> result(count);
  for (Vec3& v : result) v = random_vector(random, size);
  return result;
}

inline std::vector<Vec3> jittered(Random& random, std::span<const Vec3> points, double size) {
  std::vector<Vec3> result(points.begin(), points.end());
  for (Vec3& p : result) p += random_vector(random, size);
  return result;
}

inline Vec3 sum_of(std::span<const Vec3> vectors) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : vectors) sum += v;
  return sum;
}

inline Vec3 torque_of(std::span<const Vec3> points, std::span<const Vec3> forces) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) sum += points[i].cross(forces[i]);
  return sum;
}

inline double largest(std::span<const Vec3> vectors) {
  double result = 0;
  for (const Vec3& v : vectors) result = std::max(result, v.lpNorm<Eigen::Infinity>());
  return result;
}

// Central differences of an energy, as a force.
template <class Energy>
std::vector<Vec3> minus_gradient(std::vector<Vec3> x, double step, Energy&& energy) {
  std::vector<Vec3> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const double at = x[i][axis];
      x[i][axis] = at + step;
      const double above = energy(x);
      x[i][axis] = at - step;
      const double below = energy(x);
      x[i][axis] = at;
      result[i][axis] = (below - above) / (2 * step);
    }
  }
  return result;
}

// Commits predictions as they are.
inline StepStatus run(BodyModel& body, double seconds, int steps) {
  StepStatus status;
  for (int i = 0; i < steps && status.ok(); ++i) {
    const Prediction p = body.predict(seconds);
    status = p.status;
    body.commit(p.positions, p.velocities);
  }
  return status;
}

}  // namespace pliant
