// The loops of apart_filter.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/geometry/apart_filter.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::apart::PLIANT_SIMD_TARGET {
namespace {

using Four = double __attribute__((vector_size(32)));
using Bits = long long __attribute__((vector_size(32)));

// As in geometry/predicates.h, where the bound is proved: the same operations in the same order.
constexpr double kBound = 10 * 0x1p-53;
constexpr double kGuard = 0x1p-960;

struct Point4 {
  Four x, y, z;
};

PLIANT_SIMD_INLINE void load(const double* from, Four& to) {
  const simd::Double4 three = simd::load_three(from);
  static_assert(sizeof three == sizeof to);
  __builtin_memcpy(&to, &three, sizeof to);
}
struct Triangle4 {
  Point4 corner[3];
};
PLIANT_SIMD_INLINE void load(const FourTriangles& t, int corner, Point4& to) {
  Four p0, p1, p2, p3;
  load(t.corner[corner][0], p0);
  load(t.corner[corner][1], p1);
  load(t.corner[corner][2], p2);
  load(t.corner[corner][3], p3);
  const Four xz01 = __builtin_shufflevector(p0, p1, 0, 4, 2, 6), xz23 = __builtin_shufflevector(p2, p3, 0, 4, 2, 6);
  const Four y01 = __builtin_shufflevector(p0, p1, 1, 5, 3, 7), y23 = __builtin_shufflevector(p2, p3, 1, 5, 3, 7);
  to.x = __builtin_shufflevector(xz01, xz23, 0, 1, 4, 5);
  to.y = __builtin_shufflevector(y01, y23, 0, 1, 4, 5);
  to.z = __builtin_shufflevector(xz01, xz23, 2, 3, 6, 7);
}
PLIANT_SIMD_INLINE void load(const FourTriangles& t, Triangle4& to) {
  for (int corner = 0; corner < 3; ++corner) load(t, corner, to.corner[corner]);
}
PLIANT_SIMD_INLINE void magnitude(const Four& x, Four& to) { to = (Four)((Bits)x & 0x7fffffffffffffffLL); }
PLIANT_SIMD_INLINE void minor(const Four& left, const Four& right, Four& value, Four& most) {
  Four l, r;
  magnitude(left, l);
  magnitude(right, r);
  value = left - right;
  most = l + r + kGuard;
}

// Lanes all set: the three corners of t are for certain on one side of the plane of p.
PLIANT_SIMD_INLINE void beside(const Triangle4& p, const Triangle4& t, Bits& apart) {
  const Point4 &a = p.corner[0], &b = p.corner[1], &c = p.corner[2];
  const Four ex = b.x - a.x, ey = b.y - a.y, ez = b.z - a.z;
  const Four fx = c.x - a.x, fy = c.y - a.y, fz = c.z - a.z;
  Four nx, ny, nz, mx, my, mz;
  minor(ey * fz, ez * fy, nx, mx);
  minor(ez * fx, ex * fz, ny, my);
  minor(ex * fy, ey * fx, nz, mz);
  Bits above = Bits{} - 1, below = above;
  for (int corner = 0; corner < 3; ++corner) {
    const Point4& q = t.corner[corner];
    const Four dx = a.x - q.x, dy = a.y - q.y, dz = a.z - q.z;
    const Four det = nx * dx + ny * dy + nz * dz;
    Four ax, ay, az;
    magnitude(dx, ax);
    magnitude(dy, ay);
    magnitude(dz, az);
    const Four bound = kBound * (mx * ax + my * ay + mz * az + kGuard);
    above &= det > bound;
    below &= det < -bound;
  }
  apart = above | below;
}

}  // namespace

unsigned four_apart(const FourTriangles& a, const FourTriangles& b) {
  Triangle4 four_a, four_b;
  load(a, four_a);
  load(b, four_b);
  Bits by_b, by_a;
  beside(four_b, four_a, by_b);
  beside(four_a, four_b, by_a);
  const Bits apart = by_a | by_b;
  return static_cast<unsigned>((apart[0] & 1) | (apart[1] & 2) | (apart[2] & 4) | (apart[3] & 8));
}

}  // namespace pliant::apart::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
