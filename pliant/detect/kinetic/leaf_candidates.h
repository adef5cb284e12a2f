// The features of two leaves against each other, as candidates for the solver.
#pragma once

#include "pliant/detect/kinetic/separation_front.h"
#include "pliant/detect/moving/candidate_solver.h"

namespace pliant::kinetic {

// One for each task.
class LeafCandidates {
 public:
  LeafCandidates(const FrontTrees& trees, CandidateSolver& solver);

  // All pairs of their features that may meet, each once.
  void add(NodePair leaves);

 private:
  // Room for all pairs of edges of two leaves; vertices and faces are fewer.
  static constexpr std::size_t kMostPairs = 9 * TwoEndTree::kLeafSize * TwoEndTree::kLeafSize;
  using Stream = CandidateSolver::Stream;

  void add_vertices(FeatureInput& in, const TwoEndTree& a, const TwoEndTree& b, Stream& stream);
  void add_edges(FeatureInput& in);

  const FrontTrees trees_;
  CandidateSolver& solver_;
  FeatureInput vertices_a_faces_b_;
  FeatureInput vertices_b_faces_a_;
  FeatureInput edges_;
  std::uint32_t pairs_[kMostPairs][2];
};

}  // namespace pliant::kinetic
