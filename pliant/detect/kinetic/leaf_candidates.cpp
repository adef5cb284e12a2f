#include "pliant/detect/kinetic/leaf_candidates.h"

namespace pliant::kinetic {
namespace {

FeatureInput input(const TwoEndFeatures& a, const TwoEndFeatures& b, int corners_a, int corners_b, bool one_mesh) {
  FeatureInput in{};
  in.a = a.arrays();
  in.b = b.arrays();
  in.corners_a = corners_a;
  in.corners_b = corners_b;
  in.one_mesh = one_mesh;
  return in;
}

void set_box_of_b(FeatureInput& in, const TwoEndBox& leaf) {
  for (int k = 0; k < 3; ++k) {
    in.b_lo[0][k] = leaf.lo_t0[k];
    in.b_hi[0][k] = leaf.hi_t0[k];
    in.b_lo[1][k] = leaf.lo_t1[k];
    in.b_hi[1][k] = leaf.hi_t1[k];
  }
}

}  // namespace

LeafCandidates::LeafCandidates(const FrontTrees& trees, CandidateSolver& solver)
    : trees_(trees),
      solver_(solver),
      vertices_a_faces_b_(input(trees.a.vertices(), trees.b.faces(), 1, 3, trees.self())),
      vertices_b_faces_a_(input(trees.b.vertices(), trees.a.faces(), 1, 3, trees.self())),
      edges_(input(trees.a.edges(), trees.b.edges(), 2, 2, trees.self())) {}

void LeafCandidates::add(NodePair leaves) {
  const TwoEndBox& a = trees_.a.node(leaves.a);
  const TwoEndBox& b = trees_.b.node(leaves.b);
  const bool one_leaf = &a == &b;
  vertices_a_faces_b_.range_a = trees_.a.vertices_of(a);
  vertices_a_faces_b_.range_b = TwoEndTree::faces_of(b);
  set_box_of_b(vertices_a_faces_b_, b);
  add_vertices(vertices_a_faces_b_, trees_.a, trees_.b, solver_.vertices_a_faces_b());
  if (!one_leaf) {
    vertices_b_faces_a_.range_a = trees_.b.vertices_of(b);
    vertices_b_faces_a_.range_b = TwoEndTree::faces_of(a);
    set_box_of_b(vertices_b_faces_a_, a);
    add_vertices(vertices_b_faces_a_, trees_.b, trees_.a, solver_.vertices_b_faces_a());
  }
  edges_.range_a = trees_.a.edges_of(a);
  edges_.range_b = trees_.b.edges_of(b);
  edges_.one_list = one_leaf;
  set_box_of_b(edges_, b);
  add_edges(edges_);
}

void LeafCandidates::add_vertices(FeatureInput& in, const TwoEndTree& a, const TwoEndTree& b, Stream& stream) {
  const std::size_t count = meeting_features(in, pairs_);
  for (std::size_t n = 0; n < count; ++n) {
    const auto [i, j] = pairs_[n];
    stream.add({in.a.corner[0][i], in.b.corner[0][j], in.b.corner[1][j], in.b.corner[2][j]}, a.vertices().id(i),
               b.faces().id(j));
  }
}

void LeafCandidates::add_edges(FeatureInput& in) {
  const std::size_t count = meeting_features(in, pairs_);
  for (std::size_t n = 0; n < count; ++n) {
    auto [i, j] = pairs_[n];
    if (trees_.self() && trees_.b.edges().id(j) < trees_.a.edges().id(i)) std::swap(i, j);
    solver_.edges().add({in.a.corner[0][i], in.a.corner[1][i], in.b.corner[0][j], in.b.corner[1][j]},
                        trees_.a.edges().id(i), trees_.b.edges().id(j));
  }
}

}  // namespace pliant::kinetic
