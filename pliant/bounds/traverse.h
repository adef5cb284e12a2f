// All overlapping leaf pairs of two trees, or of one tree with itself.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/bounds/overlap.h"
#include "pliant/core/budget_meter.h"

namespace pliant {

// A node of the first tree and one of the second; a == b in a traversal of a tree with itself means "all pairs below
// a".
struct NodePair {
  std::uint32_t a;
  std::uint32_t b;
  friend bool operator==(const NodePair&, const NodePair&) = default;
};

// Walks pairs of nodes depth first, both nodes at once, testing before pushing. Trees must outlive it and stay
// unchanged.
//
// Which pairs come, and in which order, depends on the trees alone: split() gives pairs of nodes such that run() from
// each of them visits together what run() from the roots would, on any number of threads.
class TreeTraversal {
 public:
  TreeTraversal(const AabbTree& a, const AabbTree& b) : a_(a), b_(b), self_(false) {}
  explicit TreeTraversal(const AabbTree& tree) : a_(tree), b_(tree), self_(true) {}

  // About `wanted` pairs to start from, disjoint below (fewer if the traversal is small, none if the roots are apart).
  std::vector<NodePair> split(std::size_t wanted) const {
    std::vector<NodePair> starts;
    if (a_.empty() || b_.empty() || !boxes_overlap(a_.node(0), b_.node(0))) return starts;
    starts.push_back({0, 0});
    bool grew = true;
    while (grew && starts.size() < wanted) {
      grew = false;
      std::vector<NodePair> next;
      for (const NodePair pair : starts) {
        if (is_leaf_pair(pair)) next.push_back(pair);
        else expand(pair, next);
        grew = grew || !is_leaf_pair(pair);
      }
      starts = std::move(next);
    }
    return starts;
  }

  // Visits every overlapping leaf pair below `start`, depth first: visit(const AabbNode& leaf_a, const AabbNode&
  // leaf_b) returns false to stop (its pair then counts as not visited). One operation is spent per node pair. Returns
  // the pairs that were not visited: empty when all were.
  template <class Visit>
  std::vector<NodePair> run(NodePair start, BudgetMeter& meter, Visit&& visit) const {
    PairStack stack;
    stack.push_back(start);
    while (!stack.empty()) {
      const NodePair pair = stack.back();
      if (!meter.spend()) break;
      if (is_leaf_pair(pair)) {
        if (!visit(a_.node(pair.a), b_.node(pair.b))) break;
        stack.pop_back();
      } else {
        stack.pop_back();
        expand(pair, stack);
      }
    }
    return {stack.begin(), stack.end()};
  }

 private:
  // A step downwards adds at most three pairs, and there are at most as many steps as the two trees are deep together:
  // AabbTree keeps each below 64 + 32 (bounds/aabb_tree.cpp).
  class PairStack {
   public:
    bool empty() const { return size_ == 0; }
    NodePair back() const { return pairs_[size_ - 1]; }
    void pop_back() { --size_; }
    void push_back(NodePair pair) {
      assert(size_ < pairs_.size());
      pairs_[size_++] = pair;
    }
    const NodePair* begin() const { return pairs_.data(); }
    const NodePair* end() const { return pairs_.data() + size_; }

   private:
    std::array<NodePair, 640> pairs_;
    std::size_t size_ = 0;
  };

  bool is_leaf_pair(NodePair pair) const { return a_.node(pair.a).is_leaf() && b_.node(pair.b).is_leaf(); }

  template <class Pairs>
  void push_if_overlapping(std::uint32_t a, std::uint32_t b, Pairs& out) const {
    if (boxes_overlap(a_.node(a), b_.node(b))) out.push_back({a, b});
  }

  // Replaces an overlapping pair by the overlapping pairs of its children.
  template <class Pairs>
  void expand(NodePair pair, Pairs& out) const {
    const AabbNode& a = a_.node(pair.a);
    const AabbNode& b = b_.node(pair.b);
    if (self_ && pair.a == pair.b) {
      out.push_back({a.first, a.first});
      out.push_back({a.first + 1, a.first + 1});
      push_if_overlapping(a.first, a.first + 1, out);
    } else if (a.is_leaf()) {
      push_if_overlapping(pair.a, b.first, out);
      push_if_overlapping(pair.a, b.first + 1, out);
    } else if (b.is_leaf()) {
      push_if_overlapping(a.first, pair.b, out);
      push_if_overlapping(a.first + 1, pair.b, out);
    } else {
      for (std::uint32_t i = 0; i < 2; ++i)
        for (std::uint32_t j = 0; j < 2; ++j) push_if_overlapping(a.first + i, b.first + j, out);
    }
  }

  const AabbTree& a_;
  const AabbTree& b_;
  bool self_;
};

}  // namespace pliant
