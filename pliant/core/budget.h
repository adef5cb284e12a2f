// Time as a value: what one call may use before it has to return with what it has.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>  // brings durations and clocks; all of <chrono> takes the compiler five times as long
#include <optional>

namespace pliant {

// Why a run stopped early.
enum class StopReason : std::uint8_t { none, deadline, operations, cancelled, memory, sink };

// Limits for one call; every limit is optional and a default Budget has none. A small value: copy it.
//
// An *operation* is one node pair, candidate pair or elementary test; runs limited by operations stop
// at the same place every time, for any number of threads. Ordering what was found and making contacts of
// it are none: there is no more of that than operations. The other limits hold for it too. Wall-clock limits are polled
// every few operations, so a run ends within microseconds of its deadline, not at it.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  Budget() = default;

  static Budget unlimited() { return {}; }
  // From this moment on. What reaches beyond the clock's last moment (292 years) is no limit.
  static Budget within(std::chrono::nanoseconds duration);
  // The same for any number of seconds, infinity included: a huge one is no limit, one below zero is spent at once.
  // Throws Error for NaN.
  static Budget within_seconds(double seconds);
  static Budget until(Clock::time_point deadline);
  static Budget operations(std::uint64_t count);
  static Budget memory(std::uint64_t bytes);
  // `flag` must outlive every run that uses the budget; set it from any thread.
  static Budget cancelled_by(const std::atomic<bool>& flag);

  // Both budgets hold: the tighter of each limit. Of two cancel flags both count.
  Budget operator&(const Budget& other) const;

  // Replaces the clock (tests): of deadlines, and of stopwatches (core/stopwatch.h) that run on this budget.
  Budget with_clock(Now now) const;
  // The only way in which the library reads the time.
  Clock::time_point now() const { return now_ ? (*now_)() : Clock::now(); }

  // Told the finished fraction of the work, 0 to 1, from time to time and from any one thread at a time.
  Budget with_progress(std::function<void(double)> told) const;
  // For a part of the work, whose fraction is not that of the whole.
  Budget without_progress() const;

  std::optional<Clock::time_point> deadline() const { return deadline_; }
  std::optional<std::uint64_t> operation_limit() const { return operations_; }
  std::optional<std::uint64_t> memory_limit() const { return memory_; }
  bool cancelled() const;
  bool past_deadline() const;
  void report_progress(double fraction) const;
  bool reports_progress() const { return progress_ != nullptr; }

 private:
  std::optional<Clock::time_point> deadline_;
  std::optional<std::uint64_t> operations_;
  std::optional<std::uint64_t> memory_;
  const std::atomic<bool>* cancel_ = nullptr;
  const std::atomic<bool>* cancel_too_ = nullptr;
  std::shared_ptr<const Now> now_;
  std::shared_ptr<const std::function<void(double)>> progress_;
};

}  // namespace pliant
