// A tree over the faces of a body with boxes at both ends of a linear segment of time.
#pragma once

#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/detect/kinetic/feature_kernel.h"
#include "pliant/detect/kinetic/overlap_span.h"
#include "pliant/detect/moving/swept_scene.h"
#include "pliant/detect/regions.h"

namespace pliant::kinetic {

// Features of one kind in the order of the leaves: boxes at both ends, corners, ids.
class TwoEndFeatures {
 public:
  void resize(std::size_t count, int corners);
  std::size_t size() const { return ids_.size(); }
  FeatureArrays arrays() const;
  std::uint32_t id(std::uint32_t place) const { return ids_[place]; }
  std::uint32_t corner(int k, std::uint32_t place) const {
    return corners_[static_cast<std::size_t>(k) * stride_ + place];
  }
  std::size_t bytes() const;

  void set_id(std::size_t place, std::uint32_t id) { ids_[place] = id; }
  void set_corner(int k, std::size_t place, std::uint32_t v) {
    corners_[static_cast<std::size_t>(k) * stride_ + place] = v;
  }
  // The box at the start (0) or at the end (1) of the segment.
  void set_box(int end, std::size_t place, const Aabb& box) {
    for (std::size_t i = 0; i < 3; ++i) {
      boxes_[end][i * stride_ + place] = box.lo[i];
      boxes_[end][(3 + i) * stride_ + place] = box.hi[i];
    }
  }
  void start_from_end() { boxes_[0].swap(boxes_[1]); }

 private:
  static constexpr std::size_t kRoom = 8;  // kernels read this far behind the last feature
  std::size_t stride_ = 0;
  int corner_count_ = 0;
  std::vector<float> boxes_[2];         // lo x, lo y, lo z, hi x, hi y, hi z
  std::vector<std::uint32_t> corners_;  // by identity
  std::vector<std::uint32_t> ids_;
};

// Every feature belongs to one leaf, that of its owner (mesh/topology.h), whose boxes hold it: two features whose boxes
// overlap at some time meet in exactly one pair of leaves.
//
// Node 0 is the root, node 1 is unused, children stand behind their parents (bounds/aabb_tree.h).
class TwoEndTree {
 public:
  static constexpr std::uint32_t kLeafSize = 8;

  // Boxes with half of min_separation around them. A segment that starts where the last one ended costs one pass over
  // the body, any other two. Builds the tree at the first call, and anew when its boxes have become much larger than
  // they were; true if it did: nodes have new numbers then.
  bool fit(Threads threads, const SweptBody& body, double min_separation);

  bool empty() const { return nodes_.empty(); }
  std::span<const TwoEndBox> nodes() const { return nodes_; }
  const TwoEndBox& node(std::uint32_t index) const { return nodes_[index]; }

  const TwoEndFeatures& vertices() const { return vertices_; }
  const TwoEndFeatures& edges() const { return edges_; }
  const TwoEndFeatures& faces() const { return faces_; }
  FeatureRange vertices_of(const TwoEndBox& leaf) const { return range(first_vertex_, leaf); }
  FeatureRange edges_of(const TwoEndBox& leaf) const { return range(first_edge_, leaf); }
  static FeatureRange faces_of(const TwoEndBox& leaf) { return {leaf.first, leaf.first + leaf.count}; }

  // The box of a node over the whole segment.
  Aabb swept_box(std::uint32_t node) const;
  // The faces below a node.
  Region region(std::uint32_t node) const;
  std::size_t bytes() const;

 private:
  static FeatureRange range(const std::vector<std::uint32_t>& first, const TwoEndBox& leaf) {
    return {first[leaf.first], first[leaf.first + leaf.count]};
  }
  void build(Threads threads, const SweptBody& body, double margin);
  void list_features(const SweptBody& body);
  void list_corners(const SweptBody& body);
  void start_from_end();
  void refit(Threads threads, int end, std::span<const Vec3> positions, double margin);
  void fit_leaf(int end, const std::vector<AabbNode>& vertex_boxes, TwoEndBox& leaf);
  double total_area() const;

  std::vector<TwoEndBox> nodes_;
  std::vector<std::uint32_t> leaves_;
  double built_area_ = 0;
  TwoEndFeatures vertices_;
  TwoEndFeatures edges_;
  TwoEndFeatures faces_;
  std::vector<std::uint32_t> first_vertex_;  // by place of a face: features owned by the face there, and one more
  std::vector<std::uint32_t> first_edge_;
  std::vector<VertexId> identity_;      // that the corners were listed with
  std::vector<AabbNode> vertex_boxes_;  // scratch; only their boxes are used
  // Fitted to.
  Frame x_t0_;
  Frame x_t1_;
  double min_separation_ = 0;
};

}  // namespace pliant::kinetic
