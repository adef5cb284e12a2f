// Vectors at random, and whether lists of them are the same.
#pragma once

#include <cstring>
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

}  // namespace pliant
