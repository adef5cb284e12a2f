// The oracle: every pair of faces, or of moving features, exact predicates, no boxes, no shortcuts.
#pragma once

#include "pliant/detect/moving/moving_run.h"
#include "pliant/detect/still/still_detector.h"

namespace pliant {

// Quadratic in the number of faces, in motion too (all vertices against all faces, all edges against all edges). What
// it says is right by construction; every other method is tested against it.
class BruteForceDetector : public StillDetector {
 public:
  explicit BruteForceDetector(const DetectorSettings& settings) : StillDetector(settings) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

 private:
  // A region is a whole body.
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;
  StillFindings search(const StillQuery& query, BudgetState& state, Goal goal) override;
  Report find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) override;
  std::optional<bool> find_any(const Interval& interval, const Budget& budget) override;
  Report run_moving(SweptGoal goal, const Interval& interval, const Budget& budget, ContactSink* sink);

  Interval last_segment_;  // that was searched
};

}  // namespace pliant
