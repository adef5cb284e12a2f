// The swept-volume method that the kinetic separation list was compared with.
#pragma once

#include <vector>

#include "pliant/bounds/face_tree.h"
#include "pliant/detect/moving/moving_detector.h"

namespace pliant {

// After Weller and Zachmann, "Kinetic Separation Lists for Continuous Collision Detection of Deformable Objects": a
// median-split tree with one triangle per leaf, built once; for every segment a bottom-up refit to the union of the
// boxes at its start and end, a traversal from the roots, and the elementary tests of every two triangles whose boxes
// overlap.
//
// Where it is better than printed, so that comparisons with it are fair: both ends are refitted in one pass, features
// that several triangles share are tested once (by their owners), and elementary tests run in blocks through the same
// solver as everywhere else.
class SweptClassicalDetector : public MovingDetector {
 public:
  explicit SweptClassicalDetector(const DetectorSettings& settings) : MovingDetector(settings) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  std::size_t bytes() const override;
  void draw(const Report& report, detail::Overlay& overlay) const override;

 private:
  SweptFindings search(const SweptQuery& query, SearchTasks& tasks) override;
  void body_removed(BodyId body) override;
  // A region is a node of the body's tree, with its box over the segment that was searched last.
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;

  std::vector<FaceTree> trees_;  // by body id
};

}  // namespace pliant
