// Sums whose operations come in one fixed order: Eigen adds in different orders on different instruction sets, and
// shapes and scenes must have the same bits everywhere. Rigid transforms (core/transform.h) are made of them.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/core/transform.h"
#include "pliant/core/trig.h"
#include "pliant/core/vec3.h"

namespace pliant {

inline double fixed_dot(const Vec3& a, const Vec3& b) { return a.x() * b.x() + a.y() * b.y() + a.z() * b.z(); }
inline double fixed_length(const Vec3& v) { return std::sqrt(fixed_dot(v, v)); }

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

}  // namespace pliant
