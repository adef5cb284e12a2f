// The nearest point of a surface, and how often it winds around a point, for many points.
#pragma once

#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/geometry/triangle.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

struct NearestOnSurface {
  FaceId face;
  Vec3 point = Vec3::Zero();
  double distance = 0;
};

// A box tree over the faces of a mesh, which must outlive it. Safe to ask from several threads.
class ClosestFace {
 public:
  explicit ClosestFace(const PosedMesh& mesh);

  // The smallest face wins a tie. The mesh must have a face.
  NearestOnSurface find(const Vec3& p) const;
  // Whether a face comes within `reach`; then find() without the rest of the surface is as good, and quicker. No face
  // if none does.
  NearestOnSurface find_within(const Vec3& p, double reach) const;

  // How often the surface winds around p: 1 inside a closed, outward surface, -1 inside one that is inside out, 0
  // outside. Decided exactly (geometry/ray_crossing.h); of no meaning for p on the surface or a surface that is not
  // closed.
  int winding(const Vec3& p) const;

  Aabb bounds() const { return tree_.bounds(); }

 private:
  Triangle3 triangle(FaceId f) const { return {mesh_.corner(f, 0), mesh_.corner(f, 1), mesh_.corner(f, 2)}; }

  PosedMesh mesh_;
  AabbTree tree_;
};

}  // namespace pliant
