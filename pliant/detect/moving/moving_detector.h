// The base of methods that answer moving queries only.
#pragma once

#include "pliant/detect/moving/moving_run.h"

namespace pliant {

// Derived classes implement search() for one segment of time; moving_run.h says what contacts there are.
class MovingDetector : public Detector {
 public:
  // The contacts that are there at the start of the interval, and the first of all others (in the order of reports; the
  // rest of the guarantee is about these).
  Report first_new_contact(const Interval& interval, const Budget& budget = {});

 protected:
  using Detector::Detector;

  // Called segment after segment. With goals other than `all` it may leave out what does not matter.
  virtual SweptFindings search(const SweptQuery& query, SearchTasks& tasks) = 0;

 private:
  Report find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) override;
  std::optional<bool> find_any(const Interval& interval, const Budget& budget) override;
  Report run(SweptGoal goal, const Interval& interval, const Budget& budget, ContactSink* sink);
};

// From the report of a search for `any`.
std::optional<bool> any_contact(const Report& report);

}  // namespace pliant
