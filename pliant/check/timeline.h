// A long animation searched interval by interval, several intervals at once, with the results in time order.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "pliant/core/function_ref.h"
#include "pliant/detect/detector.h"

namespace pliant {

// What was found in one interval. `detector` is the one that searched it and still knows its regions.
struct SearchedInterval {
  Interval interval;
  Report report;
  const Detector* detector = nullptr;
  bool is_last = false;  // the budget of the whole is spent: no interval follows
};

struct TimelineSettings {
  // Makes a detector that holds all bodies and uses that many threads. Called once for each worker, from one thread.
  std::function<std::unique_ptr<Detector>(Threads)> make_detector;
  Threads threads;
  Budget budget;                         // of the whole, but for an operation limit, which is that of each interval
  std::optional<double> search_seconds;  // of each interval: one that it cuts short is not the last
};

// Searches `intervals` (ascending: instants, or intervals, of which all but the last are half-open) and calls `receive`
// with each in order, from the calling thread. Ends when receive() says stop, after an interval that the budget of the
// whole cut short, or with the last one. What receive() sees does not depend on the number of threads, unless a
// wall-clock budget cuts it short.
//
// Workers take runs of neighbouring intervals, so that a detector learns from one for the next. Memory: the contacts of
// a few intervals for each thread. An error in an interval (a frame that cannot be read) is rethrown when its turn
// comes.
void run_timeline(std::span<const Interval> intervals, const TimelineSettings& settings,
                  FunctionRef<Flow(const SearchedInterval&)> receive);

}  // namespace pliant
