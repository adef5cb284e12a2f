#include "pliant/detect/moving/moving_detector.h"

#include <algorithm>

namespace pliant {

Report MovingDetector::run(SweptGoal goal, const Interval& interval, const Budget& budget, ContactSink* sink) {
  const auto wants = [this](BodyId a, BodyId b) { return wants_bodies(a, b); };
  MovingRun run({*this, wants, feature_filter(), goal}, budget);
  return run.run(interval, sink, [this](const SweptQuery& query, SearchTasks& tasks) { return search(query, tasks); });
}

Report MovingDetector::find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) {
  return run(goal_of(settings()), interval, budget, sink);
}

std::optional<bool> MovingDetector::find_any(const Interval& interval, const Budget& budget) {
  return any_contact(run(SweptGoal::any, interval, budget, nullptr));
}

Report MovingDetector::first_new_contact(const Interval& interval, const Budget& budget) {
  const Running running(*this);
  return run(SweptGoal::earliest_new, interval, budget, nullptr);
}

std::optional<bool> any_contact(const Report& report) {
  const auto certain = [](const Contact& c) { return c.relation != Relation::possible; };
  if (std::any_of(report.contacts.begin(), report.contacts.end(), certain)) return true;
  if (report.contacts.empty()) return false;
  return std::nullopt;
}

}  // namespace pliant
