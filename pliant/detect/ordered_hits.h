// What a search found, however much, in the order of reports.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "pliant/core/budget_meter.h"
#include "pliant/core/parallel.h"

namespace pliant {

// Sorted in runs of some ten thousand hits, which are merged as they are read: nothing is copied as a whole, no memory
// is needed beside the hits, and no step takes longer than a millisecond, so that a budget can end it anywhere. The
// order has no ties: it does not depend on how the hits came.
template <class Hit, class Less = std::less<>>
class OrderedHits {
 public:
  // In any order; the vector is taken over unless it is small.
  void add(std::vector<Hit>&& hits) {
    if (hits.empty()) return;
    size_ += hits.size();
    if (!blocks_.empty() && blocks_.back().size() + hits.size() <= kRun) {
      blocks_.back().insert(blocks_.back().end(), hits.begin(), hits.end());
      hits = {};
    } else {
      blocks_.push_back(std::move(hits));
    }
  }

  // To be called once, before next(). False if the deadline passed or the run was cancelled before all were sorted:
  // then only `least` of them are left, any of them.
  bool sort(Threads threads, BudgetState& state, std::size_t least) {
    const std::vector<std::span<Hit>> runs = cut_into_runs();
    std::atomic<bool> finished{true};
    parallel_for(threads, runs.size(), 1, [&](std::size_t i, std::size_t) {
      if (state.is_late() && size_ > least) finished.store(false, std::memory_order_relaxed);
      if (finished.load(std::memory_order_relaxed)) std::sort(runs[i].begin(), runs[i].end(), Less());
    });
    if (!finished) keep(least);
    for (const std::span<Hit> run : finished ? runs : cut_into_runs()) heads_.push_back(run);
    std::make_heap(heads_.begin(), heads_.end(), later);
    return finished;
  }

  std::size_t size() const { return size_; }  // that are left
  bool empty() const { return size_ == 0; }
  const Hit& first() const { return heads_.front().front(); }

  Hit next() {
    std::pop_heap(heads_.begin(), heads_.end(), later);
    std::span<Hit>& run = heads_.back();
    const Hit hit = run.front();
    run = run.subspan(1);
    if (run.empty()) heads_.pop_back();
    else std::push_heap(heads_.begin(), heads_.end(), later);
    --size_;
    return hit;
  }

 private:
  static constexpr std::size_t kRun = 1 << 14;

  static bool later(const std::span<Hit>& x, const std::span<Hit>& y) { return Less()(y.front(), x.front()); }

  std::vector<std::span<Hit>> cut_into_runs() {
    std::vector<std::span<Hit>> runs;
    for (std::vector<Hit>& block : blocks_)
      for (std::size_t begin = 0; begin < block.size(); begin += kRun)
        runs.push_back(std::span(block).subspan(begin, std::min(kRun, block.size() - begin)));
    return runs;
  }

  void keep(std::size_t count) {
    std::vector<Hit> kept;
    for (const std::vector<Hit>& block : blocks_)
      for (std::size_t i = 0; i < block.size() && kept.size() < count; ++i) kept.push_back(block[i]);
    std::sort(kept.begin(), kept.end(), Less());
    size_ = kept.size();
    blocks_.clear();
    blocks_.push_back(std::move(kept));
  }

  std::vector<std::vector<Hit>> blocks_;
  std::vector<std::span<Hit>> heads_;  // what is left of each run; a heap by their first hits
  std::size_t size_ = 0;
};

}  // namespace pliant
