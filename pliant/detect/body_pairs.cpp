#include "pliant/detect/body_pairs.h"

#include <algorithm>

#include "pliant/bounds/traverse.h"
#include "pliant/core/budget_meter.h"

namespace pliant {

std::vector<BodyPair> overlapping_body_pairs(std::span<const Aabb> boxes,
                                             FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted) {
  std::vector<BodyPair> pairs;
  const auto consider = [&](std::uint32_t i, std::uint32_t j) {
    const BodyPair pair{std::min(i, j), std::max(i, j)};
    if (boxes[i].overlaps(boxes[j]) && wanted(pair.a, pair.b)) pairs.push_back(pair);
  };
  constexpr std::size_t kFew = 16;  // a tree would take longer
  if (boxes.size() <= kFew) {
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      for (std::uint32_t j = i; j < boxes.size(); ++j) consider(i, j);
    return pairs;
  }
  const AabbTree tree(boxes, {.leaf_size = 4});
  BudgetState unlimited{Budget{}};
  BudgetMeter meter(unlimited);
  const TreeTraversal traversal(tree);
  for (const NodePair start : traversal.split(1)) {
    traversal.run(start, meter, [&](const AabbNode& a, const AabbNode& b) {
      const auto bodies_a = tree.primitives(a);
      const auto bodies_b = tree.primitives(b);
      for (std::size_t i = 0; i < bodies_a.size(); ++i)
        for (std::size_t j = &a == &b ? i : 0; j < bodies_b.size(); ++j) consider(bodies_a[i], bodies_b[j]);
      return true;
    });
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace pliant
