// The dense vertices of leaves in a cage of tetrahedra, each node with its own.
#pragma once

#include <span>
#include <vector>

#include "pliant/bounds/wide_tree.h"
#include "pliant/detect/anytime/anchored_vertex.h"
#include "pliant/detect/anytime/leaf_outline.h"
#include "pliant/detect/anytime/tet_patches.h"
#include "pliant/motion/embedding.h"

namespace pliant {

// A node has copies of all vertices of those of its children that are leaves, one after the other, tetrahedron by
// tetrahedron: what is needed together stands together, and most of the time would otherwise be spent on waiting for
// memory. Some vertices are there twice (of a closed surface with leaves of eight faces about half of them).
//
// Boxes of leaves are made in float, a little too large; positions only for leaves that are tested, with the bits that
// the embedding gives them. Leaves and faces name vertices by where they stand here.
class NodeVertices {
 public:
  // `tree`, `mesh` and `embedding` must outlive it.
  NodeVertices(const WideTree& tree, const TriangleMesh& mesh, const BarycentricEmbedding& embedding);

  // Goes on with finding out what there is; about a microsecond. False when that is done. Everything else comes after.
  bool step();
  // Another frame; coarse vertices must stay.
  void place(std::span<const Vec3> coarse);

  // How many a node has.
  std::uint32_t count(std::uint32_t node) const { return nodes_[node + 1].first - nodes_[node].first; }
  // Boxes of the children of a node that are leaves, scaled. Others stay.
  void fit_leaves(std::uint32_t node, const ScaledCage& cage, WideBoxes& boxes) const;
  void prefetch(std::uint32_t node) const;

  // Sees to it that the vertices of a leaf have their positions. Asks memory for what that needs.
  void need_leaf(std::uint32_t leaf) {
    if (placed_[node_of_leaf_[leaf]] != epoch_) put(node_of_leaf_[leaf]);
  }
  void prefetch_leaf(std::uint32_t leaf) const;
  std::span<const Vec3> positions() const { return positions_; }
  // Of the faces, slot by slot as in WideTree::corners.
  std::span<const Triangle> corners() const { return corners_; }
  std::size_t bytes() const;

 private:
  struct Node {
    std::uint32_t first = 0;      // vertex
    std::uint32_t first_run = 0;  // of runs_
    float margin = 0;
    std::uint32_t first_index = 0;  // of indices_
    std::uint8_t counts[WideBoxes::kLanes] = {};
    std::uint8_t lanes[WideBoxes::kLanes] = {};
    std::uint32_t leaf_count = 0;
  };
  bool clear();
  void add_node(std::uint32_t node);
  void gather(std::uint32_t node);
  void add_vertices();
  void add_leaf(Node& to, std::uint32_t lane, std::uint32_t leaf);
  void put(std::uint32_t node);

  const WideTree& tree_;
  const TriangleMesh& mesh_;
  const BarycentricEmbedding& embedding_;
  std::vector<Node> nodes_;  // and one behind them
  std::vector<LeafOutlines::Run> runs_;
  std::vector<float> weights_;            // three a vertex
  std::vector<std::uint8_t> indices_;     // of the vertices of leaves among those of their node
  std::vector<AnchoredVertex> anchored_;  // node after node
  std::vector<Vec3> positions_;           // of anchored_
  std::vector<Triangle> corners_;
  std::vector<std::uint32_t> node_of_leaf_;

  // While it is made.
  std::vector<std::uint32_t> node_of_;  // by vertex of the mesh: the last node that has it, and where that has it
  std::vector<std::uint32_t> place_of_;
  std::vector<std::uint32_t> gathered_;  // vertices of a node

  std::span<const Vec3> coarse_;
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> placed_;  // epoch, by node
};

}  // namespace pliant
