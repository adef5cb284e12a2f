#include "pliant/detect/anytime/pace.h"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

constexpr std::int64_t kLongestSlice = 20'000;   // ns: a cancel flag is seen that soon
constexpr std::int64_t kShortestSlice = 300;     // ns: about ten looks
constexpr double kSlowest = 16, kFastest = 0.2;  // of rates

std::int64_t ns_between(Budget::Clock::time_point from, Budget::Clock::time_point to) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count();
}

}  // namespace

Pace::Pace(BudgetState& state)
    : state_(state),
      has_deadline_(state.budget().deadline().has_value()),
      counts_(state.budget().operation_limit().has_value()),
      operations_left_(state.budget().operation_limit().value_or(std::numeric_limits<std::uint64_t>::max())) {
  if (has_deadline_) {
    start_ = last_look_ = state.budget().now();
    given_ = ns_between(start_, *state.budget().deadline());
  }
  look();
}

std::int64_t Pace::time_used() const { return has_deadline_ ? ns_between(start_, state_.budget().now()) : 0; }

bool Pace::out_of_operations() {
  state_.stop(StopReason::operations);
  stopped_ = true;
  return false;
}

bool Pace::look() {
  std::int64_t slice = kLongestSlice;
  if (state_.budget().cancelled()) state_.stop(StopReason::cancelled);
  if (has_deadline_) {
    const auto now = state_.budget().now();
    const std::int64_t worked = told_ - until_look_, took = ns_between(last_look_, now);
    // A slice in which the program did not run says nothing.
    if (worked > 0 && took > 0 && took < 20 * kLongestSlice)
      rate_ =
          std::clamp(0.75 * rate_ + 0.25 * static_cast<double>(took) / static_cast<double>(worked), kFastest, kSlowest);
    last_look_ = now;
    const std::int64_t left = ns_between(now, *state_.budget().deadline()) - reserved_;
    if (left <= 0) state_.stop(StopReason::deadline);
    slice = std::clamp(left / 4, kShortestSlice, kLongestSlice);
    slice = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(slice) / rate_));
  }
  told_ = until_look_ = slice;
  stopped_ = state_.stopped();
  return !stopped_;
}

bool Pace::look_for(std::uint32_t nanoseconds) {
  if (!look()) return false;
  const std::int64_t left = ns_between(last_look_, *state_.budget().deadline()) - reserved_;
  if (rate_ * nanoseconds <= static_cast<double>(left)) return true;
  state_.stop(StopReason::deadline);
  stopped_ = true;
  return false;
}

}  // namespace pliant
