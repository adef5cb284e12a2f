// Axis-aligned boxes in float, rounded outward from double: half the size of double boxes, and they never miss.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "pliant/core/simd.h"
#include "pliant/core/vec3.h"

namespace pliant {

// The largest float <= x and the smallest >= x, for any finite double x.
inline float round_down(double x) { return simd::round_down(simd::Double2{x, x}, simd::Double2{x, x})[0]; }
inline float round_up(double x) { return simd::round_up(simd::Double2{x, x}, simd::Double2{x, x})[0]; }

// Closed box; the default is empty (overlaps nothing). Boxes that touch overlap.
struct Aabb {
  static constexpr float kInf = std::numeric_limits<float>::infinity();
  std::array<float, 3> lo{kInf, kInf, kInf};
  std::array<float, 3> hi{-kInf, -kInf, -kInf};

  static Aabb of(const Vec3& p) {
    return {{round_down(p.x()), round_down(p.y()), round_down(p.z())},
            {round_up(p.x()), round_up(p.y()), round_up(p.z())}};
  }
  static Aabb of_points(std::span<const Vec3> points);

  bool empty() const { return !(lo[0] <= hi[0]); }
  void add(const Aabb& other) {
    for (std::size_t i = 0; i < 3; ++i) {
      lo[i] = lo[i] < other.lo[i] ? lo[i] : other.lo[i];
      hi[i] = hi[i] > other.hi[i] ? hi[i] : other.hi[i];
    }
  }
  bool overlaps(const Aabb& other) const {
    return lo[0] <= other.hi[0] && other.lo[0] <= hi[0] && lo[1] <= other.hi[1] && other.lo[1] <= hi[1] &&
           lo[2] <= other.hi[2] && other.lo[2] <= hi[2];
  }
  bool contains(const Aabb& other) const {
    return other.empty() || (lo[0] <= other.lo[0] && other.hi[0] <= hi[0] && lo[1] <= other.lo[1] &&
                             other.hi[1] <= hi[1] && lo[2] <= other.lo[2] && other.hi[2] <= hi[2]);
  }
  bool contains(const Vec3& p) const {
    for (int i = 0; i < 3; ++i)
      if (p[i] < lo[static_cast<std::size_t>(i)] || p[i] > hi[static_cast<std::size_t>(i)]) return false;
    return true;
  }
  // Length of the diagonal, rounded up; infinite where the box is.
  double diagonal() const;

  friend bool operator==(const Aabb&, const Aabb&) = default;
};

inline Aabb united(Aabb a, const Aabb& b) {
  a.add(b);
  return a;
}

// What lies in both of two boxes that overlap.
inline Aabb common(const Aabb& a, const Aabb& b) {
  Aabb both;
  for (std::size_t i = 0; i < 3; ++i) {
    both.lo[i] = std::max(a.lo[i], b.lo[i]);
    both.hi[i] = std::min(a.hi[i], b.hi[i]);
  }
  return both;
}

// The box and everything within `margin` (not negative) of it, rounded outward.
Aabb grown(const Aabb& box, double margin);

// Smallest box of some points, kept in double and rounded outward once at the end: cheaper than rounding every point.
class PointBounds {
 public:
  void add(const Vec3& p) {
    const simd::Double2 xy{p.x(), p.y()};
    const simd::Double2 z{p.z(), p.z()};
    lo_xy_ = simd::min(lo_xy_, xy);
    hi_xy_ = simd::max(hi_xy_, xy);
    lo_z_ = simd::min(lo_z_, z);
    hi_z_ = simd::max(hi_z_, z);
  }
  Aabb box() const {
    const simd::Float4 lo = simd::round_down(lo_xy_, lo_z_);
    const simd::Float4 hi = simd::round_up(hi_xy_, hi_z_);
    return {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
  }

 private:
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  simd::Double2 lo_xy_{kInf, kInf};
  simd::Double2 lo_z_{kInf, kInf};
  simd::Double2 hi_xy_{-kInf, -kInf};
  simd::Double2 hi_z_{-kInf, -kInf};
};

}  // namespace pliant
