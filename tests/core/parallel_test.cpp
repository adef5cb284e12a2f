#include "pliant/core/parallel.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <numeric>
#include <random>
#include <stdexcept>

namespace pliant {
namespace {

RC_GTEST_PROP(Parallel, ForVisitsEveryElementOnce, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 5000);
  const auto grain = *rc::gen::inRange<std::size_t>(0, 700);
  const auto threads = *rc::gen::inRange(0, 5);
  std::vector<std::atomic<int>> visits(count);
  parallel_for(Threads{threads}, count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ++visits[i];
  });
  for (const auto& v : visits) RC_ASSERT(v == 1);
}

TEST(Parallel, SortEqualsStdSortForAnyThreadCount) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> values(200'001);
  std::iota(values.begin(), values.end(), 0u);
  std::shuffle(values.begin(), values.end(), random);
  for (const int threads : {1, 2, 3}) {
    std::vector<std::uint32_t> sorted = values;
    parallel_sort(Threads{threads}, sorted.begin(), sorted.end(), std::less<>{});
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end())) << threads;
    EXPECT_EQ(sorted.back(), values.size() - 1);
  }
}

TEST(Parallel, ExceptionsReachTheCaller) {
  for (const int threads : {1, 2}) {
    EXPECT_THROW(run_chunks(Threads{threads}, 100,
                            [](std::size_t chunk) {
                              if (chunk == 42) throw std::runtime_error("chunk 42");
                            }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace pliant
