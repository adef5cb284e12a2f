// The classic builders: spheres around octants, and around the nodes of a box tree.
#include <algorithm>
#include <limits>
#include <map>

#include "pliant/bounds/sphere_tree/tree_plan.h"
#include "pliant/core/error.h"
#include "pliant/core/parallel.h"

namespace pliant {
namespace {

struct Extent {
  Vec3 lo = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 hi = -lo;
  void add(const Vec3& p) {
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
  }
  Vec3 middle() const { return 0.5 * lo + 0.5 * hi; }
  int longest_axis() const {
    int axis = 0;
    (hi - lo).maxCoeff(&axis);
    return axis;
  }
};

Extent extent_of(const TreePlan& plan, std::span<const std::uint32_t> own, std::span<const std::uint32_t> chosen) {
  Extent extent;
  for (const std::uint32_t i : chosen)
    for (const Vec3& p : plan.corners(own[i])) extent.add(p);
  return extent;
}

// Runs divide(node) for the nodes of each level that are to be divided.
template <class Divide>
void by_levels(TreePlan& plan, Divide&& divide) {
  for (std::uint32_t depth = 0; depth < plan.settings().shape.depth; ++depth) {
    const std::vector<std::uint32_t> nodes = plan.level(depth);
    run_chunks(plan.settings().threads, nodes.size(), [&](std::size_t i) {
      if (plan.is_divided(nodes[i])) divide(nodes[i], depth);
    });
    plan.tell(depth + 1, plan.settings().shape.depth, 0, 1);
  }
}

// Where the pieces of a node stand in its list, cut into runs of one box each, in half at the median of the middles
// along the longest axis: the largest run first, until there are enough.
std::vector<std::vector<std::uint32_t>> boxes_of(const TreePlan& plan, std::span<const std::uint32_t> own) {
  std::vector<std::vector<std::uint32_t>> runs(1);
  for (std::uint32_t i = 0; i < own.size(); ++i) runs[0].push_back(i);
  while (runs.size() < plan.branching()) {
    const auto largest =
        std::max_element(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (largest->size() < 2) break;
    const int axis = extent_of(plan, own, *largest).longest_axis();
    const std::vector<std::uint32_t> order =
        order_by(largest->size(), [&](std::uint32_t i) { return plan.middle(own[(*largest)[i]])[axis]; });
    std::vector<std::uint32_t> low, high;
    for (std::size_t i = 0; i < order.size(); ++i) (i < order.size() / 2 ? low : high).push_back((*largest)[order[i]]);
    *largest = std::move(low);
    runs.push_back(std::move(high));
  }
  return runs;
}

}  // namespace

void divide_node_by_boxes(TreePlan& plan, std::uint32_t node) {
  const std::span<const std::uint32_t> own = plan.pieces(node);
  const auto runs = boxes_of(plan, own);
  std::vector<Vec3> centres;
  std::vector<std::uint32_t> child_of(own.size());
  for (std::uint32_t r = 0; r < runs.size(); ++r) {
    centres.push_back(extent_of(plan, own, runs[r]).middle());
    for (const std::uint32_t i : runs[r]) child_of[i] = r;
  }
  plan.divide(node, centres, child_of);
}

void divide_by_boxes(TreePlan& plan) {
  by_levels(plan, [&](std::uint32_t node, std::uint32_t) { divide_node_by_boxes(plan, node); });
}

void divide_by_octants(TreePlan& plan) {
  if (plan.branching() != 8)
    throw Error("an octree of branching " + std::to_string(plan.branching()), "an octree has 8 children");
  Extent all;
  for (const std::uint32_t piece : plan.pieces(0))
    for (const Vec3& p : plan.corners(piece)) all.add(p);
  const double half = 0.5 * (all.hi - all.lo).maxCoeff();
  std::map<std::uint32_t, Vec3> cube_of{{0U, all.middle()}};
  for (std::uint32_t depth = 0; depth < plan.settings().shape.depth; ++depth) {
    const double quarter = std::ldexp(half, -static_cast<int>(depth) - 1);
    for (const std::uint32_t node : plan.level(depth)) {
      if (!plan.is_divided(node)) continue;
      const Vec3 cube = cube_of[node];
      std::vector<Vec3> centres;
      for (unsigned o = 0; o < 8; ++o)
        centres.emplace_back(cube +
                             quarter * Vec3((o & 1) != 0 ? 1 : -1, (o & 2) != 0 ? 1 : -1, (o & 4) != 0 ? 1 : -1));
      std::vector<std::uint32_t> child_of;
      std::array<bool, 8> used{};
      for (const std::uint32_t piece : plan.pieces(node)) {
        const Vec3 p = plan.middle(piece);
        const std::uint32_t octant =
            (p.x() > cube.x() ? 1 : 0) | (p.y() > cube.y() ? 2 : 0) | (p.z() > cube.z() ? 4 : 0);
        child_of.push_back(octant);
        used[octant] = true;
      }
      plan.divide(node, centres, child_of);
      std::uint32_t child = node * 8 + 1;
      for (std::size_t o = 0; o < 8; ++o)
        if (used[o]) cube_of[child++] = centres[o];
    }
    plan.tell(depth + 1, plan.settings().shape.depth, 0, 1);
  }
}

}  // namespace pliant
