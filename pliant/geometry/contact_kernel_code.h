// The kernel of contact_kernel.h, compiled for each target.
#pragma once

#include "pliant/geometry/contact_kernel.h"
#include "pliant/geometry/four_feet.h"
#include "pliant/geometry/four_parting.h"
#include "pliant/geometry/four_sides.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::crossing::PLIANT_SIMD_TARGET {
namespace {

using four::Mask4;
using four::Point4;
using four::Triangle4;
using simd::Double4;

// As geometry/rescaled.h: coordinates that are next to nothing are 0, and then so is -0. `plain`: nothing but that
// changes, and no scale is needed.
PLIANT_SIMD_INLINE Point4 tame(const Point4& p, Double4& most, Mask4& plain) {
  const auto one = [&](Double4 x) PLIANT_SIMD_INLINE_LAMBDA {
    const Double4 size = abs(x);
    most = simd::max(most, size);
    plain = plain & ((size >= 0x1p-300) | (size == 0.0));
    return x + 0.0;
  };
  return {one(p.x), one(p.y), one(p.z)};
}

PLIANT_SIMD_INLINE Triangle4 tame(const Triangle4& t, Mask4& plain) {
  Double4 most = 0.0;
  Triangle4 tamed;
  for (int i = 0; i < 3; ++i) tamed.p[i] = tame(t.p[i], most, plain);
  plain = plain & (most >= 0x1p-60) & (most <= 0x1p200);
  return tamed;
}

// value3 of geometry/crossing_point.cpp for two points over one plane, where the plain determinant is good enough.
class Heights {
 public:
  PLIANT_SIMD_INLINE explicit Heights(const Triangle4& plane) : a_(plane.p[0]) {
    const Point4 e = plane.p[1] - plane.p[0], f = plane.p[2] - plane.p[0];
    normal_ = cross(e, f);
    const Point4 ea{abs(e.x), abs(e.y), abs(e.z)}, fa{abs(f.x), abs(f.y), abs(f.z)};
    most_ = {ea.y * fa.z + ea.z * fa.y, ea.z * fa.x + ea.x * fa.z, ea.x * fa.y + ea.y * fa.x};
  }
  // Its magnitude.
  PLIANT_SIMD_INLINE Double4 of(const Point4& p, Mask4& plain) const {
    const Point4 g = a_ - p;
    const Double4 height = abs(four::dot(normal_, g));
    const Double4 permanent = most_.x * abs(g.x) + most_.y * abs(g.y) + most_.z * abs(g.z);
    plain = plain & (height > 0x1p-12 * permanent);
    return height;
  }

 private:
  Point4 a_, normal_, most_;
};

PLIANT_SIMD_INLINE Double4 between(Double4 t, Double4 p, Double4 q) {
  const Double4 lower = simd::min(q, p), upper = simd::max(q, p);
  return simd::min(upper, simd::max(lower, (1.0 - t) * p + t * q));
}

// Where the edge from p to q crosses a plane.
PLIANT_SIMD_INLINE Point4 plane_crossing(const Point4& p, const Point4& q, const Triangle4& plane, Mask4& plain) {
  Double4 unused = 0.0;
  const Heights heights(plane);
  const Double4 hp = heights.of(tame(p, unused, plain), plain), hq = heights.of(tame(q, unused, plain), plain);
  const Double4 t = simd::min(hp / (hp + hq), Double4(1.0));
  return {between(t, p.x, q.x), between(t, p.y, q.y), between(t, p.z, q.z)};
}

PLIANT_SIMD_INLINE Triangle4 select(Mask4 m, const Triangle4& a, const Triangle4& b) {
  return {{select(m, a.p[0], b.p[0]), select(m, a.p[1], b.p[1]), select(m, a.p[2], b.p[2])}};
}

// transversal_contact of geometry/triangle_contact.cpp, where all signs are known: the middle of the common segment.
PLIANT_SIMD_INLINE Point4 middle(const Triangle4& a, const Triangle4& b, const Triangle4& tamed_a,
                                 const Triangle4& tamed_b, Mask4& plain) {
  const four::Sides4 a_sides(a, four::Plane4(b)), b_sides(b, four::Plane4(a));
  const four::Transversal4 at(a, b, a_sides, b_sides);
  const four::Plane4 first_of_a(at.a0, at.a1, at.b0), last_of_a(at.a0, at.a2, at.b0);
  Mask4 meets[2], unused, a_first, b_first, a_last, b_last;
  first_of_a.side(at.b1, unused, meets[0]);
  last_of_a.side(at.b2, meets[1], unused);
  first_of_a.side(at.b2, a_first, b_first);
  last_of_a.side(at.b1, b_last, a_last);
  plain = plain & a_sides.known_on_both_sides() & b_sides.known_on_both_sides() & meets[0] & meets[1] &
          (a_first | b_first) & (a_last | b_last);
  const Point4 p = plane_crossing(select(a_first, at.a0, at.b0), select(a_first, at.a1, at.b2),
                                  select(a_first, tamed_b, tamed_a), plain);
  const Point4 q = plane_crossing(select(a_last, at.a0, at.b0), select(a_last, at.a2, at.b1),
                                  select(a_last, tamed_b, tamed_a), plain);
  return 0.5 * p + 0.5 * q;
}

PLIANT_SIMD_INLINE void store(double (*to)[4], const Point4& p) {
  simd::store4(to[0], p.x);
  simd::store4(to[1], p.y);
  simd::store4(to[2], p.z);
}

// Kept apart, so that each has the registers to itself.
__attribute__((noinline)) Mask4 find_points(const Triangle4& a, const Triangle4& b, const Triangle4& tamed_a,
                                            const Triangle4& tamed_b, FourCrossings& found) {
  Mask4 plain = Double4(0.0) == Double4(0.0);
  const Point4 point = middle(a, b, tamed_a, tamed_b, plain);
  store(found.point, point);
  Double4 unused = 0.0;
  const Point4 tamed = tame(point, unused, plain);
  for (int side = 0; side < 2; ++side) {
    const four::Foot4 foot = four::foot_on_triangle(tamed, side == 0 ? tamed_a : tamed_b);
    store(side == 0 ? found.weights_a : found.weights_b, {foot.weights[0], foot.weights[1], foot.weights[2]});
  }
  return plain;
}

__attribute__((noinline)) Mask4 find_parting(const Triangle4& a, const Triangle4& b, const Triangle4& tamed_a,
                                             const Triangle4& tamed_b, FourCrossings& found) {
  const four::Parting4 parting(a, b, tamed_a, tamed_b);
  Double4 depth;
  Point4 direction;
  parting.result(depth, direction);
  store(found.normal, direction);
  simd::store4(found.depth, depth);
  return parting.found();
}

}  // namespace

void four_crossings(const FourCorners& fa, const FourCorners& fb, FourCrossings& found) {
  const Triangle4 a = four::load(fa), b = four::load(fb);
  Mask4 plain = Double4(0.0) == Double4(0.0);
  const Triangle4 tamed_a = tame(a, plain), tamed_b = tame(b, plain);
  plain = plain & find_points(a, b, tamed_a, tamed_b, found);
  plain = plain & find_parting(a, b, tamed_a, tamed_b, found);
  found.known = simd::bits(plain);
}

}  // namespace pliant::crossing::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
