// Vectors at random, and whether lists of them are the same.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "pliant/core/random.h"
#include "pliant/core/rigid.h"

namespace pliant {

inline Vec3 random_vector(Random& random, double size) {
  return {random.within(-size, size), random.within(-size, size), random.within(-size, size)};
}

inline RigidTransform random_rigid(Random& random, double reach) {
  return rigid(Vec3(random_vector(random, 1) + Vec3(0, 0, 1e-3)), random.within(-3, 3), random_vector(random, reach));
}

inline bool same_bits(std::span<const Vec3> a, std::span<const Vec3> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// The longest of the differences; infinite if there are more of one than of the other.
inline double largest_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
  double result = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) result = std::max(result, (a[i] - b[i]).norm());
  return result;
}

}  // namespace pliant
