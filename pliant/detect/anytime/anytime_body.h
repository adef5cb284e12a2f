// One body of the anytime method: its tree, and boxes that follow it as they are needed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pliant/bounds/wide_kernel.h"
#include "pliant/bounds/wide_tree.h"
#include "pliant/detect/anytime/embedded_boxes.h"
#include "pliant/detect/anytime/pace.h"
#include "pliant/detect/anytime/vertex_fans.h"
#include "pliant/detect/detector.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

struct AnytimeBodySettings {
  std::uint32_t leaf_size = 8;
  bool self = true;  // it may be asked about itself
  bool weld = true;
};

// Everything that takes longer than a microsecond is done in steps (prepare), whose results stay from one call to the
// next: the tree for ever, boxes for as long as the body is where it was.
class AnytimeBody {
 public:
  AnytimeBody(MeshPtr mesh, const AnytimeBodySettings& settings);

  // Where it is from now on. Positions are not read, unless the motion has no frame at that time. Of a motion that
  // follows a coarse one only the coarse positions are looked at.
  void place(const Motion& motion, double time);

  bool built() const { return !builder_; }
  // Gives memory back that building took, outside of any budget.
  void let_go() { spent_.reset(); }
  bool ready() const { return built() && fit_ == Fit::done; }
  // Goes on with the tree, one step; false when it is built.
  bool build_step();
  // Goes on with the boxes of a body that is built. False: the budget is spent. Throws Error for a position that is not
  // finite.
  bool fit(Pace& pace);

  // Holds the body, ready or not; infinite while nothing is known.
  Aabb outline() const;
  const WideTree& tree() const { return tree_; }
  Aabb box(WideRef ref) const { return tree_.box(ref); }  // of a body that is ready, as of the last fit
  std::span<const Vec3> positions() const { return positions_; }

  // ---- of a body that is ready ----
  // A node whose children have their boxes: those of an embedded body are made when they are first asked for.
  const WideNode& node(std::uint32_t index) {
    if (needs_boxes(index)) fit_children(index);
    return tree_.nodes[index];
  }
  // Asks memory for it; and, earlier, for what this has to know.
  void prefetch_early(std::uint32_t node) const {
    if (!embedded_) return;
    __builtin_prefetch(&node_epoch_[node]);
    boxes_->prefetch_lanes(node);
  }
  void prefetch(std::uint32_t node) const {
    tree_.prefetch(node);
    if (needs_boxes(node)) boxes_->prefetch(node);
  }
  // The same for leaves: what face_boxes() reads first, and then, soon before it is called, what it reads then.
  void prefetch_leaf(std::uint32_t leaf) const;
  void prefetch_vertices(std::uint32_t leaf) const;
  // What that will take, about, in nanoseconds.
  std::uint32_t time_for(std::uint32_t node) const { return needs_boxes(node) ? boxes_->time_to_fit(node) : 0; }
  // Of the faces of a leaf, and what of them the exact test needs.
  const WideBoxes& face_boxes(std::uint32_t leaf);
  // The face in a slot of the tree.
  FaceId face(std::uint32_t slot) const { return FaceId(tree_.order[slot]); }
  Triangle corners(std::uint32_t slot);  // by identity
  Triangle3 triangle_at(std::uint32_t slot) const {
    const Triangle& t = triangle(slot);
    return {points_[t[0].index()], points_[t[1].index()], points_[t[2].index()]};
  }
  bool clear(VertexId v);
  // Distinct ones of a leaf, three times their numbers; some stand there twice.
  std::span<const std::uint32_t> vertices(std::uint32_t leaf) const {
    return {tree_.vertices.data() + tree_.leaves[leaf].vertices,
            tree_.vertices.data() + tree_.leaves[leaf + 1].vertices};
  }

  std::size_t bytes() const;

 private:
  enum class Fit : std::uint8_t { look, leaves, inner, plan, done };
  bool place_embedded(const Motion& motion, double time);
  bool needs_boxes(std::uint32_t node) const { return embedded_ && node_epoch_[node] != epoch_; }
  void fit_children(std::uint32_t node);
  void go_on_planning();
  void fit_step();
  void fit_leaves();
  void fit_inner();
  void look_at_positions();
  void need(VertexId v);
  void need_leaf(std::uint32_t leaf);
  void find_points();
  const Triangle& triangle(std::uint32_t slot) const { return corners_[slot]; }  // in points_

  MeshPtr mesh_;
  AnytimeBodySettings settings_;
  wide::Kernels kernels_ = wide::kernels();
  std::unique_ptr<WideTreeBuilder> builder_;
  std::unique_ptr<WideTreeBuilder> spent_;  // to give its memory back takes longer than a short budget
  WideTree tree_;
  VertexFans fans_;

  const Motion* motion_ = nullptr;  // as it was last placed
  double time_ = 0;
  Frame frame_;  // the coarse one of an embedded body
  std::span<const Vec3> positions_;
  // Where the vertices of leaves are, and where among them the corners of faces: positions_, or those of the nodes of
  // an embedded body.
  std::span<const Vec3> points_;
  std::span<const Triangle> corners_;
  Fit fit_ = Fit::done;
  std::uint32_t fit_next_ = 0;  // vertex, leaf, or one more than the node that the fit goes on with
  std::uint32_t epoch_ = 0;     // of the frame

  std::unique_ptr<EmbeddedBoxes> boxes_;  // of the last motion that was embedded
  bool embedded_ = false;                 // it is now
  std::vector<std::uint32_t> node_epoch_;

  struct alignas(32) LeafBox {
    float words[8];  // as leaf_fit::Nodes has it
  };
  std::vector<LeafBox> leaf_boxes_;
  std::unique_ptr<WideBoxes[]> face_boxes_;   // by leaf
  std::vector<std::uint32_t> face_boxes_of_;  // epoch
};

}  // namespace pliant
