// One call of detect() of a method that goes through time once.
#pragma once

#include <vector>

#include "pliant/detect/moving/moving_run.h"
#include "pliant/detect/search_tasks.h"

namespace pliant::kinetic {

class StreamRun {
 public:
  StreamRun(const DetectorSettings& settings, const Interval& over, const Budget& budget, ContactSink* to)
      : interval(over), state(budget), tasks(state, settings.threads), sink_(to) {
    report.complete = true;
    report.guarantee = settings.min_separation > 0 ? Guarantee::conservative : Guarantee::exact;
    report.bound = settings.min_separation;
  }

  // False if the sink stopped it.
  bool deliver(const Contact& contact) {
    ++delivered;
    if (!sink_) {
      report.contacts.push_back(contact);
      return true;
    }
    if (sink_->contact(contact) == Flow::go_on) return true;
    report.complete = false;
    report.stopped_by = StopReason::sink;
    return false;
  }

  // Whether the budget allows another contact; asked now and then. The first few are always allowed
  // (contact_delivery.h).
  bool may_deliver() {
    constexpr std::size_t kAskEvery = 32;
    if (delivered < kAtLeast || delivered % kAskEvery != 0) return true;
    if (state.is_late()) return false;
    return sink_ || state.may_hold((delivered + kAskEvery) * sizeof(Contact));
  }
  static constexpr std::size_t kAtLeast = 512;

  Interval interval;
  BudgetState state;
  SearchTasks tasks;
  Report report;
  std::size_t delivered = 0;
  std::vector<UnresolvedPair> unresolved;
  double unresolved_from = 0;

 private:
  ContactSink* sink_;
};

}  // namespace pliant::kinetic
