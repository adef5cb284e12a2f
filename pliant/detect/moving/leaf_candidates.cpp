#include "pliant/detect/moving/leaf_candidates.h"

namespace pliant {
namespace {

// All pairs of edges of two leaves; all vertices against all faces, both ways, are fewer.
static_assert(9 * SweptTree::kMostInLeaf * SweptTree::kMostInLeaf + 7 <= CandidateSolver::kRoom);

swept::Leaf kernel_leaf(const LeafOf& leaf) {
  return {leaf.tree.vertices_of(leaf.node), leaf.tree.edges_of(leaf.node), SweptTree::faces_of(leaf.node),
          leaf.node.lo.data(), leaf.node.hi.data()};
}

}  // namespace

void add_leaf_candidates(const LeafOf& a, const LeafOf& b, CandidateSolver& solver) {
  swept::append_overlapping({.features_a = &a.tree.features(),
                             .features_b = &b.tree.features(),
                             .a = kernel_leaf(a),
                             .b = kernel_leaf(b),
                             .one_mesh = solver.is_self(),
                             .one_leaf = &a.node == &b.node,
                             .vertices_a_faces_b = &solver.vertices_a_faces_b().buffer(),
                             .vertices_b_faces_a = &solver.vertices_b_faces_a().buffer(),
                             .edges = &solver.edges().buffer()});
  solver.vertices_a_faces_b().appended();
  solver.vertices_b_faces_a().appended();
  solver.edges().appended();
}

}  // namespace pliant
