#include "pliant/check/timeline.h"

#include <algorithm>
#include <exception>

#include "pliant/core/parallel.h"

namespace pliant {
namespace {

constexpr std::size_t kRun = 4;  // pieces that a worker takes at a time

struct Slot {
  TimelinePiece piece;
  std::exception_ptr error;
  bool searched = false;
};

class Workers {
 public:
  Workers(const TimelineSettings& settings, std::size_t pieces) : settings_(settings) {
    const auto threads = static_cast<std::size_t>(settings.threads.resolved());
    const std::size_t count = std::clamp<std::size_t>(pieces / kRun, 1, threads);
    const Threads each{count == 1 ? settings.threads.count : 1};
    for (std::size_t i = 0; i < count; ++i) detectors_.push_back(settings.make_detector(each));
  }

  std::size_t window() const { return kRun * detectors_.size(); }

  // `last`: no pieces follow these.
  std::vector<Slot> search(std::span<const Interval> pieces, bool last) {
    std::vector<Slot> slots(pieces.size());
    run_chunks(settings_.threads, (pieces.size() + kRun - 1) / kRun, [&](std::size_t worker) {
      const std::size_t end = std::min(pieces.size(), (worker + 1) * kRun);
      // The run before belonged to another worker.
      if (detectors_.size() > 1) detectors_[worker]->reset(pieces[worker * kRun].t0);
      for (std::size_t i = worker * kRun; i < end; ++i) {
        detectors_[worker]->set_open_end(!last || i + 1 < pieces.size());
        if (!search(*detectors_[worker], pieces[i], slots[i])) break;
      }
    });
    return slots;
  }

 private:
  // False if there is no point in going on.
  bool search(Detector& detector, const Interval& interval, Slot& slot) {
    slot.searched = true;
    try {
      slot.piece = {interval, detector.detect(interval, settings_.budget), &detector};
      return slot.piece.report.complete;
    } catch (...) {
      slot.error = std::current_exception();
      return false;
    }
  }

  const TimelineSettings& settings_;
  std::vector<std::unique_ptr<Detector>> detectors_;
};

}  // namespace

void run_timeline(std::span<const Interval> pieces, const TimelineSettings& settings,
                  FunctionRef<Flow(const TimelinePiece&)> receive) {
  Workers workers(settings, pieces.size());
  for (std::size_t begin = 0; begin < pieces.size(); begin += workers.window()) {
    const std::size_t count = std::min(workers.window(), pieces.size() - begin);
    for (Slot& slot : workers.search(pieces.subspan(begin, count), begin + count == pieces.size())) {
      if (slot.error) std::rethrow_exception(slot.error);
      if (receive(slot.piece) == Flow::stop || !slot.piece.report.complete) return;
      slot.piece.report = {};
    }
  }
}

}  // namespace pliant
