// Four pairs of triangles in lanes, and the sides of planes on which their corners lie. Internal to the kernels of
// geometry/; compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/geometry/apart_filter.h"

namespace pliant::four {
inline namespace PLIANT_SIMD_TARGET {

using simd::Double4;
using simd::Mask4;

struct Point4 {
  Double4 x, y, z;
};
struct Triangle4 {
  Point4 p[3];
};

PLIANT_SIMD_INLINE Point4 operator-(const Point4& a, const Point4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
PLIANT_SIMD_INLINE Point4 operator+(const Point4& a, const Point4& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PLIANT_SIMD_INLINE Point4 operator*(Double4 s, const Point4& a) { return {s * a.x, s * a.y, s * a.z}; }
PLIANT_SIMD_INLINE Point4 cross(const Point4& a, const Point4& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PLIANT_SIMD_INLINE Point4 select(Mask4 m, const Point4& a, const Point4& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
PLIANT_SIMD_INLINE Triangle4 load(const FourCorners& t) {
  Triangle4 to;
  for (int i = 0; i < 3; ++i) simd::load_points(t.x[i], to.p[i].x, to.p[i].y, to.p[i].z);
  return to;
}

// A plane through three points, as in geometry/predicates.h, where the bound is proved: the same operations in the same
// order.
class Plane4 {
 public:
  PLIANT_SIMD_INLINE Plane4(const Point4& a, const Point4& b, const Point4& c) : a_(a) {
    const Point4 e = b - a, f = c - a;
    set(e.y * f.z, e.z * f.y, n_.x, m_.x);
    set(e.z * f.x, e.x * f.z, n_.y, m_.y);
    set(e.x * f.y, e.y * f.x, n_.z, m_.z);
  }
  PLIANT_SIMD_INLINE explicit Plane4(const Triangle4& t) : Plane4(t.p[0], t.p[1], t.p[2]) {}

  // Where orient3d of the three and p is for certain 1, and where it is for certain -1.
  PLIANT_SIMD_INLINE void side(const Point4& p, Mask4& above, Mask4& below) const {
    const Point4 d = a_ - p;
    const Double4 det = n_.x * d.x + n_.y * d.y + n_.z * d.z;
    const Double4 bound = kBound * (m_.x * abs(d.x) + m_.y * abs(d.y) + m_.z * abs(d.z) + kGuard);
    above = det > bound;
    below = det < -bound;
  }

 private:
  static constexpr double kBound = 10 * 0x1p-53;
  static constexpr double kGuard = 0x1p-960;

  PLIANT_SIMD_INLINE static void set(Double4 left, Double4 right, Double4& minor, Double4& magnitude) {
    minor = left - right;
    magnitude = abs(left) + abs(right) + kGuard;
  }

  Point4 a_, n_, m_;
};

// The corners of a triangle beside a plane.
struct Sides4 {
  Mask4 above[3], below[3];

  PLIANT_SIMD_INLINE Sides4(const Triangle4& t, const Plane4& plane) {
    for (int i = 0; i < 3; ++i) plane.side(t.p[i], above[i], below[i]);
  }
  PLIANT_SIMD_INLINE Mask4 all_on_one_side() const {
    return (above[0] & above[1] & above[2]) | (below[0] & below[1] & below[2]);
  }
  // Where there is a corner on either side and none can be on the plane.
  PLIANT_SIMD_INLINE Mask4 known_on_both_sides() const {
    return all_known() & ((above[0] ^ above[1]) | (above[0] ^ above[2]));
  }
  PLIANT_SIMD_INLINE Mask4 all_known() const {
    return (above[0] | below[0]) & (above[1] | below[1]) & (above[2] | below[2]);
  }
};

// Transversal of geometry/transversal.h for corners whose sides are all known and on both sides: a0, b0 are the lone
// corners, and the common line runs from edge a0-a1 to a0-a2 and from b0-b2 to b0-b1.
struct Transversal4 {
  Point4 a0, a1, a2, b0, b1, b2;

  PLIANT_SIMD_INLINE Transversal4(const Triangle4& a, const Triangle4& b, const Sides4& a_sides,
                                  const Sides4& b_sides) {
    const Mask4 a_is_above = arrange(a, a_sides, a0, a1, a2), b_is_above = arrange(b, b_sides, b0, b1, b2);
    exchange_unless(a_is_above, b1, b2);
    exchange_unless(b_is_above, a1, a2);
  }

 private:
  // Whether the lone corner is above.
  PLIANT_SIMD_INLINE static Mask4 arrange(const Triangle4& t, const Sides4& sides, Point4& lone, Point4& next,
                                          Point4& last) {
    const Mask4 not_2 = sides.above[0] ^ sides.above[1], not_1 = sides.above[0] ^ sides.above[2];
    const auto choose = [&](const Point4& if_0, const Point4& if_1, const Point4& if_2)
                            PLIANT_SIMD_INLINE_LAMBDA { return select(not_2, select(not_1, if_0, if_1), if_2); };
    lone = choose(t.p[0], t.p[1], t.p[2]);
    next = choose(t.p[1], t.p[2], t.p[0]);
    last = choose(t.p[2], t.p[0], t.p[1]);
    // Corner 0 is alone, or on the side of the two others.
    return sides.above[0] ^ (not_1 ^ not_2);
  }
  PLIANT_SIMD_INLINE static void exchange_unless(Mask4 mask, Point4& x, Point4& y) {
    const Point4 old = x;
    x = select(mask, x, y);
    y = select(mask, y, old);
  }
};

}  // namespace PLIANT_SIMD_TARGET
}  // namespace pliant::four
