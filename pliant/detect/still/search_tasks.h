// Runs the independent pieces of a still search on threads, each with a meter of the budget.
#pragma once

#include <atomic>
#include <mutex>

#include "pliant/core/budget.h"
#include "pliant/core/parallel.h"
#include "pliant/detect/still/still_bodies.h"

namespace pliant {

// What one piece found.
struct TaskFindings {
  std::vector<FaceHit> hits;
  std::uint64_t box_tests = 0;
  std::uint64_t triangle_tests = 0;
  bool finished = false;  // false: something of the piece was left out
};

// Pieces share the budget's state; under an operation limit they run one after the other on one meter, so that the run
// stops at the same place every time.
class SearchTasks {
 public:
  SearchTasks(BudgetState& state, Threads threads, bool stop_at_first_hit)
      : state_(state), threads_(threads), stop_at_first_hit_(stop_at_first_hit) {}

  // search(i, meter) fills one piece's findings. Returns them in the order of the pieces.
  template <class Search>
  std::vector<TaskFindings> run(std::size_t count, Search&& search) {
    std::vector<TaskFindings> found(count);
    const bool counted = state_.budget().operation_limit().has_value();
    BudgetMeter common_meter(state_);
    run_chunks(counted ? Threads{1} : threads_, count, [&](std::size_t i) {
      if (stop_at_first_hit_ && any_hit()) return;
      BudgetMeter own_meter(state_);
      found[i] = search(i, counted ? common_meter : own_meter);
      finish(found[i], count);
    });
    return found;
  }

  bool any_hit() const { return any_hit_.load(std::memory_order_relaxed); }
  // True once a search for a single hit is over.
  bool over() const { return stop_at_first_hit_ && any_hit(); }

 private:
  void finish(const TaskFindings& found, std::size_t count) {
    if (!found.hits.empty()) any_hit_.store(true, std::memory_order_relaxed);
    const std::uint64_t held = hits_.fetch_add(found.hits.size()) + found.hits.size();
    state_.may_hold(held * sizeof(FaceHit));
    if (!state_.budget().tells_progress()) return;
    const std::lock_guard lock(progress_mutex_);
    state_.budget().tell_progress(static_cast<double>(++done_) / static_cast<double>(count));
  }

  BudgetState& state_;
  Threads threads_;
  bool stop_at_first_hit_;
  std::atomic<bool> any_hit_{false};
  std::atomic<std::uint64_t> hits_{0};
  std::mutex progress_mutex_;
  std::size_t done_ = 0;
};

}  // namespace pliant
