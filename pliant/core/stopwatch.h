// How long something takes: the one place, beside deadlines, at which the library reads the clock.
#pragma once

#include "pliant/core/budget.h"

namespace pliant {

// Runs from its making on, on the clock of a budget: the real one, unless a test replaced it (Budget::with_clock).
class Stopwatch {
 public:
  explicit Stopwatch(Budget budget = {}) : budget_(std::move(budget)), start_(budget_.now()) {}

  double seconds() const { return between(start_, budget_.now()); }
  // Seconds since it was made or asked this last; starts anew.
  double lap() {
    const Budget::Clock::time_point before = start_;
    start_ = budget_.now();
    return between(before, start_);
  }

 private:
  static double between(Budget::Clock::time_point from, Budget::Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  Budget budget_;
  Budget::Clock::time_point start_;
};

// Adds the time that it lives to a sum, s.
class SecondsInto {
 public:
  explicit SecondsInto(double& sum) : sum_(sum) {}
  ~SecondsInto() { sum_ += watch_.seconds(); }
  SecondsInto(const SecondsInto&) = delete;
  SecondsInto& operator=(const SecondsInto&) = delete;

 private:
  double& sum_;
  Stopwatch watch_;
};

}  // namespace pliant
