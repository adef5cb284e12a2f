// Vertices for the filters (filter.h).
#pragma once

#include <algorithm>
#include <cmath>

#include "pliant/ccd/filter.h"
#include "pliant/core/bit_cast.h"
#include "pliant/core/simd.h"
#include "pliant/core/vec3.h"

namespace pliant::ccd {

// |x| if x is no float, else 0. Not by converting back and comparing: GCC 12's vectoriser takes (double)(float)x for x.
inline double size_if_rounded(double x) {
  constexpr std::uint64_t kLostBits = (std::uint64_t{1} << 29) - 1;
  const double size = std::abs(x);
  const bool kept = (pliant::bit_cast<std::uint64_t>(x) & kLostBits) == 0 && (size >= 0x1p-126 || size == 0);
  return kept ? 0 : size;
}

// Rounds positions to float. That moves x by at most 2^-24 |x|, or 2^-150 among denormals.
inline FloatVertex float_vertex(const Vec3& p, const Vec3& q) {
  double size = 0;
  for (int k = 0; k < 3; ++k) size = std::max({size, size_if_rounded(p[k]), size_if_rounded(q[k])});
  const auto f = [](double x) { return static_cast<float>(x); };
  const float error = size > 0 ? f(size) * (0x1p-24f * (1 + 0x1p-20f)) + 0x1p-148f : 0.0f;
  // Written in two halves, as the filters read it: smaller ones would have to be waited for.
  const simd::Float4 halves[2] = {{f(p[0]), f(p[1]), f(p[2]), error}, {f(q[0]), f(q[1]), f(q[2]), 0}};
  return pliant::bit_cast<FloatVertex>(halves);
}

}  // namespace pliant::ccd
