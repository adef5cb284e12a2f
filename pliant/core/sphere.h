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

}  // namespace pliant
