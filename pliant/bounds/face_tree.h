// A tree over the faces of a mesh whose leaves are refitted straight from their vertices.
#pragma once

#include <span>
#include <vector>

#include "pliant/bounds/leaf_vertices.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

class FaceTree {
 public:
  FaceTree() = default;
  FaceTree(const TriangleMesh& mesh, std::span<const Vec3> positions, const AabbTreeSettings& settings);
  // The same from the boxes of the faces, where they are known already.
  FaceTree(std::span<const Aabb> face_boxes, const AabbTreeSettings& settings) : tree_(face_boxes, settings) {}

  const AabbTree& tree() const { return tree_; }
  // Face numbers in the order of the leaves.
  std::span<const std::uint32_t> order() const { return tree_.order(); }

  // `mesh` must be the one that the tree was built for.
  void refit(Threads threads, const TriangleMesh& mesh, std::span<const Vec3> positions);
  // Boxes of the linear step from x_t0 to x_t1: they hold both ends, hence everything between, and `margin` around it.
  void refit_swept(Threads threads, const TriangleMesh& mesh, const SweptPositions& positions, double margin = 0);

  std::size_t bytes() const;

 private:
  AabbTree tree_;
  LeafVertices leaves_;  // listed at the first refit: a tree that is used once does not need them
};

std::vector<Aabb> face_boxes(const TriangleMesh& mesh, std::span<const Vec3> positions, Threads threads);

// Box of one face at one time.
inline Aabb face_box(const Triangle& t, std::span<const Vec3> positions) {
  PointBounds bounds;
  for (const VertexId v : t) bounds.add(positions[v.index()]);
  return bounds.box();
}

}  // namespace pliant
