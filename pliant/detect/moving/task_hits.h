// What the tasks of a search over a segment find, and what they tell each other.
#pragma once

#include <atomic>
#include <vector>

#include "pliant/detect/moving/swept_hit.h"

namespace pliant {

// What one task found.
struct SweptTaskHits {
  std::vector<SweptHit> hits;
  BodyPair pair{};               // of their bodies
  std::optional<SweptHit> best;  // of a search for the earliest
  std::uint64_t pair_tests = 0;  // feature pairs given to the solver
  bool any_certain = false;      // one of the hits is
  bool late = false;             // the deadline passed while pairs were decided: some were not
  bool finished = false;         // false: something of the task was left out

  bool certain() const { return any_certain; }
};

// What the tasks of a search for the earliest contact tell each other: nothing later than limit() matters.
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

}  // namespace pliant
