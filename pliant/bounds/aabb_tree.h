// A flat binary tree of boxes over any numbered primitives; several primitives per leaf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/aabb.h"
#include "pliant/core/parallel.h"

namespace pliant {

// Binned surface-area heuristic, 16 bins on the longest axis (Wald 2007): best queries. Morton order: several times
// faster to build, queries somewhat slower. Median: halves at the median centre on the longest axis, the textbook tree.
enum class TreeBuild : std::uint8_t { sah, morton, median };

struct AabbTreeSettings {
  TreeBuild build = TreeBuild::sah;
  std::uint32_t leaf_size = 8;  // most primitives in a leaf, 1 to 255
  Threads threads = {1};
};

// 32 bytes: a box and where its children or primitives are.
struct alignas(32) AabbNode {
  std::array<float, 3> lo;
  std::uint32_t first;  // leaf: first slot in order(); inner node: left child, the right one follows it
  std::array<float, 3> hi;
  std::uint32_t count;  // primitives of a leaf, 0 for an inner node

  bool is_leaf() const { return count != 0; }
  Aabb box() const { return {lo, hi}; }
  void set_box(const Aabb& box) {
    lo = box.lo;
    hi = box.hi;
  }
};
static_assert(sizeof(AabbNode) == 32);

// The shape of the tree is fixed at the build; boxes follow by refit. Node 0 is the root, node 1 is unused so that
// sibling pairs share a cache line, children stand behind their parents. The tree is the same for any thread count.
class AabbTree {
 public:
  AabbTree() = default;
  AabbTree(std::span<const Aabb> boxes, const AabbTreeSettings& settings);

  bool empty() const { return order_.empty(); }
  std::span<const AabbNode> nodes() const { return nodes_; }
  const AabbNode& node(std::uint32_t index) const { return nodes_[index]; }
  bool has_node(std::uint32_t index) const { return !empty() && index < nodes_.size() && index != 1; }
  // Primitives in the order of the leaves.
  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const std::uint32_t> primitives(const AabbNode& leaf) const {
    return std::span(order_).subspan(leaf.first, leaf.count);
  }
  Aabb bounds() const { return empty() ? Aabb{} : nodes_[0].box(); }
  // The slots [first, last) in order() of everything below a node.
  std::pair<std::uint32_t, std::uint32_t> range_below(std::uint32_t node) const;
  std::size_t bytes() const { return nodes_.size() * sizeof(AabbNode) + order_.size() * sizeof(std::uint32_t); }

  // The leaf that would grow least to hold the box, seen from the root down. Not for an empty tree.
  std::uint32_t leaf_for(const Aabb& box) const;
  // The same nodes over other primitives: of leaf i, in the order of first slots, those in by_leaf[i]. What is too
  // much for a leaf, or missing in one, is evened out with the leaves beside it. Boxes are those of the old primitives
  // until the next refit. False, and nothing is changed, if there are fewer primitives than leaves or more than
  // `leaf_size` for each.
  bool assign(const std::vector<std::vector<std::uint32_t>>& by_leaf, std::uint32_t leaf_size);
  // Total surface area of the boxes, halved: what a traversal costs is about proportional to it.
  double total_area() const;
  // All leaves, in the order of their first slots.
  std::vector<std::uint32_t> leaves() const;

  // The node ranges that make up the tree: subtrees, independent of each other, and last the nodes above them.
  std::uint32_t slice_count() const { return static_cast<std::uint32_t>(slices_.size()) + 1; }
  std::pair<std::uint32_t, std::uint32_t> slice(std::uint32_t i) const {
    return i < slices_.size() ? slices_[i] : std::pair{0U, top_end_};
  }
  // Calls fit_slice(nodes, slice number), which gives the slice's nodes their boxes, for all slices in a good order.
  template <class FitSlice>
  void refit_slices(Threads threads, FitSlice&& fit_slice) {
    if (empty()) return;
    run_chunks(threads, slices_.size(),
               [&](std::size_t i) { fit_slice(nodes_.data(), static_cast<std::uint32_t>(i)); });
    fit_slice(nodes_.data(), slice_count() - 1);
  }

  // Gives every leaf the box leaf_box(leaf node) and every inner node the union of its children.
  template <class LeafBox>
  void refit(Threads threads, LeafBox&& leaf_box) {
    if (empty()) return;
    run_chunks(threads, slices_.size(),
               [&](std::size_t i) { refit_range(slices_[i].first, slices_[i].second, leaf_box); });
    refit_range(0, top_end_, leaf_box);
  }

 private:
  friend class AabbTreeBuilder;

  // Children stand behind their parents, so one pass backwards does it.
  template <class LeafBox>
  void refit_range(std::uint32_t begin, std::uint32_t end, LeafBox& leaf_box) {
    for (std::uint32_t i = end; i-- > begin;) {
      AabbNode& node = nodes_[i];
      if (i == 1) continue;
      if (node.is_leaf()) node.set_box(leaf_box(std::as_const(node)));
      else node.set_box(united(nodes_[node.first].box(), nodes_[node.first + 1].box()));
    }
  }

  std::vector<AabbNode> nodes_;
  std::vector<std::uint32_t> order_;
  std::uint32_t top_end_ = 0;                                    // nodes [0, top_end_) are above the slices
  std::vector<std::pair<std::uint32_t, std::uint32_t>> slices_;  // node ranges of subtrees, refitted in parallel
};

}  // namespace pliant
