#include "pliant/detect/sphere_tree/printed_search.h"

#include <algorithm>

namespace pliant {

PrintedSearch::PrintedSearch(std::vector<SphereBody>& bodies, std::span<const SphereBodyPair> pairs, bool depth_first)
    : bodies_(bodies), depth_first_(depth_first), lists_(pairs.size()) {
  for (std::uint32_t i = 0; i < pairs.size(); ++i) push({i, pairs[i].a, 0, pairs[i].b, 0});
}

void PrintedSearch::push(const PrintedPair& pair) {
  lists_[pair.pair].push_back(pair);
  ++counts_.pushed;
  counts_.longest_list = std::max<std::uint64_t>(counts_.longest_list, ++size_);
}

bool PrintedSearch::pop(PrintedPair& pair) {
  for (std::size_t tried = 0; tried < lists_.size(); ++tried) {
    auto& list = lists_[turn_++ % lists_.size()];
    if (list.empty()) continue;
    pair = depth_first_ ? list.back() : list.front();
    if (depth_first_) list.pop_back();
    else list.pop_front();
    --size_;
    return true;
  }
  return false;
}

void PrintedSearch::run(Pace& pace, const FinishTimes& finish) {
  constexpr std::uint32_t kTest = 40;  // ns
  PrintedPair pair;
  while (size_ > 0 && pace.spend() && pop(pair)) {
    const std::uint32_t update = tree(pair.tree_1).time_for(pair.node_1) + tree(pair.tree_2).time_for(pair.node_2);
    test(pair);
    finish.reserve(pace, size_ + collision_list_.size(), 0);
    pace.worked(kTest + update);
  }
}

void PrintedSearch::test(const PrintedPair& p) {
  ++counts_.tested;
  SphereFollower &first = tree(p.tree_1), &second = tree(p.tree_2);
  const Sphere sphere_1 = first.sphere(p.node_1);
  if (!overlap(sphere_1, second.sphere(p.node_2))) return;
  if (second.tree().is_leaf(p.node_2)) {
    if (first.tree().is_leaf(p.node_1)) {
      collision_list_.push_back(p);
    } else {
      ++counts_.retested;
      push({p.pair, p.tree_2, p.node_2, p.tree_1, p.node_1});
    }
    return;
  }
  const std::uint32_t child = second.tree().first_child(p.node_2);
  for (std::uint32_t i = 0; i < second.tree().shape().branching; ++i)
    if (second.tree().has(child + i)) push({p.pair, p.tree_2, child + i, p.tree_1, p.node_1});
}

std::vector<PrintedPair> PrintedSearch::pair_list() const {
  std::vector<PrintedPair> all;
  for (const auto& list : lists_) all.insert(all.end(), list.begin(), list.end());
  return all;
}

UnresolvedPair PrintedSearch::unresolved(const PrintedPair& p, bool leaves) const {
  return unresolved_spheres({bodies_[p.tree_1], p.node_1}, {bodies_[p.tree_2], p.node_2}, leaves);
}

}  // namespace pliant
