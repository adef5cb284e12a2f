// The oracle: every pair of faces, exact predicates, no boxes, no shortcuts.
#pragma once

#include "pliant/detect/still/still_detector.h"

namespace pliant {

// Quadratic in the number of faces. What it says is right by construction; every other method is tested against it.
class BruteForceDetector : public StillDetector {
 public:
  explicit BruteForceDetector(const DetectorSettings& settings) : StillDetector(settings) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

 private:
  StillFindings search(const StillScene& scene, BudgetState& state, Goal goal) override;
};

}  // namespace pliant
