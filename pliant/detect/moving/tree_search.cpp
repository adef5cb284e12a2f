#include "pliant/detect/moving/tree_search.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

// Every 16th of them, then the next of each 16, and so on.
std::vector<SweptTreeTask> scattered(const std::vector<SweptTreeTask>& tasks) {
  constexpr std::size_t kStride = 16;
  std::vector<SweptTreeTask> result;
  for (std::size_t first = 0; first < kStride; ++first)
    for (std::size_t i = first; i < tasks.size(); i += kStride) result.push_back(tasks[i]);
  return result;
}

}  // namespace

std::vector<SweptTreeTask> cut_into_tasks(const SweptQuery& query, const SweptTrees& trees,
                                          const ClearOfThemselves& clear) {
  constexpr std::size_t kTasks = 256;
  std::vector<Aabb> boxes;
  for (const AabbTree* tree : trees) boxes.push_back(tree->bounds());
  std::vector<SweptTreeTask> tasks;
  const auto wanted = [&](std::uint32_t a, std::uint32_t b) {
    return query.wants({a, b}) && !(a == b && !clear.empty() && clear[a]);
  };
  for (const BodyPair pair : overlapping_body_pairs(boxes, wanted)) {
    const TreeTraversal traversal =
        pair.a == pair.b ? TreeTraversal(*trees[pair.a]) : TreeTraversal(*trees[pair.a], *trees[pair.b]);
    for (const NodePair start : traversal.split(kTasks)) tasks.push_back({pair, start});
  }
  return query.wants_first_only() ? scattered(tasks) : tasks;
}

// A little more than a node's box, whose ends may be rounded to nearest.
Aabb node_box(const AabbTree& tree, std::uint32_t node) {
  const Aabb box = tree.node(node).box();
  float largest = 0;
  for (std::size_t i = 0; i < 3; ++i) largest = std::max({largest, std::abs(box.lo[i]), std::abs(box.hi[i])});
  return grown(box, 0x1p-23 * double{largest});
}

UnresolvedPair unresolved_nodes(const SweptQuery& query, const SweptTrees& trees, BodyPair pair, NodePair nodes) {
  const Aabb box = united(node_box(*trees[pair.a], nodes.a), node_box(*trees[pair.b], nodes.b));
  return {region_feature(query.bodies[pair.a].id, nodes.a), region_feature(query.bodies[pair.b].id, nodes.b),
          box.diagonal()};
}

std::optional<Region> node_region(const AabbTree& tree, std::uint32_t node) {
  if (tree.empty() && node == 0) return Region{};
  if (!tree.has_node(node)) return std::nullopt;
  const auto [first, last] = tree.range_below(node);
  std::vector<FaceId> faces;
  for (std::uint32_t i = first; i < last; ++i) faces.emplace_back(tree.order()[i]);
  std::sort(faces.begin(), faces.end());
  return region_of(std::move(faces), node_box(tree, node));
}

}  // namespace pliant
