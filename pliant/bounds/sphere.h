// A ball around something.
#pragma once

#include <limits>

#include "pliant/core/vec3.h"

namespace pliant {

// Closed. The default holds everything: nothing is known of what it bounds.
struct Sphere {
  Vec3 centre = Vec3::Zero();
  double radius = std::numeric_limits<double>::infinity();

  bool finite() const { return radius < std::numeric_limits<double>::infinity(); }
  friend bool operator==(const Sphere&, const Sphere&) = default;
};

// The largest distance between a point of one and a point of the other, rounded up.
double farthest_distance(const Sphere& a, const Sphere& b);

}  // namespace pliant
