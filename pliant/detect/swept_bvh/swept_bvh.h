// The everyday exact method for moving meshes: a box tree per body, refitted over every segment of time.
#pragma once

#include <vector>

#include "pliant/detect/moving/moving_detector.h"
#include "pliant/detect/moving/star_shape.h"
#include "pliant/detect/moving/swept_tree.h"

namespace pliant {

// Ranges and effects: SweptBvhDetector::kInfo.
struct SweptBvhSettings {
  std::uint32_t leaf_size = 16;
  double rebuild_growth = 2;
  double narrow_below = 0.5;
};

// Trees are built on first use and kept. Leaves test their features' own boxes, eight at a time; each pair of features
// is looked at once, through the leaves of their owners, and incident ones never reach the solver.
class SweptBvhDetector : public MovingDetector {
 public:
  using Settings = SweptBvhSettings;
  explicit SweptBvhDetector(const DetectorSettings& settings, const SweptBvhSettings& swept = {})
      : MovingDetector(settings), swept_(swept) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  std::size_t bytes() const override;
  void draw(const Report& report, detail::Overlay& overlay) const override;

 private:
  SweptFindings search(const SweptQuery& query, SearchTasks& tasks) override;
  void body_removed(BodyId body) override;
  // A region is a node of the body's tree, with its box over the segment that was searched last (over the part
  // of it that still mattered, if only the first contact was asked for).
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;

  SweptTree new_tree() const { return SweptTree({swept_.leaf_size, swept_.rebuild_growth}); }

  SweptBvhSettings swept_;
  std::vector<SweptTree> trees_;  // by body id
  StarShapes stars_;
};

}  // namespace pliant
