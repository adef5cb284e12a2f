// How a body's skin behaves in contact.
#pragma once

#include <algorithm>
#include <cmath>

namespace pliant {

struct Surface {
  double friction = 0.3;   // Coulomb's coefficient, 0 or more
  double restitution = 0;  // speed after over speed before, 0 to 1

  bool valid() const { return friction >= 0 && std::isfinite(friction) && restitution >= 0 && restitution <= 1; }
};

// Of two that meet: the geometric mean of friction (nothing rubs on ice) and the larger restitution.
inline Surface between(const Surface& a, const Surface& b) {
  return {std::sqrt(a.friction * b.friction), std::max(a.restitution, b.restitution)};
}

}  // namespace pliant
