#include "pliant/check/timeline.h"

#include <algorithm>
#include <exception>

#include "pliant/core/parallel.h"

namespace pliant {
namespace {

constexpr std::size_t kRun = 4;  // intervals that a worker takes at a time

struct Slot {
  SearchedInterval searched;
  std::exception_ptr error;
  bool is_searched = false;
};

class Workers {
 public:
  Workers(const TimelineSettings& settings, std::size_t intervals) : settings_(settings) {
    const auto threads = static_cast<std::size_t>(settings.threads.resolved());
    const std::size_t count = std::clamp<std::size_t>(intervals / kRun, 1, threads);
    const Threads each{count == 1 ? settings.threads.count : 1};
    for (std::size_t i = 0; i < count; ++i) detectors_.push_back(settings.make_detector(each));
  }

  std::size_t window() const { return kRun * detectors_.size(); }

  // `last`: no intervals follow these.
  std::vector<Slot> search(std::span<const Interval> intervals, bool last) {
    std::vector<Slot> slots(intervals.size());
    run_chunks(settings_.threads, (intervals.size() + kRun - 1) / kRun, [&](std::size_t worker) {
      const std::size_t end = std::min(intervals.size(), (worker + 1) * kRun);
      // The run before belonged to another worker, or could have.
      if (detectors_.size() > 1 || detectors_[worker]->depends_on_past())
        detectors_[worker]->reset(intervals[worker * kRun].t0);
      for (std::size_t i = worker * kRun; i < end; ++i) {
        detectors_[worker]->set_open_end(!last || i + 1 < intervals.size());
        if (!search(*detectors_[worker], intervals[i], slots[i])) break;
      }
    });
    return slots;
  }

 private:
  // False if there is no point in going on.
  bool search(Detector& detector, const Interval& interval, Slot& slot) {
    slot.is_searched = true;
    try {
      const Budget budget = settings_.search_seconds
                                ? settings_.budget & Budget::within_seconds(*settings_.search_seconds)
                                : settings_.budget;
      slot.searched = {interval, detector.detect(interval, budget), &detector};
      const Report& report = slot.searched.report;
      const bool whole = !settings_.search_seconds || report.stopped_by != StopReason::deadline;
      slot.searched.is_last = !report.complete && (whole || settings_.budget.past_deadline());
      return !slot.searched.is_last;
    } catch (...) {
      slot.error = std::current_exception();
      return false;
    }
  }

  const TimelineSettings& settings_;
  std::vector<std::unique_ptr<Detector>> detectors_;
};

}  // namespace

void run_timeline(std::span<const Interval> intervals, const TimelineSettings& settings,
                  FunctionRef<Flow(const SearchedInterval&)> receive) {
  Workers workers(settings, intervals.size());
  for (std::size_t begin = 0; begin < intervals.size(); begin += workers.window()) {
    const std::size_t count = std::min(workers.window(), intervals.size() - begin);
    for (Slot& slot : workers.search(intervals.subspan(begin, count), begin + count == intervals.size())) {
      if (slot.error) std::rethrow_exception(slot.error);
      if (receive(slot.searched) == Flow::stop || slot.searched.is_last) return;
      slot.searched.report = {};
    }
  }
}

}  // namespace pliant
