// Points brought to exponents at which products of a few differences neither overflow nor vanish.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "pliant/core/vec3.h"
#include "pliant/geometry/determinants.h"

namespace pliant {

// Copies of points, all times 2^shift; the shift is 0 unless the largest coordinate is outside [2^-60, 2^200]. Ratios
// stay what they are, but coordinates that are nothing beside the largest one (2^-200 times it or less) may become 0.
template <std::size_t N>
class Rescaled {
 public:
  explicit Rescaled(const std::array<const Vec3*, N>& points) {
    double most = 0;
    for (const Vec3* p : points) most = std::max(most, p->cwiseAbs().maxCoeff());
    if (most != 0 && !(most >= 0x1p-60 && most <= 0x1p200)) shift_ = -std::ilogb(most);
    for (std::size_t i = 0; i < N; ++i) {
      for (int k = 0; k < 3; ++k) point_[i][k] = tame((*points[i])[k]);
    }
  }
  const Vec3& operator[](std::size_t i) const { return point_[i]; }
  int shift() const { return shift_; }

 private:
  double tame(double x) const {
    if (shift_ != 0) x = std::ldexp(x, shift_);
    return std::abs(x) < kLeastExpansible ? 0.0 : x;
  }

  std::array<Vec3, N> point_;
  int shift_ = 0;
};

}  // namespace pliant
