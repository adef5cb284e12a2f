// Runs the independent pieces of a search over a segment on threads, each with a meter of the budget.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/core/parallel.h"
#include "pliant/detect/moving/swept_hit.h"

namespace pliant {

// What one piece found.
struct SweptTaskHits {
  std::vector<SweptHit> hits;
  std::optional<SweptHit> best;  // of a search for the earliest
  std::uint64_t pair_tests = 0;  // feature pairs given to the solver
  bool certain = false;          // one of the hits is
  bool finished = false;         // false: something of the piece was left out
};

// What the pieces of a search for the earliest contact tell each other: nothing later than limit() matters.
class EarliestTime {
 public:
  // Pairs are ordered by the lower end of the solver's bracket, but a search up to some time finds a pair only if its
  // true time lies before it. The margin is far wider than any bracket of a decided pair.
  double limit() const { return std::min(1.0, time_.load(std::memory_order_relaxed) + kMargin); }
  void found(double t_lo) {
    double known = time_.load(std::memory_order_relaxed);
    while (t_lo < known && !time_.compare_exchange_weak(known, t_lo, std::memory_order_relaxed)) {
    }
  }

 private:
  static constexpr double kMargin = 1e-6;
  std::atomic<double> time_{1};
};

// One for all segments of a detection, so that one operation limit holds for them together: under such a limit pieces
// run one after the other on one meter, and the run stops at the same place every time.
class SweptTasks {
 public:
  SweptTasks(BudgetState& state, Threads threads)
      : state_(state),
        counted_(state.budget().operation_limit().has_value()),
        threads_(counted_ ? Threads{1} : threads),
        common_meter_(state) {}

  const BudgetState& state() const { return state_; }
  void set_share(double begin, double end) { share_ = {begin, end}; }  // of the work, for progress

  // search(i, meter) fills one piece's hits. Returns them in the order of the pieces. With stop_at_first pieces are
  // left out (unfinished) once there is a certain hit.
  template <class Search>
  std::vector<SweptTaskHits> run(std::size_t count, bool stop_at_first, Search&& search) {
    std::vector<SweptTaskHits> found(count);
    run_part({found, 0, count}, stop_at_first, search);
    return found;
  }

  // Pieces `begin` to `end` of them; for searches that change their ways in between.
  struct Part {
    std::vector<SweptTaskHits>& found;  // of all pieces
    std::size_t begin;
    std::size_t end;
  };
  template <class Search>
  void run_part(const Part& part, bool stop_at_first, Search&& search) {
    std::atomic<bool> any{false};
    done_ = part.begin;
    run_chunks(threads_, part.end - part.begin, [&](std::size_t chunk) {
      if (stop_at_first && any.load(std::memory_order_relaxed)) return;
      BudgetMeter own_meter(state_);
      SweptTaskHits& found = part.found[part.begin + chunk];
      found = search(part.begin + chunk, counted_ ? common_meter_ : own_meter);
      if (found.certain) any.store(true, std::memory_order_relaxed);
      finish(found, part.found.size());
    });
  }

 private:
  void finish(const SweptTaskHits& found, std::size_t count) {
    const std::uint64_t held = held_.fetch_add(found.hits.size()) + found.hits.size();
    state_.may_hold(held * sizeof(SweptHit));
    if (!state_.budget().tells_progress()) return;
    const std::lock_guard lock(progress_mutex_);
    state_.budget().tell_progress(share_.t0 +
                                  share_.length() * static_cast<double>(++done_) / static_cast<double>(count));
  }

  BudgetState& state_;
  bool counted_;
  Threads threads_;
  BudgetMeter common_meter_;
  std::atomic<std::uint64_t> held_{0};
  std::mutex progress_mutex_;
  std::size_t done_ = 0;
  Interval share_{0, 1};
};

}  // namespace pliant
