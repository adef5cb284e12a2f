// Runs the independent tasks of a search on threads, each with a meter of the budget.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "pliant/core/budget_meter.h"
#include "pliant/core/parallel.h"
#include "pliant/motion/interval.h"

namespace pliant {

// One for all segments of a detection, so that one operation limit holds for them together: under such a limit tasks
// run one after the other on one meter, and the run stops at the same place every time.
//
// What one task finds is a struct with `hits`, a vector, and certain(): whether one of them is.
class SearchTasks {
 public:
  SearchTasks(BudgetState& state, Threads threads)
      : state_(state),
        counted_(state.budget().operation_limit().has_value()),
        threads_(counted_ ? Threads{1} : threads),
        common_meter_(state) {}

  BudgetState& state() const { return state_; }
  void set_progress_range(double begin, double end) { progress_range_ = {begin, end}; }  // of the work, for progress

  // search(i, meter) gives what one task found. Returns all in the order of the tasks. With stop_at_first tasks are
  // left out (unfinished) once there is a certain hit.
  template <class Search>
  auto run(std::size_t count, bool stop_at_first, Search&& search) {
    using Found = decltype(search(std::size_t{}, common_meter_));
    std::vector<Found> found(count);
    run_range<Found>({found, 0, count}, stop_at_first, search);
    return found;
  }

  // Tasks `begin` to `end` of them; for searches that change their ways in between.
  template <class Found>
  struct Range {
    std::vector<Found>& found;  // of all tasks
    std::size_t begin;
    std::size_t end;
  };
  template <class Found, class Search>
  void run_range(const Range<Found>& range, bool stop_at_first, Search&& search) {
    done_ = range.begin;
    over_ = false;
    run_chunks(threads_, range.end - range.begin, [&](std::size_t chunk) {
      if (over()) return;
      BudgetMeter own_meter(state_);
      Found& found = range.found[range.begin + chunk];
      found = search(range.begin + chunk, counted_ ? common_meter_ : own_meter);
      if (stop_at_first && found.certain()) over_.store(true, std::memory_order_relaxed);
      hold(found.hits.size() * sizeof(found.hits[0]));
      report_progress(range.found.size());
    });
  }

  // Whether a search for a single hit has found it.
  bool over() const { return over_.load(std::memory_order_relaxed); }

  // Memory that hits take, until release() says that they are gone.
  void hold(std::uint64_t bytes) { state_.may_hold(held_.fetch_add(bytes) + bytes); }
  void release() { held_ = 0; }

 private:
  void report_progress(std::size_t count) {
    if (!state_.budget().reports_progress()) return;
    const std::lock_guard lock(progress_mutex_);
    state_.budget().report_progress(progress_range_.t0 + progress_range_.length() * static_cast<double>(++done_) /
                                                             static_cast<double>(count));
  }

  BudgetState& state_;
  bool counted_;
  Threads threads_;
  BudgetMeter common_meter_;
  std::atomic<bool> over_{false};
  std::atomic<std::uint64_t> held_{0};
  std::mutex progress_mutex_;
  std::size_t done_ = 0;
  Interval progress_range_{0, 1};
};

}  // namespace pliant
