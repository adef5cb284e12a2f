// The point of a triangle nearest to a given one (geometry/distance.cpp) in lanes: the same operations in the same
// order, so that the bits are the same. Internal to the kernels of geometry/; compiled for each target.
#pragma once

#include "pliant/geometry/four_sides.h"

namespace pliant::four {
inline namespace PLIANT_SIMD_TARGET {

// In the order of Eigen's sums of three.
PLIANT_SIMD_INLINE Double4 dot(const Point4& a, const Point4& b) { return a.x * b.x + (a.y * b.y + a.z * b.z); }

// Weights of the corners, and the square of the distance.
struct Foot4 {
  Double4 weights[3];
  Double4 distance_sq;

  PLIANT_SIMD_INLINE void take(Mask4 better, const Foot4& other) {
    for (int i = 0; i < 3; ++i) weights[i] = select(better, other.weights[i], weights[i]);
    distance_sq = select(better, other.distance_sq, distance_sq);
  }
};

// Weights of p and q first.
PLIANT_SIMD_INLINE Foot4 foot_on_segment(const Point4& x, const Point4& p, const Point4& q) {
  const Point4 way = q - p, from_p = x - p, from_q = x - q;
  const Double4 length_sq = dot(way, way), t = dot(from_p, way) / length_sq, s = -dot(from_q, way) / length_sq;
  const Point4 off_p = from_p - t * way, off_q = from_q + s * way;
  Foot4 foot{{s, 1.0 - s, 0.0}, dot(off_q, off_q)};
  foot.take(s <= 0.0, {{0.0, 1.0, 0.0}, dot(from_q, from_q)});
  foot.take(t <= 0.5, {{1.0 - t, t, 0.0}, dot(off_p, off_p)});
  foot.take(t <= 0.0, {{1.0, 0.0, 0.0}, dot(from_p, from_p)});
  return foot;
}

// Infinitely far where the projection falls outside.
PLIANT_SIMD_INLINE Foot4 foot_inside(const Point4& x, const Triangle4& t) {
  const Point4 e = t.p[1] - t.p[0], f = t.p[2] - t.p[0], d = x - t.p[0];
  const Point4 normal = cross(e, f);
  const Double4 scale = dot(normal, normal), v = dot(cross(d, f), normal), w = dot(cross(e, d), normal);
  const Mask4 inside = (scale > 0.0) & (v >= 0.0) & (w >= 0.0) & (v + w <= scale);
  const Double4 b = v / scale, c = simd::min(1.0 - b, w / scale);
  const Point4 off = d - b * e - c * f;
  return {{1.0 - b - c, b, c}, select(inside, dot(off, off), Double4(__builtin_inf()))};
}

PLIANT_SIMD_INLINE Foot4 foot_on_triangle(const Point4& x, const Triangle4& t) {
  Foot4 best = foot_inside(x, t);
  for (int i = 0; i < 3; ++i) {
    const int j = i == 2 ? 0 : i + 1;
    const Foot4 foot = foot_on_segment(x, t.p[i], t.p[j]);
    Foot4 here{{0.0, 0.0, 0.0}, foot.distance_sq};
    here.weights[i] = foot.weights[0];
    here.weights[j] = foot.weights[1];
    best.take(foot.distance_sq < best.distance_sq, here);
  }
  return best;
}

}  // namespace PLIANT_SIMD_TARGET
}  // namespace pliant::four
