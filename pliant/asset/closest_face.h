// The nearest point of a surface.
#pragma once

#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct NearestOnSurface {
  FaceId face;
  Vec3 point = Vec3::Zero();
  double distance = 0;
};

// A box tree over the faces at rest; the mesh must outlive it. Safe to ask from several threads.
class ClosestFace {
 public:
  explicit ClosestFace(const TriangleMesh& mesh);

  // The smallest face wins a tie. The mesh must have a face.
  NearestOnSurface find(const Vec3& p) const;
  // Whether a face comes within `reach`; then find() without the rest of the surface is as good, and quicker. No face
  // if none does.
  NearestOnSurface find_within(const Vec3& p, double reach) const;

 private:
  const TriangleMesh& mesh_;
  AabbTree tree_;
};

}  // namespace pliant
