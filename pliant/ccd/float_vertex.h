// Vertices for the filters (filter.h).
#pragma once

#include <algorithm>
#include <bit>

#include "pliant/ccd/filter.h"
#include "pliant/core/simd.h"
#include "pliant/core/vec3.h"

namespace pliant::ccd {

// Rounds positions to float. The error is taken in double, exactly (a double minus its float is a double), and rounded
// up.
inline FloatVertex float_vertex(const Vec3& p, const Vec3& q) {
  const auto f = [](double x) { return static_cast<float>(x); };
  const Vec3 p_float(f(p[0]), f(p[1]), f(p[2])), q_float(f(q[0]), f(q[1]), f(q[2]));
  const double error = std::max((p - p_float).cwiseAbs().maxCoeff(), (q - q_float).cwiseAbs().maxCoeff());
  const float bound = error > 0 ? f(error) * (1 + 0x1p-22f) + 0x1p-149f : 0.0f;
  // Written in two pieces, as the filters read it: smaller ones would have to be waited for.
  const simd::Float4 halves[2] = {{f(p[0]), f(p[1]), f(p[2]), bound}, {f(q[0]), f(q[1]), f(q[2]), 0}};
  return std::bit_cast<FloatVertex>(halves);
}

}  // namespace pliant::ccd
