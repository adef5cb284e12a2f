// The nearest point of a surface, and what a ray from a point crosses of it, for many points.
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

// What the ray from a point along x crosses (geometry/ray_crossing.h). Decided exactly.
struct SurfaceCrossings {
  bool on_surface = false;  // the point lies on a face: the others then say nothing
  std::size_t count = 0;    // of faces
  int winding = 0;          // 1 inside a closed, outward surface, -1 inside one that is inside out, 0 outside
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

  // Of no meaning for a surface that is not closed; which points are inside one that is says detect/inside.h.
  SurfaceCrossings crossings(const Vec3& p) const;

  const PosedMesh& mesh() const { return mesh_; }
  Aabb bounds() const { return tree_.bounds(); }

 private:
  Triangle3 triangle(FaceId f) const { return {mesh_.corner(f, 0), mesh_.corner(f, 1), mesh_.corner(f, 2)}; }

  PosedMesh mesh_;
  AabbTree tree_;
};

}  // namespace pliant
