// Triangle hashing in a uniform grid: the classical alternative to trees.
#pragma once

#include "pliant/detect/still/still_detector.h"

namespace pliant {

// Ranges and effects: SpatialHashDetector::kInfo.
struct SpatialHashSettings {
  double cell_size = 0;            // length; 0: twice the mean extent of the faces' boxes
  std::size_t buckets = 0;         // 0: one per face
  std::uint64_t most_cells = 512;  // that a face fills
  bool cull = false;               // enter only faces that reach into the box of another body
};

// Teschner et al., "Optimized Spatial Hashing for Collision Detection of Deformable Objects" (VMV 2003), in its
// triangle version: the paper hashes vertices and tests them against tetrahedra, which misses pure edge-edge
// penetration. Here every face is entered in all cells of its box and co-located faces are tested exactly. The hash
// function is the published one. Faces that would fill more than most_cells cells are tested against all others
// instead.
class SpatialHashDetector : public StillDetector {
 public:
  using Settings = SpatialHashSettings;
  explicit SpatialHashDetector(const DetectorSettings& settings, const SpatialHashSettings& hash = {})
      : StillDetector(settings), hash_(hash) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  void draw(const Report& report, detail::Overlay& overlay) const override;

 private:
  StillFindings search(const StillQuery& query, BudgetState& state, Goal goal) override;

  SpatialHashSettings hash_;
  double cell_size_ = 0;  // of the last search; 0: there was none
};

}  // namespace pliant
