// One line for the common questions. Whoever asks again and again, within a budget, or with a filter keeps a Detector
// (detect/registry.h) or a SafeStepper (detect/safe_step.h), which learn from one question for the next.
//
// All answers are exact and complete, in the order of reports, the same for any number of threads. The first mesh is
// body 0, the second body 1; times are 0 (x_t0) to 1 (x_t1).
#pragma once

#include <optional>
#include <vector>

#include "pliant/detect/contact.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

// The pairs of triangles, one of each mesh, that intersect.
std::vector<Contact> intersections(const PosedMesh& a, const PosedMesh& b);

// The pairs of triangles of one mesh that intersect beyond the vertices and edges that they share. Vertices at
// bit-equal rest positions are one.
std::vector<Contact> self_intersections(const PosedMesh& mesh);

// When and where the surfaces first have a point in common. Empty: they stay apart for the whole step. If they
// intersect at the start, that is the answer: a pair of triangles at time 0, `initial`. Whoever wants to know how far
// bodies that touch already may go asks for a SafeStep.
std::optional<Contact> first_impact(const MovingMesh& a, const MovingMesh& b);
std::optional<Contact> first_impact(const MovingMesh& mesh);  // of a mesh with itself

}  // namespace pliant
