// The dense vertices of leaves in a cage of tetrahedra, each node with its own.
#pragma once

#include <span>
#include <vector>

#include "pliant/bounds/wide_tree.h"
#include "pliant/detect/anytime/anchored_vertex.h"
#include "pliant/motion/embedding.h"

namespace pliant {

// A node has copies of all vertices of those of its children that are leaves, one after the other: what is needed
// together stands together, and most of the time would otherwise be spent on waiting for memory. Some vertices are
// there twice (of a closed surface with leaves of eight faces about half of them). Positions have the bits that the
// embedding gives them.
//
// Leaves and faces name vertices by where they stand here.
class NodeVertices {
 public:
  // `tree`, `mesh` and `embedding` must outlive it.
  NodeVertices(const WideTree& tree, const TriangleMesh& mesh, const BarycentricEmbedding& embedding);

  // Goes on with finding out what there is; about a microsecond. False when that is done. Positions come after it.
  bool step();

  // How many a node has.
  std::uint32_t count(std::uint32_t node) const { return first_[node + 1] - first_[node]; }
  // Positions of those of a node, for coarse vertices that are there.
  void put(std::uint32_t node, std::span<const Vec3> coarse);
  // Boxes of the children of a node that are leaves, after put(). Others stay.
  void fit_leaves(std::uint32_t node, WideBoxes& boxes) const;
  void prefetch(std::uint32_t node) const;

  std::span<const Vec3> positions() const { return positions_; }
  // Of the faces, slot by slot as in WideTree::corners.
  std::span<const Triangle> corners() const { return corners_; }
  // As WideTree::vertices.
  std::span<const std::uint32_t> vertices() const { return list_; }
  std::size_t bytes() const;

 private:
  bool clear();
  void add_node(std::uint32_t node);
  void add_leaf(std::uint32_t node, std::uint32_t leaf);

  const WideTree& tree_;
  const TriangleMesh& mesh_;
  const BarycentricEmbedding& embedding_;
  std::vector<AnchoredVertex> anchored_;  // node after node
  std::vector<std::uint32_t> first_;      // by node
  std::vector<Vec3> positions_;           // of anchored_
  std::vector<Triangle> corners_;
  std::vector<std::uint32_t> list_;

  // While it is made.
  std::vector<std::uint32_t> node_of_;  // by vertex of the mesh: of the last node that has it, and where that has it
  std::vector<std::uint32_t> place_of_;
};

}  // namespace pliant
