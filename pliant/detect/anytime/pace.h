// When a search that has to end in time looks at the clock.
#pragma once

#include <cstdint>

#include "pliant/core/budget_meter.h"

namespace pliant {

// Work is told in nanoseconds that it should take; how long it does take is measured from one look to the next. Far
// from the deadline a look comes every 20 us or so, near to it after a quarter of what is left, so that a run is late
// by less than a microsecond and spends little on looking. One thread.
class Pace {
 public:
  explicit Pace(BudgetState& state);

  // Before `count` operations. False: do not do them.
  bool spend(std::uint64_t count = 1) {
    if (stopped_) return false;
    if (count > operations_left_) return out_of_operations();
    operations_left_ -= count;
    return true;
  }
  // After work. False: stop.
  bool worked(std::uint32_t nanoseconds) {
    until_look_ -= nanoseconds;
    return until_look_ > 0 ? !stopped_ : look();
  }
  // Before work that cannot be interrupted. False: it would be late, and the search is over.
  bool has_time_for(std::uint32_t nanoseconds) {
    return !has_deadline_ || nanoseconds < kShort ? !stopped_ : look_for(nanoseconds);
  }
  // Looks in any case.
  bool look();

  // What is to be done after the search takes this long: it has to end that much earlier.
  void reserve(std::uint64_t nanoseconds) { reserved_ = static_cast<std::int64_t>(nanoseconds); }

  bool stopped() const { return stopped_; }
  BudgetState& state() { return state_; }
  bool has_deadline() const { return has_deadline_; }
  std::uint64_t operations_left() const { return operations_left_; }
  bool counts() const { return counts_; }  // there is a limit of operations
  // From the first look until the deadline or until now, ns.
  std::int64_t time_given() const { return given_; }
  std::int64_t time_used() const;

 private:
  static constexpr std::uint32_t kShort = 400;  // ns: not worth a look
  bool out_of_operations();
  bool look_for(std::uint32_t nanoseconds);

  BudgetState& state_;
  bool has_deadline_;
  bool counts_;
  std::uint64_t operations_left_;
  Budget::Clock::time_point start_;
  Budget::Clock::time_point last_look_;
  std::int64_t given_ = 0;
  std::int64_t reserved_ = 0;
  std::int64_t told_ = 0;  // until the next look, when the last one was
  std::int64_t until_look_ = 0;
  double rate_ = 1;  // measured time per time told
  bool stopped_ = false;
};

}  // namespace pliant
