// A tree over the faces of a body whose leaves know their features: vertices, edges and faces with boxes of their own.
#pragma once

#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/detect/moving/swept_scene.h"
#include "pliant/detect/swept_bvh/leaf_kernel.h"

namespace pliant {

// Features of one kind in the order of the leaves: boxes over the segment, corners, ids.
class SweptFeatures {
 public:
  void resize(std::size_t count, int corners);
  std::size_t size() const { return ids_.size(); }
  swept::FeatureArrays arrays() const;
  std::uint32_t id(std::uint32_t place) const { return ids_[place]; }
  std::uint32_t corner(int k, std::uint32_t place) const {
    return corners_[static_cast<std::size_t>(k) * stride_ + place];
  }

  void set_id(std::size_t place, std::uint32_t id) { ids_[place] = id; }
  void set_corner(int k, std::size_t place, std::uint32_t v) {
    corners_[static_cast<std::size_t>(k) * stride_ + place] = v;
  }
  void set_box(std::size_t place, const Aabb& box) {
    for (std::size_t i = 0; i < 3; ++i) {
      boxes_[i * stride_ + place] = box.lo[i];
      boxes_[(3 + i) * stride_ + place] = box.hi[i];
    }
  }
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kRoom = 8;  // kernels read this far behind the last feature
  std::size_t stride_ = 0;
  int corner_count_ = 0;
  std::vector<float> boxes_;            // lo x, lo y, lo z, hi x, hi y, hi z
  std::vector<std::uint32_t> corners_;  // by identity
  std::vector<std::uint32_t> ids_;
};

// Every feature belongs to one leaf, that of its owner (mesh/topology.h), whose box holds it: two features with
// overlapping boxes meet in exactly one pair of leaves.
class SweptTree {
 public:
  static constexpr std::uint32_t kLeafSize = 8;

  SweptTree() = default;
  SweptTree(SweptTree&&) noexcept = default;  // features() points into the tree's own arrays: no copies
  SweptTree& operator=(SweptTree&&) noexcept = default;

  // Boxes of the body's segment with half of min_separation around them. Builds the tree at the first call, and anew
  // when refitting has made its boxes much larger than they were.
  void fit(Threads threads, const SweptBody& body, double min_separation);

  const AabbTree& tree() const { return tree_; }
  const swept::LeafFeatures& features() const { return features_; }  // faces by place in tree().order()
  swept::FeatureRange vertices_of(const AabbNode& leaf) const { return range(first_vertex_, leaf); }
  swept::FeatureRange edges_of(const AabbNode& leaf) const { return range(first_edge_, leaf); }
  static swept::FeatureRange faces_of(const AabbNode& leaf) { return {leaf.first, leaf.first + leaf.count}; }

  std::size_t bytes() const;

 private:
  static swept::FeatureRange range(const std::vector<std::uint32_t>& first, const AabbNode& leaf) {
    return {first[leaf.first], first[leaf.first + leaf.count]};
  }
  bool is_fitted_to(const SweptBody& body, double min_separation) const;
  void update_vertex_boxes(Threads threads, const SweptBody& body, double margin);
  void build(Threads threads, const SweptBody& body);
  void list_features(const SweptBody& body);
  void list_corners(const SweptBody& body);
  void refit(Threads threads);
  Aabb fit_leaf(const AabbNode& leaf);
  double total_area() const;

  AabbTree tree_;
  double built_area_ = 0;
  std::vector<AabbNode> vertex_boxes_;  // by vertex; only their boxes are used
  SweptFeatures vertices_;
  SweptFeatures edges_;
  SweptFeatures faces_;
  swept::LeafFeatures features_{};           // of the three above
  std::vector<std::uint32_t> first_vertex_;  // by place in order(): features owned by the face there, and one more
  std::vector<std::uint32_t> first_edge_;
  std::vector<VertexId> identity_;  // that the corners were listed with
  // Fitted to.
  Frame x_t0_;
  Frame x_t1_;
  double min_separation_ = 0;
};

}  // namespace pliant
