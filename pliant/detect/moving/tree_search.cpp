#include "pliant/detect/moving/tree_search.h"

#include <algorithm>

namespace pliant {

std::vector<SweptTreeTask> cut_into_tasks(const SweptScene& scene, const SweptTrees& trees) {
  constexpr std::size_t kPieces = 256;
  std::vector<Aabb> boxes;
  for (const AabbTree* tree : trees) boxes.push_back(tree->bounds());
  std::vector<SweptTreeTask> tasks;
  const auto wanted = [&](std::uint32_t a, std::uint32_t b) { return scene.wants({a, b}); };
  for (const BodyPair pair : overlapping_body_pairs(boxes, wanted)) {
    const TreeTraversal traversal =
        pair.a == pair.b ? TreeTraversal(*trees[pair.a]) : TreeTraversal(*trees[pair.a], *trees[pair.b]);
    for (const NodePair start : traversal.split(kPieces)) tasks.push_back({pair, start});
  }
  return tasks;
}

UnresolvedPair unresolved_nodes(const SweptScene& scene, const SweptTrees& trees, BodyPair pair, NodePair nodes) {
  const Aabb box = united(trees[pair.a]->node(nodes.a).box(), trees[pair.b]->node(nodes.b).box());
  return {region_feature(scene.bodies[pair.a].id, nodes.a), region_feature(scene.bodies[pair.b].id, nodes.b),
          box.diagonal()};
}

Region node_region(const AabbTree& tree, std::uint32_t node) {
  if (tree.empty()) return {};
  const auto [first, last] = tree.range_below(node);
  std::vector<FaceId> faces;
  for (std::uint32_t i = first; i < last; ++i) faces.emplace_back(tree.order()[i]);
  std::sort(faces.begin(), faces.end());
  return region_of(std::move(faces), tree.node(node).box());
}

}  // namespace pliant
