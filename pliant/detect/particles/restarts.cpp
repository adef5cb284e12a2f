#include "pliant/detect/particles/restarts.h"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

VertexId nearest_vertex(const RestartedRegion& in, const Vec3& to) {
  const auto vertices = in.regions.of(in.region);
  VertexId best = vertices[0];
  double least = (in.body.positions[best.index()] - to).squaredNorm();
  for (const VertexId v : vertices) {
    const double d = (in.body.positions[v.index()] - to).squaredNorm();
    if (d < least) least = d, best = v;
  }
  return best;
}

Vec3 middle(const Aabb& box) {
  Vec3 m;
  for (std::size_t i = 0; i < 3; ++i)
    m[static_cast<Eigen::Index>(i)] = 0.5 * double{box.lo[i]} + 0.5 * double{box.hi[i]};
  return m;
}

Vec3 corner(const Aabb& box, int number) {
  Vec3 c;
  for (std::size_t i = 0; i < 3; ++i)
    c[static_cast<Eigen::Index>(i)] = (number >> i & 1) ? double{box.hi[i]} : double{box.lo[i]};
  return c;
}

}  // namespace

double restart(const RestartedRegion& a, const RestartedRegion& b, int restarts, double near_enough_sq) {
  const Aabb box_a = a.regions.table.node(a.region).box(), box_b = b.regions.table.node(b.region).box();
  const Aabb both = common(box_a, box_b);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < restarts && !(least < near_enough_sq); ++k) {
    const Vec3 for_a = k == 0 ? middle(box_b) : k == 1 ? middle(both) : corner(both, (k - 2) % 8);
    const Vec3 for_b = k == 0 ? middle(box_a) : for_a;
    PairWalk walk{a.body, b.body, nearest_vertex(a, for_a), nearest_vertex(b, for_b)};
    least = std::min(least, walk.run(std::max(a.regions.longest_route, b.regions.longest_route)));
  }
  return least;
}

}  // namespace pliant
