#include "pliant/detect/kinetic/separation_front.h"

namespace pliant::kinetic {

SeparatedPair SeparatedPair::of(NodePair nodes, int apart_by) {
  constexpr std::uint32_t kHigh = 4;  // where hi_t0 begins
  // Without such a condition any will do: it holds no longer than until the pair is looked at next.
  const auto axis = static_cast<std::uint32_t>(apart_by < 0 ? 0 : apart_by % 3);
  const std::uint32_t a = nodes.a * kFloats + axis, b = nodes.b * kFloats + axis;
  return apart_by < 3 ? SeparatedPair{a, b + kHigh} : SeparatedPair{(a + kHigh) | kBelow, b};
}

bool FrontSlice::update(const FrontTrees& trees, bool anew, BudgetMeter& meter) {
  if (stale_ || anew) return build(trees, meter);
  if (!meter.spend(size())) {
    stale_ = true;
    return false;
  }
  find_opened(trees);
  close_separated(trees);
  if (!replace_opened(trees, meter)) return false;
  stale_ = static_cast<double>(size()) > growth_ * static_cast<double>(fresh_size_) + 16;
  return true;
}

bool FrontSlice::build(const FrontTrees& trees, BudgetMeter& meter) {
  closed_.clear();
  open_.clear();
  stale_ = true;
  for (const NodePair root : roots_)
    if (!descend(trees, root, meter)) return false;
  fresh_size_ = size();
  stale_ = false;
  return true;
}

namespace {

bool is_leaf_pair(const FrontTrees& trees, NodePair pair) {
  return trees.a.node(pair.a).is_leaf() && trees.b.node(pair.b).is_leaf();
}

void push_children(const FrontTrees& trees, NodePair pair, std::vector<NodePair>& out) {
  const TwoEndBox& a = trees.a.node(pair.a);
  const TwoEndBox& b = trees.b.node(pair.b);
  if (trees.self() && pair.a == pair.b) {
    out.push_back({a.first, a.first});
    out.push_back({a.first, a.first + 1});
    out.push_back({a.first + 1, a.first + 1});
    return;
  }
  const std::uint32_t of_a = a.is_leaf() ? 1 : 2, of_b = b.is_leaf() ? 1 : 2;
  for (std::uint32_t i = 0; i < of_a; ++i)
    for (std::uint32_t j = 0; j < of_b; ++j)
      out.push_back({a.is_leaf() ? pair.a : a.first + i, b.is_leaf() ? pair.b : b.first + j});
}

}  // namespace

bool FrontSlice::descend(const FrontTrees& trees, NodePair start, BudgetMeter& meter) {
  stack_.assign(1, start);
  while (!stack_.empty()) {
    if (!meter.spend()) {
      stale_ = true;
      return false;
    }
    const NodePair pair = stack_.back();
    stack_.pop_back();
    if (!trees.self() || pair.a != pair.b) {
      const OverlapSpan span = overlap_span(trees.a.node(pair.a), trees.b.node(pair.b));
      if (span.empty()) {
        closed_.push_back(SeparatedPair::of(pair, span.apart_by));
        continue;
      }
    }
    if (is_leaf_pair(trees, pair)) open_.push_back(pair);
    else push_children(trees, pair, stack_);
  }
  return true;
}

// Those that were open in the last segment. Behind the slots in opened_, which stay as they are.
void FrontSlice::close_separated(const FrontTrees& trees) {
  std::size_t kept = 0;
  for (const NodePair pair : open_) {
    const bool same = trees.self() && pair.a == pair.b;
    const OverlapSpan span = same ? OverlapSpan{} : overlap_span(trees.a.node(pair.a), trees.b.node(pair.b));
    if (span.empty()) closed_.push_back(SeparatedPair::of(pair, span.apart_by));
    else open_[kept++] = pair;
  }
  open_.resize(kept);
}

// Branch-free: nearly all pairs stay apart by the same condition as before. A comparison of floats is exact, so that
// the two at the ends decide about the time between.
void FrontSlice::find_opened(const FrontTrees& trees) {
  const auto* floats_a = reinterpret_cast<const float*>(trees.a.nodes().data());
  const auto* floats_b = reinterpret_cast<const float*>(trees.b.nodes().data());
  constexpr std::size_t kEnd = 8;  // from a bound at t0 to that at t1
  opened_.resize(closed_.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    const SeparatedPair pair = closed_[i];
    const float* a = floats_a + (pair.a & ~SeparatedPair::kBelow);
    const float* b = floats_b + pair.b;
    const unsigned above = static_cast<unsigned>(a[0] > b[0]) & static_cast<unsigned>(a[kEnd] > b[kEnd]);
    const unsigned below = static_cast<unsigned>(a[0] < b[0]) & static_cast<unsigned>(a[kEnd] < b[kEnd]);
    const unsigned is_below = pair.a >> 31;
    const unsigned apart = (above & ~is_below) | (below & is_below);
    opened_[count] = static_cast<std::uint32_t>(i);
    count += (apart & 1) ^ 1;
  }
  opened_.resize(count);
}

// Fills the gaps with what comes in, and then from the back.
bool FrontSlice::replace_opened(const FrontTrees& trees, BudgetMeter& meter) {
  for (const std::uint32_t slot : opened_)
    if (!descend(trees, closed_[slot].nodes(), meter)) return false;
  std::size_t last = closed_.size();
  for (auto slot = opened_.rbegin(); slot != opened_.rend(); ++slot) closed_[*slot] = closed_[--last];
  closed_.resize(last);
  return true;
}

std::size_t FrontSlice::bytes() const {
  return closed_.capacity() * sizeof(SeparatedPair) + opened_.capacity() * sizeof(std::uint32_t) +
         (roots_.capacity() + open_.capacity() + stack_.capacity()) * sizeof(NodePair);
}

void SeparationFront::cut(const FrontTrees& trees, std::size_t wanted) {
  slices_.clear();
  if (trees.a.empty() || trees.b.empty()) return;
  std::vector<NodePair> starts{{0, 0}};
  std::vector<NodePair> apart;  // of the top: they make a slice of their own
  for (bool grew = true; grew && starts.size() < wanted;) {
    grew = false;
    std::vector<NodePair> next;
    for (const NodePair pair : starts) {
      const bool same = trees.self() && pair.a == pair.b;
      if (!same && overlap_span(trees.a.node(pair.a), trees.b.node(pair.b)).empty()) {
        apart.push_back(pair);
      } else if (is_leaf_pair(trees, pair)) {
        next.push_back(pair);
      } else {
        push_children(trees, pair, next);
        grew = true;
      }
    }
    starts = std::move(next);
  }
  for (const NodePair pair : starts) slices_.emplace_back(std::vector<NodePair>{pair}, settings_.growth);
  if (!apart.empty() || slices_.empty()) slices_.emplace_back(std::move(apart), settings_.growth);
}

std::size_t SeparationFront::size() const {
  std::size_t sum = 0;
  for (const FrontSlice& slice : slices_) sum += slice.size();
  return sum;
}

std::size_t SeparationFront::bytes() const {
  std::size_t sum = 0;
  for (const FrontSlice& slice : slices_) sum += slice.bytes();
  return sum;
}

}  // namespace pliant::kinetic
