// Axis-aligned boxes in float, rounded outward from double: half the size of double boxes, and they never miss.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "pliant/core/vec3.h"

namespace pliant {

// The float before f; f must not be NaN or the lowest float. std::nextafter does the same through a call.
inline float next_below(float f) {
  if (f == 0) return -std::numeric_limits<float>::denorm_min();
  const auto bits = std::bit_cast<std::int32_t>(f);
  return std::bit_cast<float>(bits + (bits < 0 ? 1 : -1));
}

// The largest float <= x, for any finite double x.
inline float round_down(double x) {
  const auto f = static_cast<float>(x);
  return static_cast<double>(f) > x ? next_below(f) : f;
}

// The smallest float >= x, for any finite double x.
inline float round_up(double x) { return -round_down(-x); }

// Closed box; the default is empty (overlaps nothing). Boxes that touch overlap.
struct Aabb {
  static constexpr float kInf = std::numeric_limits<float>::infinity();
  std::array<float, 3> lo{kInf, kInf, kInf};
  std::array<float, 3> hi{-kInf, -kInf, -kInf};

  static Aabb of(const Vec3& p) {
    return {{round_down(p.x()), round_down(p.y()), round_down(p.z())}, {round_up(p.x()), round_up(p.y()), round_up(p.z())}};
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

// Smallest box of some points, kept in double and rounded outward once at the end: cheaper than rounding every point.
class PointBounds {
 public:
  void add(const Vec3& p) {
    lo_ = lo_.cwiseMin(p);
    hi_ = hi_.cwiseMax(p);
  }
  Aabb box() const {
    if (!(lo_.x() <= hi_.x())) return {};
    return {{round_down(lo_.x()), round_down(lo_.y()), round_down(lo_.z())},
            {round_up(hi_.x()), round_up(hi_.y()), round_up(hi_.z())}};
  }

 private:
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  Vec3 lo_{kInf, kInf, kInf};
  Vec3 hi_{-kInf, -kInf, -kInf};
};

}  // namespace pliant
