// Sums whose operations come in one fixed order: Eigen adds in different orders on different instruction sets, and
// shapes and scenes must have the same bits everywhere. Rigid transforms (core/transform.h) are made of them.
#pragma once

#include <cmath>

#include "pliant/core/transform.h"
#include "pliant/core/trig.h"
#include "pliant/core/vec3.h"

namespace pliant {

inline double fixed_dot(const Vec3& a, const Vec3& b) { return a.x() * b.x() + a.y() * b.y() + a.z() * b.z(); }
inline double fixed_length(const Vec3& v) { return std::sqrt(fixed_dot(v, v)); }

}  // namespace pliant
