// A tree over the faces of a body whose leaves know their features: vertices, edges and faces with boxes of their own.
#pragma once

#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/detect/moving/leaf_kernel.h"
#include "pliant/detect/moving/swept_query.h"

namespace pliant {

// Features of one kind in the order of the leaves: boxes over the segment, corners, ids.
template <int kCorners>
class SweptFeatures {
 public:
  void resize(std::size_t count) {
    count_ = count;
    blocks_.assign((count + swept::kLanes - 1) / swept::kLanes, {});
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(count_); }
  const swept::FeatureBlock<kCorners>* blocks() const { return blocks_.data(); }
  std::uint32_t id(std::uint32_t slot) const { return block(slot).id[slot % swept::kLanes]; }
  std::uint32_t corner(int k, std::uint32_t slot) const { return block(slot).corner[k][slot % swept::kLanes]; }

  void set_id(std::uint32_t slot, std::uint32_t id) { block(slot).id[slot % swept::kLanes] = id; }
  void set_corner(int k, std::uint32_t slot, std::uint32_t v) { block(slot).corner[k][slot % swept::kLanes] = v; }
  void set_box(std::uint32_t slot, simd::Float4 lo, simd::Float4 hi) {
    auto& b = block(slot);
    for (int i = 0; i < 3; ++i) {
      b.lo[i][slot % swept::kLanes] = lo[i];
      b.hi[i][slot % swept::kLanes] = hi[i];
    }
  }
  std::size_t bytes() const { return blocks_.size() * sizeof(blocks_[0]); }

 private:
  const swept::FeatureBlock<kCorners>& block(std::uint32_t slot) const { return blocks_[slot / swept::kLanes]; }
  swept::FeatureBlock<kCorners>& block(std::uint32_t slot) { return blocks_[slot / swept::kLanes]; }

  std::size_t count_ = 0;
  std::vector<swept::FeatureBlock<kCorners>> blocks_;
};

// What the boxes of a tree hold: a body from the start of its segment to `limit` (a fraction of it), and half of
// min_separation around it.
struct SweptExtent {
  double min_separation = 0;
  double limit = 1;

  bool operator==(const SweptExtent&) const = default;
};

struct SweptTreeSettings {
  std::uint32_t leaf_size = 16;  // most faces in a leaf, 1 to SweptTree::kMostInLeaf
  double rebuild_growth = 2;     // built anew when the boxes have this many times their first surface
};

// Every feature belongs to one leaf, that of its owner (mesh/topology.h), whose box holds it: two features with
// overlapping boxes meet in exactly one pair of leaves.
//
// Boxes are those of CcdVertices: positions rounded to nearest, not outward. Rounding keeps order, so that intervals
// that overlap still do when all their ends are rounded, and boxes of two such trees that are apart hold features that
// are apart. Taken as where a feature is, a box may be short by half a unit in the last place.
class SweptTree {
 public:
  static constexpr std::uint32_t kMostInLeaf = 16;

  explicit SweptTree(const SweptTreeSettings& settings = {}) : settings_(settings) {}

  // Builds the tree at the first call, and anew when refitting has made its boxes much larger than they were; true if
  // it did. The first extent of a segment must have the limit 1.
  bool fit(Threads threads, const SweptBody& body, const SweptExtent& extent);

  // Keeps the nodes for another mesh, before it is fitted to it. `old_face` has for each new face the one of the last
  // mesh whose leaf it belongs in; others, those beyond the last mesh included, go where boxes grow least. Correct for
  // any such list, good for one that is true. False if the nodes do not suit so few or so many faces.
  bool adopt(const SweptBody& body, std::span<const FaceId> old_face);

  const AabbTree& tree() const { return tree_; }
  const swept::LeafFeatures& features() const { return features_; }
  swept::FeatureRange vertices_of(const AabbNode& leaf) const { return range(first_vertex_, leaf); }
  swept::FeatureRange edges_of(const AabbNode& leaf) const { return range(first_edge_, leaf); }
  static swept::FeatureRange faces_of(const AabbNode& leaf) { return {leaf.first, leaf.first + leaf.count}; }

  std::size_t bytes() const;

 private:
  static swept::FeatureRange range(const std::vector<std::uint32_t>& first, const AabbNode& leaf) {
    return {first[leaf.first], first[leaf.first + leaf.count]};
  }
  bool is_fitted_to(const SweptBody& body, const SweptExtent& extent) const;
  void build(Threads threads, const SweptBody& body, const SweptExtent& extent);
  std::vector<std::uint32_t> leaf_numbers() const;
  void list_features(const SweptBody& body);
  void list_corners(const SweptBody& body);
  void refit(Threads threads, const SweptBody& body, const SweptExtent& extent);
  template <class VertexBoxOf>
  Aabb fit_leaf(const AabbNode& leaf, const VertexBoxOf& vertex_box);

  SweptTreeSettings settings_;
  AabbTree tree_;
  double built_area_ = 0;
  SweptFeatures<1> vertices_;
  SweptFeatures<2> edges_;
  SweptFeatures<3> faces_;  // by slot in tree().order()
  swept::LeafFeatures features_{};
  std::vector<std::uint32_t> first_vertex_;  // by slot in order(): features owned by the face there, and one more
  std::vector<std::uint32_t> first_edge_;
  std::vector<VertexId> identity_;  // that the corners were listed with
  // Fitted to, by stamp.
  std::uint64_t x_t0_ = 0;
  std::uint64_t x_t1_ = 0;
  SweptExtent extent_;
};

}  // namespace pliant
