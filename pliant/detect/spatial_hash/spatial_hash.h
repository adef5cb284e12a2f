// Triangle hashing in a uniform grid: the classical alternative to trees.
#pragma once

#include "pliant/detect/still/still_detector.h"

namespace pliant {

struct SpatialHashSettings {
  double cell_size = 0;     // edge of the cubic cells; 0: twice the mean extent of the faces' boxes
  std::size_t buckets = 0;  // size of the table; 0: one per face
};

// Teschner et al., "Optimized Spatial Hashing for Collision Detection of Deformable Objects" (VMV 2003), in its
// triangle version: the paper hashes vertices and tests them against tetrahedra, which misses pure edge-edge
// penetration. Here every face is entered in all cells of its box and co-located faces are tested exactly. The hash
// function is the published one. Faces that would fill more than kMostCells cells are tested against all others
// instead.
class SpatialHashDetector : public StillDetector {
 public:
  explicit SpatialHashDetector(const DetectorSettings& settings, const SpatialHashSettings& hash = {})
      : StillDetector(settings), hash_(hash) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;
  static constexpr std::uint64_t kMostCells = 512;

 private:
  StillFindings search(const StillScene& scene, BudgetState& state, Goal goal) override;

  SpatialHashSettings hash_;
};

}  // namespace pliant
