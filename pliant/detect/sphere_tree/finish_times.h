// How long it takes to tell what a search has found: its budget has to hold for that too.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pliant/detect/anytime/pace.h"

namespace pliant {

// Learned from one call to the next, upward quickly.
class FinishTimes {
 public:
  // So much is kept back of the budget, as of now.
  void reserve(Pace& pace, std::size_t pairs, std::size_t hits) const {
    if (pace.has_deadline())
      pace.reserve(static_cast<std::uint64_t>(
          kMore * (at_least_ + per_pair_ * static_cast<double>(pairs) + per_hit_ * static_cast<double>(hits))));
  }

  // How long it took to tell so many, in nanoseconds.
  void learn(std::size_t pairs, std::size_t hits, double took) {
    if (pairs + hits < kEnough) at_least_ = towards(at_least_, took + kAround, 1);
    const double of_pairs = std::min(per_pair_ * static_cast<double>(pairs), 0.9 * took);
    if (hits < kEnough) per_pair_ = towards(per_pair_, took, pairs);
    else per_hit_ = towards(per_hit_, took - of_pairs, hits);
  }

 private:
  static constexpr double kMore = 1.15;
  static constexpr double kAround = 1500;     // ns: what comes before and after
  static constexpr std::size_t kEnough = 32;  // fewer say nothing of each

  static double towards(double known, double took, std::size_t count) {
    constexpr double kUp = 0.5, kDown = 0.2;  // to be late is worse
    if ((count != 1 && count < kEnough) || !(took > 0)) return known;
    const double measured = std::min(took / static_cast<double>(count), 2 * known);
    return std::max(known + (measured > known ? kUp : kDown) * (measured - known), 20.0);
  }

  double at_least_ = 4000;  // ns
  double per_pair_ = 300;
  double per_hit_ = 1500;
};

}  // namespace pliant
