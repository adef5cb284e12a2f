#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/response/penalty.h"
#include "pliant/response/penalty_springs.h"

namespace pliant {
namespace {

// A point of one side that is inside the other, and the point there that is nearest to it.
struct DeepPoint {
  const CarriedPoint* inside = nullptr;
  const CarriedPoint* nearest = nullptr;
  double depth = 0;
};

const CarriedPoint& nearest_to(const Vec3& x, const std::vector<CarriedPoint>& points) {
  const CarriedPoint* found = points.data();
  double least = std::numeric_limits<double>::infinity();
  for (const CarriedPoint& p : points) {
    const double distance_sq = (p.x - x).squaredNorm();
    if (distance_sq < least) {
      least = distance_sq;
      found = &p;
    }
  }
  return *found;
}

// Hulls of regions reach farther than the surfaces in them: a point counts only if it is also behind the surface where
// that is nearest to it, and no deeper than that. `way`: how the points leave the other side, which reaches to `level`.
std::vector<DeepPoint> deep_points(const RegionSide& side, const RegionSide& other, const Vec3& way, double level) {
  std::vector<DeepPoint> deep;
  for (const CarriedPoint& p : side.points) {
    double depth = level - p.x.dot(way);
    if (!(depth > 0)) continue;
    const CarriedPoint& near = nearest_to(p.x, other.points);
    if (!near.normal.isZero(0)) depth = std::min(depth, (near.x - p.x).dot(near.normal));
    if (depth > 0) deep.push_back({&p, &near, depth});
  }
  return deep;
}

// As deep as the deepest point, on all of them by how deep they are. `sign`: 1 if they are a's.
void add_spring(const RegionOverlap& pair, const Vec3& normal, const std::vector<DeepPoint>& deep, double sign,
                PenaltySprings& springs) {
  if (deep.empty()) return;
  double sum = 0, deepest = 0;
  for (const DeepPoint& p : deep) {
    sum += p.depth;
    deepest = std::max(deepest, p.depth);
  }
  const double part = std::sqrt(std::min(pair.a->part, pair.b->part));
  springs.begin(pair.contact, normal, part * std::min(deepest, pair.contact.depth));
  for (const DeepPoint& p : deep)
    for (std::size_t k = 0; k < 3; ++k) {
      springs.add_end(p.inside->row[k], sign * p.inside->weight[k] * p.depth / sum);
      springs.add_end(p.nearest->row[k], -sign * p.nearest->weight[k] * p.depth / sum);
    }
}

}  // namespace

// Of regions of which only some points are known less of the depth counts: what is between them was not looked at.
void add_region_spring(const RegionOverlap& pair, PenaltySprings& springs) {
  const Vec3& n = pair.way_out;
  double top_of_b = -std::numeric_limits<double>::infinity(), bottom_of_a = -top_of_b;
  for (const CarriedPoint& p : pair.b->points) top_of_b = std::max(top_of_b, p.x.dot(n));
  for (const CarriedPoint& p : pair.a->points) bottom_of_a = std::min(bottom_of_a, p.x.dot(n));
  add_spring(pair, n, deep_points(*pair.a, *pair.b, n, top_of_b), 1, springs);
  add_spring(pair, n, deep_points(*pair.b, *pair.a, -n, -bottom_of_a), -1, springs);
}

// Coarse spheres overlap deeply: the overlap counts as a fraction of their size, so that forces do not grow with how
// early the search was interrupted.
void add_printed_spring(const RegionOverlap& pair, PenaltySprings& springs) {
  constexpr double kFullOverlap = 0.02;  // m, that is worth as much as spheres that lie in each other
  if (!(pair.contact.depth > 0) || pair.contact.normal.isZero(0)) return;
  springs.begin(pair.contact, pair.contact.normal,
                std::min(pair.contact.depth, kFullOverlap * pair.contact.depth / pair.size));
  springs.add_end(pair.a->nearest, 1);
  springs.add_end(pair.b->nearest, -1);
}

}  // namespace pliant
