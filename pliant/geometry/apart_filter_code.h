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

PLIANT_SIMD_INLINE void load(const double* from, Four& to) { __builtin_memcpy(&to, from, sizeof to); }
PLIANT_SIMD_INLINE void load(const FourTriangles& t, int corner, Point4& to) {
  load(t.x[corner][0], to.x);
  load(t.x[corner][1], to.y);
  load(t.x[corner][2], to.z);
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
PLIANT_SIMD_INLINE void beside(const FourTriangles& p, const FourTriangles& t, Bits& apart) {
  Point4 a, b, c;
  load(p, 0, a);
  load(p, 1, b);
  load(p, 2, c);
  const Four ex = b.x - a.x, ey = b.y - a.y, ez = b.z - a.z;
  const Four fx = c.x - a.x, fy = c.y - a.y, fz = c.z - a.z;
  Four nx, ny, nz, mx, my, mz;
  minor(ey * fz, ez * fy, nx, mx);
  minor(ez * fx, ex * fz, ny, my);
  minor(ex * fy, ey * fx, nz, mz);
  Bits above = Bits{} - 1, below = above;
  for (int corner = 0; corner < 3; ++corner) {
    Point4 q;
    load(t, corner, q);
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
  Bits by_b, by_a;
  beside(b, a, by_b);
  beside(a, b, by_a);
  const Bits apart = by_a | by_b;
  return static_cast<unsigned>((apart[0] & 1) | (apart[1] & 2) | (apart[2] & 4) | (apart[3] & 8));
}

}  // namespace pliant::apart::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
