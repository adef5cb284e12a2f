// How far two surfaces are from each other.
#pragma once

#include <limits>

#include "pliant/core/budget.h"
#include "pliant/detect/contact.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

// The nearest two points. Each lies on a face, sum weights[i] x(corner i); weights that are 0 tell that it lies on an
// edge or a vertex.
struct MeshDistance {
  double distance = std::numeric_limits<double>::infinity();  // in the unit of the positions
  double bound = 0;  // the surfaces may be nearer than `distance` by this; 0 unless the budget ended the search
  Vec3 point_a = Vec3::Zero();
  Vec3 point_b = Vec3::Zero();
  FaceId face_a;
  FaceId face_b;
  Weights weights_a{};
  Weights weights_b{};
};

// Exactly 0, with one point on both, if the surfaces intersect (decided exactly); otherwise rounded as closest points
// of triangles are: by a small multiple of the rounding unit times the size of the coordinates. Infinite, without
// faces, if a mesh has none. A body that lies wholly inside another is as far from it as their surfaces are:
// penetration.h.
//
// The budget ends it with the nearest two points found by then (infinite, without faces, if there are none yet).
//
// Builds a box tree for each mesh, which the budget does not interrupt: near-linear in the number of faces. One thread.
MeshDistance distance(const PosedMesh& a, const PosedMesh& b, const Budget& budget = {});

}  // namespace pliant
