// The vertices of a tree's leaves, for refits straight from positions.
#pragma once

#include <span>
#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/bounds/leaf_fit.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// All vertices at both ends of a linear step.
struct SweptPositions {
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;
};

// Each leaf lists its distinct vertices, so that a refit reads every position once or twice instead of once for each of
// the six faces around it. A refit runs over all leaves, then over all inner nodes, slice by slice of the tree
// (leaf_fit.h): no branch that a processor could guess wrong, and positions are asked for ahead of time.
class LeafVertices {
 public:
  LeafVertices() = default;
  // `tree` is over the faces of the mesh.
  LeafVertices(const AabbTree& tree, const TriangleMesh& mesh);

  bool empty() const { return leaves_.empty(); }
  std::uint32_t slice_count() const { return static_cast<std::uint32_t>(slices_.size()); }

  // Gives the nodes of one slice of the tree (AabbTree::slice) their boxes: they hold the vertices at both ends, hence
  // everything between, and `margin` around it. The last slice needs the boxes of all others.
  void fit_slice(std::uint32_t slice, const SweptPositions& positions, const leaf_fit::Nodes& nodes,
                 double margin) const;

  std::size_t bytes() const;

 private:
  struct Slice {
    std::uint32_t first_leaf, last_leaf;    // in leaves_
    std::uint32_t first_inner, last_inner;  // in inner_
  };

  void list_slice(const AabbTree& tree, const TriangleMesh& mesh, std::uint32_t slice);

  // Distinct vertices, leaf after leaf, each list filled up to whole groups by its last one.
  std::vector<std::uint32_t> vertices_;
  std::vector<leaf_fit::Leaf> leaves_;  // slice after slice
  std::vector<std::uint32_t> inner_;    // inner nodes, slice after slice, children before their parents
  std::vector<Slice> slices_;
};

}  // namespace pliant
