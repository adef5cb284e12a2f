// The separation list of two trees, or of one with itself, over boxes that move linearly.
#pragma once

#include <vector>

#include "pliant/bounds/traverse.h"
#include "pliant/core/budget_meter.h"
#include "pliant/detect/kinetic/two_end_tree.h"

namespace pliant::kinetic {

// The two trees; the same one twice for a body with itself.
struct FrontTrees {
  const TwoEndTree& a;
  const TwoEndTree& b;
  bool self() const { return &a == &b; }
};

// A pair of nodes that are apart, with the condition (OverlapSpan::apart_by) that says so: where the two bounds that it
// compares stand, as numbers of floats from the beginning of the nodes. The top bit of `a` says that a is below b.
struct SeparatedPair {
  static constexpr std::uint32_t kBelow = 0x8000'0000u;
  static constexpr std::uint32_t kFloats = sizeof(TwoEndBox) / sizeof(float);

  std::uint32_t a;
  std::uint32_t b;

  static SeparatedPair of(NodePair nodes, int apart_by);
  NodePair nodes() const { return {(a & ~kBelow) / kFloats, b / kFloats}; }
};
static_assert(sizeof(SeparatedPair) == 8);

struct FrontSettings {
  double growth = 1.3;     // a slice that is so much longer than when it was built is built anew
  std::size_t turns = 16;  // in so many segments every slice is built anew once
};

// The slice of the list below some pairs of nodes. Together with the overlapping pairs above them, the pairs of a list
// cover every pair of leaves exactly once, whatever the boxes are: an old list is a valid start for any new segment.
//
// The list is flat and keeps no overlapping inner pairs: a segment's update reads it front to back and replaces those
// that have come to overlap. What has come apart further up is only found by building anew from the roots, which is
// done when the list has grown by FrontSettings::growth (or when the caller asks).
class FrontSlice {
 public:
  FrontSlice(std::vector<NodePair> roots, double growth) : roots_(std::move(roots)), growth_(growth) {}

  // Makes the list right for the segment that the trees are fitted to. One operation is spent per pair of nodes. False
  // if the budget ran out: the list is then built anew at the next call.
  bool update(const FrontTrees& trees, bool anew, BudgetMeter& meter);

  // Pairs of leaves that overlap at some time in the segment, all of those below the roots.
  const std::vector<NodePair>& open() const { return open_; }
  // Pairs of nodes that are apart in the whole segment. With open() they cover every pair of leaves below the roots
  // once.
  const std::vector<SeparatedPair>& closed() const { return closed_; }
  // Of the pairs that are in one tree: the roots of this slice.
  const std::vector<NodePair>& roots() const { return roots_; }

  std::size_t size() const { return closed_.size() + open_.size(); }
  std::size_t bytes() const;

 private:
  bool build(const FrontTrees& trees, BudgetMeter& meter);
  bool descend(const FrontTrees& trees, NodePair start, BudgetMeter& meter);
  void close_separated(const FrontTrees& trees);
  void find_opened(const FrontTrees& trees);
  bool replace_opened(const FrontTrees& trees, BudgetMeter& meter);

  std::vector<NodePair> roots_;
  double growth_;
  std::vector<SeparatedPair> closed_;
  std::vector<NodePair> open_;
  std::vector<std::uint32_t> opened_;  // slots in closed_; scratch
  std::vector<NodePair> stack_;        // scratch
  std::size_t fresh_size_ = 0;         // when it was last built anew
  bool stale_ = true;
};

// All slices of a pair of trees: cut by the sizes of the trees alone, so that they can be worked on by any number of
// threads with the same results.
class SeparationFront {
 public:
  explicit SeparationFront(const FrontSettings& settings = {}) : settings_(settings) {}

  std::vector<FrontSlice>& slices() { return slices_; }
  const std::vector<FrontSlice>& slices() const { return slices_; }
  // Cuts the list into about `wanted` slices. Before the first update and after a tree was built anew.
  void cut(const FrontTrees& trees, std::size_t wanted);
  bool is_cut() const { return !slices_.empty(); }
  // Whether slice `i` is to be built anew in this segment: each once in some segments, so that none pays for all.
  bool is_due(std::size_t i) const { return (i + turn_) % settings_.turns == 0; }
  void next_turn() { ++turn_; }

  std::size_t size() const;
  std::size_t bytes() const;

 private:
  FrontSettings settings_;
  std::vector<FrontSlice> slices_;
  std::size_t turn_ = 0;
};

}  // namespace pliant::kinetic
