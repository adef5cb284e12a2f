#include "pliant/bounds/aabb_tree.h"

#include <algorithm>
#include <cassert>

#include "pliant/bounds/aabb_tree_builder.h"

namespace pliant {

// Splits the items from the top until runs are small enough to be built apart (in parallel), then joins the subtrees:
// [ top nodes | subtree | subtree | ... ]. What counts as small depends on the item count alone.
class AabbTreeBuilder {
 public:
  AabbTreeBuilder(AabbTree& tree, std::span<const Aabb> boxes, const AabbTreeSettings& settings)
      : tree_(tree), boxes_(boxes), settings_(settings) {
    if (settings.build == TreeBuild::morton) morton_ = sort_by_morton(settings.threads, boxes);
    else items_ = BuildItems(boxes);
    slice_size_ = std::max<std::uint32_t>(1024, static_cast<std::uint32_t>(boxes.size() / 32));
  }

  void build() {
    tree_.nodes_.resize(2);
    grow(tree_.nodes_, 0, {0, static_cast<std::uint32_t>(boxes_.size()), 0, CentreBounds::of(items_, 0, items_.size())},
         slice_size_);
    tree_.top_end_ = static_cast<std::uint32_t>(tree_.nodes_.size());
    std::vector<std::vector<AabbNode>> slices(jobs_.size());
    run_chunks(settings_.threads, jobs_.size(), [&](std::size_t i) {
      slices[i].resize(2);
      grow(slices[i], 0, jobs_[i].run, 0);
    });
    for (std::size_t i = 0; i < jobs_.size(); ++i) join(jobs_[i].node, slices[i]);
    tree_.order_ = std::move(settings_.build == TreeBuild::morton ? morton_.ids : items_.ids);
    tree_.refit(settings_.threads, [this](const AabbNode& leaf) {
      Aabb box;
      for (const std::uint32_t i : tree_.primitives(leaf)) box.add(boxes_[i]);
      return box;
    });
  }

 private:
  struct Run {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t depth;
    CentreBounds bounds;
  };
  struct Job {
    std::uint32_t node;
    Run run;
  };
  // From here on runs are halved, so that no input makes a tree deeper than this plus log2 of its size.
  static constexpr std::uint32_t kMostUnbalanced = 64;

  Cut cut(const Run& run) {
    if (settings_.build == TreeBuild::morton)
      return {cut_by_morton(morton_.codes, run.begin, run.end), run.bounds, run.bounds};
    if (settings_.build == TreeBuild::median || run.depth >= kMostUnbalanced)
      return cut_at_median(items_, run.begin, run.end, run.bounds);
    return cut_by_sah(items_, run.begin, run.end, run.bounds);
  }

  // Builds the subtree of `run` at nodes[at]. Runs of at most `leave_below` items (0: none) become jobs instead.
  void grow(std::vector<AabbNode>& nodes, std::uint32_t at, const Run& run, std::uint32_t leave_below) {
    const std::uint32_t size = run.end - run.begin;
    if (size <= leave_below) {
      jobs_.push_back({at, run});
      return;
    }
    if (size <= settings_.leaf_size) {
      nodes[at].first = run.begin;
      nodes[at].count = size;
      return;
    }
    const Cut halves = cut(run);
    assert(run.begin < halves.middle && halves.middle < run.end);
    const auto left = static_cast<std::uint32_t>(nodes.size());
    nodes.resize(nodes.size() + 2);
    nodes[at].first = left;
    nodes[at].count = 0;
    grow(nodes, left, {run.begin, halves.middle, run.depth + 1, halves.left}, leave_below);
    grow(nodes, left + 1, {halves.middle, run.end, run.depth + 1, halves.right}, leave_below);
  }

  // A slice's root goes to its place in the top; its other nodes (from 2 on) to the end.
  void join(std::uint32_t at, const std::vector<AabbNode>& slice) {
    const auto begin = static_cast<std::uint32_t>(tree_.nodes_.size());
    const auto shifted = [&](AabbNode node) {
      if (!node.is_leaf()) node.first += begin - 2;
      return node;
    };
    tree_.nodes_[at] = shifted(slice[0]);
    for (std::size_t i = 2; i < slice.size(); ++i) tree_.nodes_.push_back(shifted(slice[i]));
    tree_.slices_.emplace_back(begin, static_cast<std::uint32_t>(tree_.nodes_.size()));
  }

  AabbTree& tree_;
  std::span<const Aabb> boxes_;
  AabbTreeSettings settings_;
  BuildItems items_;    // SAH
  MortonOrder morton_;  // Morton
  std::uint32_t slice_size_;
  std::vector<Job> jobs_;
};

AabbTree::AabbTree(std::span<const Aabb> boxes, const AabbTreeSettings& settings) {
  assert(settings.leaf_size >= 1 && settings.leaf_size <= 255);
  if (!boxes.empty()) AabbTreeBuilder(*this, boxes, settings).build();
}

std::pair<std::uint32_t, std::uint32_t> AabbTree::range_below(std::uint32_t node) const {
  std::uint32_t first = node;
  while (!nodes_[first].is_leaf()) first = nodes_[first].first;
  std::uint32_t last = node;
  while (!nodes_[last].is_leaf()) last = nodes_[last].first + 1;
  return {nodes_[first].first, nodes_[last].first + nodes_[last].count};
}

namespace {

double half_area(const Aabb& box) {
  const double x = double{box.hi[0]} - double{box.lo[0]};
  const double y = double{box.hi[1]} - double{box.lo[1]};
  const double z = double{box.hi[2]} - double{box.lo[2]};
  return x * y + y * z + z * x;
}

}  // namespace

std::uint32_t AabbTree::leaf_for(const Aabb& box) const {
  std::uint32_t node = 0;
  while (!nodes_[node].is_leaf()) {
    const std::uint32_t left = nodes_[node].first;
    const auto growth = [&](std::uint32_t child) {
      return half_area(united(nodes_[child].box(), box)) - half_area(nodes_[child].box());
    };
    node = growth(left + 1) < growth(left) ? left + 1 : left;
  }
  return node;
}

std::vector<std::uint32_t> AabbTree::leaves() const {
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (i != 1 && nodes_[i].is_leaf()) leaves.push_back(i);
  std::sort(leaves.begin(), leaves.end(),
            [this](std::uint32_t a, std::uint32_t b) { return nodes_[a].first < nodes_[b].first; });
  return leaves;
}

bool AabbTree::assign(const std::vector<std::vector<std::uint32_t>>& by_leaf, std::uint32_t leaf_size) {
  const std::vector<std::uint32_t> all = leaves();
  assert(by_leaf.size() == all.size());
  std::vector<std::uint32_t> order;
  for (const auto& some : by_leaf) order.insert(order.end(), some.begin(), some.end());
  if (order.size() < all.size() || order.size() > std::size_t{leaf_size} * all.size()) return false;
  std::size_t wanted = 0;  // where the leaf should end
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    wanted += by_leaf[i].size();
    // The leaves behind need one each, and cannot hold more than so many.
    const std::size_t behind = all.size() - 1 - i;
    const std::size_t held = behind * leaf_size;
    const std::size_t least = std::max<std::size_t>(first + 1, order.size() > held ? order.size() - held : 0);
    const std::size_t most = std::min<std::size_t>(first + leaf_size, order.size() - behind);
    const auto end = static_cast<std::uint32_t>(std::clamp(wanted, least, most));
    nodes_[all[i]].first = first;
    nodes_[all[i]].count = end - first;
    first = end;
  }
  order_ = std::move(order);
  return true;
}

double AabbTree::total_area() const {
  double area = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i == 1) continue;
    const AabbNode& node = nodes_[i];
    const double x = double{node.hi[0]} - double{node.lo[0]};
    const double y = double{node.hi[1]} - double{node.lo[1]};
    const double z = double{node.hi[2]} - double{node.lo[2]};
    area += x * y + y * z + z * x;
  }
  return area;
}

}  // namespace pliant
