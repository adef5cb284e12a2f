// A budget at work: what a run has used of it, and why it stopped.
#pragma once

#include <limits>

#include "pliant/core/budget.h"

namespace pliant {

// The state of one run against its budget, shared by the run's threads.
class BudgetState {
 public:
  explicit BudgetState(const Budget& budget) : budget_(budget) {}
  const Budget& budget() const { return budget_; }

  StopReason reason() const { return reason_.load(std::memory_order_relaxed); }
  bool stopped() const { return reason() != StopReason::none; }
  void stop(StopReason reason);  // the first reason stays

  // Whether the deadline has passed or the run was cancelled; looks, and stops the run if so. For work that was paid
  // for in operations already, or is none, and is not to make a run late: other reasons to stop do not count.
  bool is_late();

  // False (and stopped, for memory) if holding `bytes` would break the memory limit.
  bool may_hold(std::uint64_t bytes);

 private:
  Budget budget_;
  std::atomic<StopReason> reason_{StopReason::none};
};

// Counts the operations of one thread and polls the budget. Not shared between threads.
//
// Each meter holds the whole operation limit, so that where a run stops does not depend on timing:
// detectors run serially, with one meter, under an operation limit.
class BudgetMeter {
 public:
  explicit BudgetMeter(BudgetState& state, unsigned poll_every = 16);

  // Accounts for `count` operations about to be done. False: do not do them, return what there is.
  bool spend(std::uint64_t count = 1) {
    if (used_ + count > limit_) return out_of_operations();
    used_ += count;
    if (--until_poll_ == 0) return poll();
    return !stopped_;
  }
  bool stopped() const { return stopped_; }
  BudgetState& state() const { return state_; }
  std::uint64_t used() const { return used_; }

 private:
  bool out_of_operations();
  bool poll();

  BudgetState& state_;
  std::uint64_t used_ = 0;
  std::uint64_t limit_ = std::numeric_limits<std::uint64_t>::max();
  unsigned poll_every_;
  unsigned until_poll_;
  bool stopped_ = false;
};

// What is left of a budget after so many operations; other limits stay.
inline Budget without_operations(const Budget& budget, std::uint64_t used) {
  const auto limit = budget.operation_limit();
  return limit ? budget & Budget::operations(*limit - (used < *limit ? used : *limit)) : budget;
}

}  // namespace pliant
