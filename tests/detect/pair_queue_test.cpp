#include "pliant/detect/anytime/pair_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

// A pair is known by its number, and its size by that.
RC_GTEST_PROP(PairQueue, GivesNearlyTheLargestOrSmallestAndLosesNone, (std::uint64_t seed)) {
  Dice dice(seed);
  PairQueue queue;
  std::vector<float> sizes;
  std::set<std::uint32_t> inside;
  constexpr double kBucket = 1.26;  // of squares: the first of an octave is a quarter wide
  const auto size_of = [&](std::uint32_t number) { return double{sizes[number]}; };
  for (int turn = 0; turn < 200; ++turn) {
    if (inside.empty() || dice.below(3) != 0) {
      const auto number = static_cast<std::uint32_t>(sizes.size());
      sizes.push_back(dice.below(20) == 0 ? 0.0f : static_cast<float>(std::exp(dice.uniform(-3, 1))));
      OpenPair pair;
      pair.bodies = number;
      queue.push(pair, sizes.back());
      inside.insert(number);
    } else {
      const bool largest = dice.below(2) == 0;
      const std::uint32_t number = (largest ? queue.pop_largest() : queue.pop_smallest()).bodies;
      RC_ASSERT(inside.erase(number) == 1);
      for (const std::uint32_t other : inside)
        RC_ASSERT(
            (largest ? size_of(other) <= kBucket * size_of(number) : size_of(number) <= kBucket * size_of(other)));
    }
    std::set<std::uint32_t> visited, large;
    queue.for_each([&](const OpenPair& pair) { visited.insert(pair.bodies); });
    queue.for_each_largest([&](const OpenPair& pair) { large.insert(pair.bodies); });
    RC_ASSERT(visited == inside);
    RC_ASSERT(queue.size() == inside.size());
    RC_ASSERT(queue.largest_count() == large.size());
    double most = 0;
    for (const std::uint32_t number : inside) most = std::max(most, size_of(number));
    // Nothing that rounding could make the largest is left out.
    for (const std::uint32_t number : inside) RC_ASSERT(large.count(number) || size_of(number) < 0.99 * most);
  }
}

}  // namespace
}  // namespace pliant::testing
