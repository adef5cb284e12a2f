#include "pliant/detect/mesh_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pliant/bounds/face_tree.h"
#include "pliant/core/budget_meter.h"
#include "pliant/geometry/distance.h"

namespace pliant {
namespace {

// Not more than the distance of anything in the boxes. Differences of floats are exact or rounded by one part in 2^53;
// the factor makes up for all roundings.
double gap(const Aabb& a, const Aabb& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double apart = std::max({0.0, double{a.lo[i]} - b.hi[i], double{b.lo[i]} - a.hi[i]});
    sum += apart * apart;
  }
  return std::sqrt(sum) * (1 - 0x1p-50);
}

AabbTree tree_of(const PosedMesh& mesh) {
  return {face_boxes(*mesh.mesh, mesh.positions, {1}), {.build = TreeBuild::morton, .leaf_size = 4, .threads = {1}}};
}

// Depth first, the nearer pair of nodes first.
class DistanceSearch {
 public:
  DistanceSearch(const PosedMesh& a, const PosedMesh& b) : a_(a), b_(b), tree_a_(tree_of(a)), tree_b_(tree_of(b)) {}

  MeshDistance run(const Budget& budget) {
    if (tree_a_.empty() || tree_b_.empty()) return best_;
    BudgetState state(budget);
    BudgetMeter meter(state);
    push(0, 0);
    while (!waiting_.empty()) {
      if (!meter.spend()) return unfinished();
      const Waiting next = waiting_.back();
      waiting_.pop_back();
      if (next.gap >= best_.distance) continue;
      const AabbNode &a = tree_a_.node(next.a), &b = tree_b_.node(next.b);
      if (a.is_leaf() && b.is_leaf()) test(a, b);
      else expand(next);
    }
    return best_;
  }

 private:
  struct Waiting {
    std::uint32_t a, b;
    double gap;
  };

  MeshDistance unfinished() {
    double least = best_.distance;
    for (const Waiting& pair : waiting_) least = std::min(least, pair.gap);
    best_.bound = std::isfinite(best_.distance) ? best_.distance - least : best_.distance;
    return best_;
  }

  void push(std::uint32_t a, std::uint32_t b) {
    const double apart = gap(tree_a_.node(a).box(), tree_b_.node(b).box());
    if (apart < best_.distance) waiting_.push_back({a, b, apart});
  }

  void expand(const Waiting& pair) {
    const AabbNode &a = tree_a_.node(pair.a), &b = tree_b_.node(pair.b);
    const std::size_t first = waiting_.size();
    for (std::uint32_t i = 0; i < (a.is_leaf() ? 1u : 2u); ++i)
      for (std::uint32_t j = 0; j < (b.is_leaf() ? 1u : 2u); ++j)
        push(a.is_leaf() ? pair.a : a.first + i, b.is_leaf() ? pair.b : b.first + j);
    std::sort(waiting_.begin() + static_cast<std::ptrdiff_t>(first), waiting_.end(),
              [](const Waiting& x, const Waiting& y) { return x.gap > y.gap; });
  }

  void test(const AabbNode& leaf_a, const AabbNode& leaf_b) {
    for (const std::uint32_t i : tree_a_.primitives(leaf_a)) {
      const Aabb box = face_box(a_.mesh->triangle(FaceId(i)), a_.positions);
      for (const std::uint32_t j : tree_b_.primitives(leaf_b)) {
        if (gap(box, face_box(b_.mesh->triangle(FaceId(j)), b_.positions)) < best_.distance) test(FaceId(i), FaceId(j));
      }
    }
  }

  void test(FaceId i, FaceId j) {
    const ClosestPoints near = closest_points(Triangle3(a_.corner(i, 0), a_.corner(i, 1), a_.corner(i, 2)),
                                              Triangle3(b_.corner(j, 0), b_.corner(j, 1), b_.corner(j, 2)));
    if (near.distance < best_.distance)
      best_ = {near.distance, 0, near.a, near.b, i, j, near.weights_a, near.weights_b};
  }

  const PosedMesh &a_, &b_;
  AabbTree tree_a_, tree_b_;
  std::vector<Waiting> waiting_;
  MeshDistance best_;
};

}  // namespace

MeshDistance distance(const PosedMesh& a, const PosedMesh& b, const Budget& budget) {
  return DistanceSearch(a, b).run(budget);
}

}  // namespace pliant
