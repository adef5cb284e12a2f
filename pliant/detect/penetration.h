// How deep two closed bodies are in each other.
#pragma once

#include <optional>

#include "pliant/core/budget.h"
#include "pliant/core/ids.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

// The point of either surface that lies deepest inside the other body.
struct Penetration {
  double depth = 0;             // from the point to the other surface, in the unit of the positions
  double bound = 0;             // no point of either surface is deeper than depth + bound
  bool complete = true;         // false: the search ended early, and `bound` is larger than was asked for
  bool of_a = true;             // the point is one of a's surface, inside b; otherwise one of b's, inside a
  FaceId face;                  // the face it lies on; invalid: the search ended before a point inside was found
  Vec3 point = Vec3::Zero();    // the deepest point
  Vec3 way_out = Vec3::Zero();  // the point of the other surface nearest to it
  FaceId way_out_face;          // and the face that it lies on
  Vec3 normal = Vec3::Zero();   // unit; moving a along it by `depth` takes the point out (moves a away from b)
};

// Empty if no point of either surface lies inside the other body: also for bodies that (up to rounding) only touch, or
// lie in each other's place, surface on surface. `tolerance`: how large `bound` may be, as a part of the smaller body's
// extent. A finer one costs time where the deepest points are many. The search ends early after 200,000 sub-triangles
// of either surface, or with the budget (an operation is a point looked at): `bound` then says how much deeper it may
// be, and if no point inside was found by then, the depth is 0 and there is no face.
//
// Inside is where a surface winds around a point, either way. Throws Error if a mesh is not closed (mesh/defects.h,
// vertices at bit-equal rest positions taken as one): an open surface has no inside.
//
// Builds a box tree for each mesh, which the budget does not interrupt. One thread.
std::optional<Penetration> penetration(const PosedMesh& a, const PosedMesh& b, double tolerance = 1e-4,
                                       const Budget& budget = {});

// Whether a point lies inside a closed body; of one on its surface it does not. Throws Error as above. Builds a box
// tree: for one point or a few.
bool is_inside(const Vec3& point, const PosedMesh& body);

}  // namespace pliant
