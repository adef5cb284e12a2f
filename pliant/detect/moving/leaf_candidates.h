// The features of two leaves against each other, as candidates for the solver.
#pragma once

#include "pliant/detect/moving/candidate_solver.h"
#include "pliant/detect/moving/swept_tree.h"

namespace pliant {

// A leaf of a tree.
struct LeafOf {
  const SweptTree& tree;
  const AabbNode& node;
};

// Gives the solver all pairs of their features whose boxes overlap and that are not incident, each once. Of the
// solver's pair of bodies, a is the first, b the second; both may be the same leaf.
void add_leaf_candidates(const LeafOf& a, const LeafOf& b, CandidateSolver& solver);

}  // namespace pliant
