// How far points reach along the axes, in double. Boxes of trees are float, rounded outward: bounds/aabb.h.
#pragma once

#include <limits>
#include <span>

#include "pliant/core/vec3.h"

namespace pliant {

// Of no points: low is above high.
struct Extent {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void include(std::span<const Vec3> points) {
    for (const Vec3& p : points) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  }
  Vec3 centre() const { return (low + high) / 2; }  // of at least one point
  bool empty() const { return !(low.x() <= high.x()); }
  double largest_side() const { return empty() ? 0 : (high - low).maxCoeff(); }
  // No points are held by nothing.
  bool holds(const Extent& other) const {
    return !other.empty() && (low.array() <= other.low.array()).all() && (high.array() >= other.high.array()).all();
  }
};

inline Extent extent_of(std::span<const Vec3> points) {
  Extent extent;
  extent.include(points);
  return extent;
}

}  // namespace pliant
