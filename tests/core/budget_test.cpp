#include "pliant/core/budget_meter.h"

#include <gtest/gtest.h>

#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"

namespace pliant {
namespace {

std::uint64_t spend_until_stopped(const Budget& budget, std::uint64_t most, StopReason* reason = nullptr) {
  BudgetState state(budget);
  BudgetMeter meter(state);
  std::uint64_t done = 0;
  while (done < most && meter.spend()) ++done;
  if (reason) *reason = state.reason();
  return done;
}

TEST(Budget, WithoutLimitsNeverStops) { EXPECT_EQ(spend_until_stopped(Budget{}, 100000), 100000u); }

TEST(Budget, OperationLimitIsExact) {
  StopReason reason{};
  EXPECT_EQ(spend_until_stopped(Budget::operations(1234), 100000, &reason), 1234u);
  EXPECT_EQ(reason, StopReason::operations);
  EXPECT_EQ(spend_until_stopped(Budget::operations(0), 10), 0u);
}

TEST(Budget, OperationsAreNotSpentBeyondTheLimitInBulk) {
  BudgetState state(Budget::operations(10));
  BudgetMeter meter(state);
  EXPECT_TRUE(meter.spend(7));
  EXPECT_FALSE(meter.spend(4));
  EXPECT_EQ(meter.used(), 7u);
}

TEST(Budget, CancelFlagStopsAtTheNextPoll) {
  std::atomic<bool> cancel{false};
  BudgetState state(Budget::cancelled_by(cancel));
  BudgetMeter meter(state, 4);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(meter.spend());
  cancel = true;
  int further = 0;
  while (meter.spend()) ++further;
  EXPECT_LT(further, 4);
  EXPECT_EQ(state.reason(), StopReason::cancelled);
}

TEST(Budget, DeadlineWorksWithoutARealClock) {
  Budget::Clock::time_point now{};
  int reads = 0;
  const Budget budget = Budget::until(now + std::chrono::milliseconds(5)).with_clock([&] {
    return now + std::chrono::milliseconds(++reads);
  });
  StopReason reason{};
  const std::uint64_t done = spend_until_stopped(budget, 100000, &reason);
  EXPECT_EQ(reason, StopReason::deadline);
  EXPECT_EQ(reads, 5);
  EXPECT_LE(done, 5u * 16u);
}

TEST(Budget, ExpiredBudgetDoesNothing) {
  EXPECT_EQ(spend_until_stopped(Budget::within(std::chrono::nanoseconds(0)), 100), 0u);
}

TEST(Budget, HugeDurationsAreNoLimit) {
  for (const double seconds : {1e10, 1e18, 1e308, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(spend_until_stopped(Budget::within_seconds(seconds), 100), 100u) << seconds;
  for (const auto duration : {std::chrono::nanoseconds::max(), std::chrono::nanoseconds::max() - std::chrono::hours(1)})
    EXPECT_EQ(spend_until_stopped(Budget::within(duration), 100), 100u);
  EXPECT_FALSE(Budget::within_seconds(9e9).past_deadline());
  EXPECT_TRUE(Budget::within_seconds(3600).deadline().has_value());
}

TEST(Budget, DurationsBelowZeroAreSpent) {
  for (const double seconds : {0.0, -1.0, -1e308, -std::numeric_limits<double>::infinity()})
    EXPECT_EQ(spend_until_stopped(Budget::within_seconds(seconds), 100), 0u) << seconds;
  EXPECT_EQ(spend_until_stopped(Budget::within(std::chrono::nanoseconds::min()), 100), 0u);
  EXPECT_THROW(Budget::within_seconds(std::numeric_limits<double>::quiet_NaN()), Error);
}

TEST(Stopwatch, RunsOnTheClockOfItsBudget) {
  Budget::Clock::time_point now{};
  Stopwatch watch(Budget().with_clock([&] { return now; }));
  now += std::chrono::milliseconds(1500);
  EXPECT_EQ(watch.seconds(), 1.5);
  EXPECT_EQ(watch.lap(), 1.5);
  now += std::chrono::seconds(2);
  EXPECT_EQ(watch.seconds(), 2);
}

TEST(Budget, CombinedBudgetIsTheTighterOfEachLimit) {
  std::atomic<bool> first{false};
  std::atomic<bool> second{false};
  const Budget both = (Budget::operations(10) & Budget::cancelled_by(first)) &
                      (Budget::operations(5) & Budget::memory(100) & Budget::cancelled_by(second));
  EXPECT_EQ(both.operation_limit(), 5u);
  EXPECT_EQ(both.memory_limit(), 100u);
  EXPECT_FALSE(both.cancelled());
  second = true;
  EXPECT_TRUE(both.cancelled());
}

TEST(Budget, MemoryLimitIsReportedAsTheReason) {
  BudgetState state(Budget::memory(1000));
  EXPECT_TRUE(state.may_hold(1000));
  EXPECT_FALSE(state.may_hold(1001));
  EXPECT_EQ(state.reason(), StopReason::memory);
}

TEST(Budget, FirstReasonStays) {
  BudgetState state(Budget{});
  state.stop(StopReason::sink);
  state.stop(StopReason::deadline);
  EXPECT_EQ(state.reason(), StopReason::sink);
}

TEST(Budget, ProgressIsTold) {
  double told = -1;
  const Budget budget = Budget::operations(3).with_progress([&](double fraction) { told = fraction; });
  budget.report_progress(0.5);
  EXPECT_EQ(told, 0.5);
  EXPECT_TRUE(budget.reports_progress());
}

}  // namespace
}  // namespace pliant
