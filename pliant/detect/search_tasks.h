// Runs the independent pieces of a search on threads, each with a meter of the budget.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/core/parallel.h"
#include "pliant/motion/interval.h"

namespace pliant {

// One for all segments of a detection, so that one operation limit holds for them together: under such a limit pieces
// run one after the other on one meter, and the run stops at the same place every time.
//
// What one piece finds is a struct with `hits`, a vector, and certain(): whether one of them is.
class SearchTasks {
 public:
  SearchTasks(BudgetState& state, Threads threads)
      : state_(state),
        counted_(state.budget().operation_limit().has_value()),
        threads_(counted_ ? Threads{1} : threads),
        common_meter_(state) {}

  BudgetState& state() const { return state_; }
  void set_share(double begin, double end) { share_ = {begin, end}; }  // of the work, for progress

  // search(i, meter) gives what one piece found. Returns all in the order of the pieces. With stop_at_first pieces are
  // left out (unfinished) once there is a certain hit.
  template <class Search>
  auto run(std::size_t count, bool stop_at_first, Search&& search) {
    using Found = decltype(search(std::size_t{}, common_meter_));
    std::vector<Found> found(count);
    run_part<Found>({found, 0, count}, stop_at_first, search);
    return found;
  }

  // Pieces `begin` to `end` of them; for searches that change their ways in between.
  template <class Found>
  struct Part {
    std::vector<Found>& found;  // of all pieces
    std::size_t begin;
    std::size_t end;
  };
  template <class Found, class Search>
  void run_part(const Part<Found>& part, bool stop_at_first, Search&& search) {
    done_ = part.begin;
    over_ = false;
    run_chunks(threads_, part.end - part.begin, [&](std::size_t chunk) {
      if (over()) return;
      BudgetMeter own_meter(state_);
      Found& found = part.found[part.begin + chunk];
      found = search(part.begin + chunk, counted_ ? common_meter_ : own_meter);
      if (stop_at_first && found.certain()) over_.store(true, std::memory_order_relaxed);
      hold(found.hits.size() * sizeof(found.hits[0]));
      tell_progress(part.found.size());
    });
  }

  // Whether a search for a single hit has found it.
  bool over() const { return over_.load(std::memory_order_relaxed); }

  // Memory that hits take, until release() says that they are gone.
  void hold(std::uint64_t bytes) { state_.may_hold(held_.fetch_add(bytes) + bytes); }
  void release() { held_ = 0; }

 private:
  void tell_progress(std::size_t count) {
    if (!state_.budget().tells_progress()) return;
    const std::lock_guard lock(progress_mutex_);
    state_.budget().tell_progress(share_.t0 +
                                  share_.length() * static_cast<double>(++done_) / static_cast<double>(count));
  }

  BudgetState& state_;
  bool counted_;
  Threads threads_;
  BudgetMeter common_meter_;
  std::atomic<bool> over_{false};
  std::atomic<std::uint64_t> held_{0};
  std::mutex progress_mutex_;
  std::size_t done_ = 0;
  Interval share_{0, 1};
};

}  // namespace pliant
