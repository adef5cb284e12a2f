// The features of two triangles against each other, each pair of features once in all.
#pragma once

#include "pliant/detect/moving/candidate_solver.h"

namespace pliant {

// Adds the vertices and edges that each face owns (mesh/topology.h) against what the other one has, but for features
// with a common vertex. The faces are of the bodies of `pair`, and not the same.
void add_face_candidates(const SweptQuery& query, BodyPair pair, FaceId face_a, FaceId face_b, CandidateSolver& solver);

}  // namespace pliant
