// A tree over the faces of a body with boxes at both ends of a linear segment of time.
#pragma once

#include <optional>
#include <vector>

#include "pliant/bounds/leaf_vertices.h"
#include "pliant/detect/kinetic/overlap_span.h"
#include "pliant/detect/moving/swept_tree.h"
#include "pliant/detect/regions.h"

namespace pliant::kinetic {

// The nodes of a swept tree, whose leaves know their features, with boxes at both ends instead of one over the segment:
// node 0 is the root, node 1 is unused, children stand behind their parents (bounds/aabb_tree.h).
class TwoEndTree {
 public:
  explicit TwoEndTree(const SweptTreeSettings& settings = {}) : settings_(settings), swept_(settings) {}

  // Boxes with half of min_separation around them. A segment that starts where the last one ended costs one pass over
  // the body, any other two. Builds the tree at the first call, and anew when its boxes have become much larger than
  // they were; true if it did: nodes have new numbers then.
  bool fit(Threads threads, const SweptBody& body, double min_separation);
  // The next body comes with another mesh (SweptTree::adopt). Nodes stay as they are if they suit it.
  void change_mesh(std::vector<FaceId> old_face);

  bool empty() const { return nodes_.empty(); }
  std::span<const TwoEndBox> nodes() const { return nodes_; }
  const TwoEndBox& node(std::uint32_t index) const { return nodes_[index]; }
  // The same nodes over the whole segment, and their features.
  const SweptTree& swept() const { return swept_; }

  // The box of a node over the whole segment.
  Aabb swept_box(std::uint32_t node) const;
  bool has_node(std::uint32_t node) const { return node < nodes_.size() && node != 1; }
  // The faces below a node.
  Region region(std::uint32_t node) const;
  std::size_t bytes() const;

 private:
  bool adopt(const SweptBody& body);
  void copy_nodes(const SweptBody& body);
  void start_from_end();
  void refit(Threads threads, int end, std::span<const Vec3> positions, double margin);

  SweptTreeSettings settings_;
  SweptTree swept_;
  std::vector<TwoEndBox> nodes_;
  LeafVertices leaves_;
  std::optional<std::vector<FaceId>> old_face_;  // of a mesh that was not fitted to yet
  // Fitted to, by stamp.
  std::uint64_t x_t0_ = 0;
  std::uint64_t x_t1_ = 0;
  double min_separation_ = 0;
};

}  // namespace pliant::kinetic
