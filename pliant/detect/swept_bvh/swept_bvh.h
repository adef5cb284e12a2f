// The everyday exact method for moving meshes: a box tree a body, refitted over every segment of time.
#pragma once

#include <vector>

#include "pliant/detect/moving/moving_detector.h"
#include "pliant/detect/moving/swept_tree.h"

namespace pliant {

// Trees are built on first use and kept. Leaves test their features' own boxes, eight at a time; each pair of features
// is looked at once, through the leaves of their owners, and incident ones never reach the solver.
class SweptBvhDetector : public MovingDetector {
 public:
  explicit SweptBvhDetector(const DetectorSettings& settings) : MovingDetector(settings) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  // A region is a node of the body's tree, with its box over the segment that was searched last (over the part
  // of it that still mattered, if only the first contact was asked for).
  Region region(BodyId body, std::uint32_t id) const override;

  std::size_t bytes() const override;

 private:
  SweptFindings search(const SweptScene& scene, SearchTasks& tasks) override;
  void body_removed(BodyId body) override;

  std::vector<SweptTree> trees_;  // by body id
};

}  // namespace pliant
