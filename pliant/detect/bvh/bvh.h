// The everyday exact method for still meshes: a box tree per body, refitted when the body has moved.
#pragma once

#include <vector>

#include "pliant/bounds/face_tree.h"
#include "pliant/bounds/leaf_boxes.h"
#include "pliant/bounds/traverse.h"
#include "pliant/detect/still/still_detector.h"

namespace pliant {

// Ranges and effects: BvhDetector::kInfo.
struct BvhSettings {
  std::uint32_t leaf_size = 8;
  int quick_searches = 8;
  double rebuild_growth = 2;
};

// Trees are built on first use and kept: a body that deforms is refitted, and built anew when refitting has made its
// boxes much larger than they were. The first tree is a quick one (Morton order); a body that is asked about again and
// again gets a better one (SAH), which costs about as much as it saves in eight queries.
class BvhDetector : public StillDetector {
 public:
  using Settings = BvhSettings;
  explicit BvhDetector(const DetectorSettings& settings, const BvhSettings& bvh = {})
      : StillDetector(settings), bvh_(bvh) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  std::size_t bytes() const override;
  void draw(const Report& report, detail::Overlay& overlay) const override;

 private:
  // The tree of one body and its faces, in the order of the leaves, at the time of the last search.
  struct BodyTree {
    FaceTree tree;
    LeafBoxes face_boxes;
    std::vector<Triangle> corners;    // of the faces, by identity
    std::vector<std::uint8_t> clear;  // by vertex (still/clear_fans.h); filled for self-collision
    std::uint64_t fitted = 0;         // stamp of the frame
    double built_area = 0;            // sum of the nodes' surface areas when built
    int uses = 0;                     // searches since the first build, up to quick_searches
  };
  struct Task {
    BodyPair pair;
    NodePair start;
  };

  StillFindings search(const StillQuery& query, BudgetState& state, Goal goal) override;
  void body_removed(BodyId body) override;
  // A region is a node of the body's tree.
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;

  void update_tree(const StillBody& body);
  bool still_fits(BodyTree& kept, const StillBody& body);
  bool update_trees(const StillQuery& query, BudgetState& state);
  void update_leaf_faces(const StillBody& body);
  bool update_leaves(const StillQuery& query, std::span<const Task> tasks, BudgetState& state);
  template <class BoxOf>
  void order_leaf_faces(const StillBody& body, BoxOf&& box_of);
  std::vector<Task> cut_into_tasks(const StillQuery& query) const;
  TaskFindings run_task(const StillQuery& query, const Task& task, BudgetMeter& meter,
                        std::vector<NodePair>& left_over) const;
  UnresolvedPair unresolved(const StillQuery& query, const Task& task, NodePair nodes) const;
  const BodyTree& tree_of(const StillBody& body) const { return trees_[body.id.index()]; }

  BvhSettings bvh_;
  std::vector<BodyTree> trees_;  // by body id
};

}  // namespace pliant
