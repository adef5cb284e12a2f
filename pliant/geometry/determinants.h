// The determinants behind the predicates, templates over the arithmetic that takes the differences.
#pragma once

#include "pliant/core/vec3.h"
#include "pliant/geometry/expansion.h"

namespace pliant {

// Differences as expansions: exact if every coordinate is 0 or has its magnitude in [kLeastExpansible,
// kMostExpansible]. Then all components of a product of three differences are multiples of (2^-352)^3 = 2^-1056 and
// below 2^910: nothing underflows or overflows, the splitting of products included.
inline constexpr double kLeastExpansible = 0x1p-300;
inline constexpr double kMostExpansible = 0x1p300;

struct ExpansionDifference {
  Expansion<2> operator()(double a, double b) const { return difference(a, b); }
};

// Rows a - d, b - d, c - d.
template <class Difference>
auto determinant3(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, const Difference& diff) {
  const auto ax = diff(a.x(), d.x()), ay = diff(a.y(), d.y()), az = diff(a.z(), d.z());
  const auto bx = diff(b.x(), d.x()), by = diff(b.y(), d.y()), bz = diff(b.z(), d.z());
  const auto cx = diff(c.x(), d.x()), cy = diff(c.y(), d.y()), cz = diff(c.z(), d.z());
  const auto x = (by * cz - bz * cy) * ax;
  const auto y = (bz * cx - bx * cz) * ay;
  const auto z = (bx * cy - by * cx) * az;
  return (x + y) + z;
}

// Component `axis` of (a - c) x (b - c).
template <class Difference>
auto determinant2(const Vec3& a, const Vec3& b, const Vec3& c, int axis, const Difference& diff) {
  const int x = (axis + 1) % 3;
  const int y = (axis + 2) % 3;
  return diff(a[x], c[x]) * diff(b[y], c[y]) - diff(a[y], c[y]) * diff(b[x], c[x]);
}

}  // namespace pliant
