#include "pliant/core/budget_meter.h"

#include <algorithm>
#include <cmath>

#include "pliant/core/error.h"

namespace pliant {
namespace {

template <class T>
std::optional<T> tighter(const std::optional<T>& a, const std::optional<T>& b) {
  if (a && b) return std::min(*a, *b);
  return a ? a : b;
}

}  // namespace

Budget Budget::within(std::chrono::nanoseconds duration) {
  const Clock::time_point now = Clock::now();
  const auto wanted = std::chrono::duration_cast<Clock::duration>(duration);
  // Written such that nothing overflows.
  if (wanted >= Clock::time_point::max() - now) return unlimited();
  if (wanted <= Clock::duration::zero()) return until(now);
  return until(now + wanted);
}

Budget Budget::within_seconds(double seconds) {
  if (std::isnan(seconds)) throw Error("a budget that is not a number of seconds", "give one, or no budget");
  constexpr double kMost = 9e9;  // s: more than what nanoseconds in 64 bits can say is not far beyond
  if (seconds > kMost) return unlimited();
  return within(std::chrono::nanoseconds(static_cast<std::int64_t>(std::max(0.0, seconds) * 1e9)));
}

Budget Budget::until(Clock::time_point deadline) {
  Budget budget;
  budget.deadline_ = deadline;
  return budget;
}

Budget Budget::operations(std::uint64_t count) {
  Budget budget;
  budget.operations_ = count;
  return budget;
}

Budget Budget::memory(std::uint64_t bytes) {
  Budget budget;
  budget.memory_ = bytes;
  return budget;
}

Budget Budget::cancelled_by(const std::atomic<bool>& flag) {
  Budget budget;
  budget.cancel_ = &flag;
  return budget;
}

Budget Budget::operator&(const Budget& other) const {
  Budget both = *this;
  both.deadline_ = tighter(deadline_, other.deadline_);
  both.operations_ = tighter(operations_, other.operations_);
  both.memory_ = tighter(memory_, other.memory_);
  if (!both.cancel_) {
    both.cancel_ = other.cancel_;
    both.cancel_too_ = other.cancel_too_;
  } else if (!both.cancel_too_) {
    both.cancel_too_ = other.cancel_;
  }
  if (!both.now_) both.now_ = other.now_;
  if (!both.progress_) both.progress_ = other.progress_;
  return both;
}

Budget Budget::with_clock(Now now) const {
  Budget budget = *this;
  budget.now_ = std::make_shared<const Now>(std::move(now));
  return budget;
}

Budget Budget::with_progress(std::function<void(double)> told) const {
  Budget budget = *this;
  budget.progress_ = std::make_shared<const std::function<void(double)>>(std::move(told));
  return budget;
}

Budget Budget::without_progress() const {
  Budget budget = *this;
  budget.progress_ = nullptr;
  return budget;
}

bool Budget::cancelled() const {
  return (cancel_ && cancel_->load(std::memory_order_relaxed)) ||
         (cancel_too_ && cancel_too_->load(std::memory_order_relaxed));
}

bool Budget::past_deadline() const {
  if (!deadline_) return false;
  return now() >= *deadline_;
}

void Budget::report_progress(double fraction) const {
  if (progress_) (*progress_)(fraction);
}

void BudgetState::stop(StopReason reason) {
  StopReason none = StopReason::none;
  reason_.compare_exchange_strong(none, reason, std::memory_order_relaxed);
}

bool BudgetState::is_late() {
  if (budget_.cancelled()) stop(StopReason::cancelled);
  else if (budget_.past_deadline()) stop(StopReason::deadline);
  else return false;
  return true;
}

bool BudgetState::may_hold(std::uint64_t bytes) {
  if (!budget_.memory_limit() || bytes <= *budget_.memory_limit()) return true;
  stop(StopReason::memory);
  return false;
}

BudgetMeter::BudgetMeter(BudgetState& state, unsigned poll_every)
    : state_(state), poll_every_(std::max(1u, poll_every)), until_poll_(1) {
  if (const auto limit = state.budget().operation_limit()) limit_ = *limit;
}

bool BudgetMeter::out_of_operations() {
  state_.stop(StopReason::operations);
  stopped_ = true;
  return false;
}

bool BudgetMeter::poll() {
  until_poll_ = poll_every_;
  if (!state_.stopped()) {
    if (state_.budget().cancelled()) state_.stop(StopReason::cancelled);
    else if (state_.budget().past_deadline()) state_.stop(StopReason::deadline);
  }
  stopped_ = state_.stopped();
  return !stopped_;
}

}  // namespace pliant
