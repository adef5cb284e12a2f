#include "pliant/bounds/sphere_tree/sphere_cover.h"

#include <algorithm>

namespace pliant {

Sphere CoverProblem::around(const Vec3& centre, const IndexSet& set) const {
  double most_sq = 0;
  set.for_each([&](std::size_t i) {
    const Vec3 d = points[i] - centre;
    most_sq = std::max(most_sq, fixed_dot(d, d));
  });
  return {centre, std::sqrt(most_sq) * (1 + 4e-16)};
}

Sphere CoverProblem::enclosing(const IndexSet& set) const {
  std::vector<Vec3> held;
  set.for_each([&](std::size_t i) { held.push_back(points[i]); });
  return enclosing_ball(held);
}

double worst_error(std::span<const CoverSphere> spheres) {
  double worst = 0;
  for (const CoverSphere& s : spheres) worst = std::max(worst, s.error());
  return worst;
}

}  // namespace pliant
