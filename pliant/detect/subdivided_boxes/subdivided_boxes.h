// Collision detection by multi-level subdivided boxes in a hash table.
#pragma once

#include <memory>
#include <vector>

#include "pliant/detect/still/region_tests.h"
#include "pliant/detect/subdivided_boxes/box_table.h"

namespace pliant {

// After J. Mesit and R. K. Guha, "Line-triangle test for collision detection and response in soft bodies", and its
// broad phase, "Multi-level SB collide" (with E. Hastings, CGAMES 2006): the box of every body is halved several times,
// the parts are hashed into a grid, and the faces of parts that share a cell (the contact surfaces) are tested.
//
// Safe mode is exact. It differs from what is printed:
// - Every face is in exactly one part, by its centre at rest, and parts are fitted to their faces: none is lost.
// - Boxes are hashed into all cells that they cover, not only those of their corners (box_table.h).
// - Both triangles' edges count (geometry/line_passes.h); the test is the exact one that every still method has.
// - Bodies are culled first: only boxes that reach into the box of another body are hashed. Boxes come straight from
//   vertices; those of faces are made only where parts overlap, and clipped to each other before they are compared.
//
// Paper mode does as printed (printed_boxes.h) and can miss contacts; settings undo its simplifications one by one.
class SubdividedBoxDetector : public StillDetector {
 public:
  using Settings = SubdivisionSettings;
  explicit SubdividedBoxDetector(const DetectorSettings& settings, const SubdivisionSettings& boxes = {})
      : StillDetector(settings), own_(boxes) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  std::size_t bytes() const override;
  Division division(BodyId body) const override;  // by boxes; no particles
  void draw(const Report& report, detail::Overlay& overlay) const override;

 private:
  // The boxes of one body, at the time of the last search.
  struct BodyBoxes {
    RegionTable table;
    std::vector<std::uint8_t> clear;  // by vertex (still/clear_fans.h); filled for self-collision
    std::uint64_t fitted = 0;         // stamp of the frame
    bool divided = false;
  };

  StillFindings search(const StillQuery& query, BudgetState& state, Goal goal) override;
  void body_removed(BodyId body) override;
  // Region 0 is the whole body, region i + 1 the i-th of its boxes.
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;

  bool fit_boxes(const StillQuery& query, BudgetState& state);
  void choose_boxes(const StillQuery& query, std::span<const BodyPair> pairs);
  bool fit_faces(const StillQuery& query, std::span<const RegionPair> pairs, BudgetState& state);
  void test_boxes(const StillQuery& query, std::span<const RegionPair> pairs, SearchTasks& tasks, Goal goal,
                  StillFindings& findings);
  UnresolvedPair unresolved(const StillQuery& query, const RegionPair& pair) const;
  BodyBoxes& boxes_of(const StillBody& body) { return bodies_[body.id.index()]; }
  const BodyBoxes& boxes_of(const StillBody& body) const { return bodies_[body.id.index()]; }

  SubdivisionSettings own_;
  std::vector<BodyBoxes> bodies_;  // by body id
  BoxTable table_;
  // Of the last search, kept for their memory.
  std::vector<AabbNode> hashed_;
  std::vector<RegionPair> pairs_;
};

}  // namespace pliant
