#include "pliant/bounds/aabb.h"

#include <cmath>

namespace pliant {

Aabb Aabb::of_points(std::span<const Vec3> points) {
  PointBounds bounds;
  for (const Vec3& p : points) bounds.add(p);
  return bounds.box();
}

Aabb grown(const Aabb& box, double margin) {
  if (box.empty()) return box;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Aabb out;
  for (std::size_t i = 0; i < 3; ++i) {
    // The sums are off by half an ulp at most.
    out.lo[i] = round_down(std::nextafter(double{box.lo[i]} - margin, -kFar));
    out.hi[i] = round_up(std::nextafter(double{box.hi[i]} + margin, kFar));
  }
  return out;
}

double Aabb::diagonal() const {
  if (empty()) return 0;
  const Vec3 extent(double{hi[0]} - double{lo[0]}, double{hi[1]} - double{lo[1]}, double{hi[2]} - double{lo[2]});
  // Each extent is off by at most half an ulp, the norm by a few: four ulps up cover them.
  return extent.norm() * (1 + 4 * std::numeric_limits<double>::epsilon());
}

}  // namespace pliant
