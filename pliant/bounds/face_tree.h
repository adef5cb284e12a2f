// A tree over the faces of a mesh whose leaves are refitted straight from their vertices.
#pragma once

#include <span>
#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/bounds/leaf_fit.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// All vertices at both ends of a linear step.
struct SweptPositions {
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;
};

// Each leaf lists its distinct vertices, so that a refit reads every position once or twice instead of once for each of
// the six faces around it. A refit runs over all leaves, then over all inner nodes, part by part of the tree
// (leaf_fit.h): no branch that a processor could guess wrong, and positions are asked for ahead of time.
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
  // At the first refit: a tree that is used once does not need them.
  void list_vertices(const TriangleMesh& mesh);
  void list_part(const TriangleMesh& mesh, std::uint32_t part);

  static constexpr std::size_t kFewVertices = 20'000;  // half a megabyte

  AabbTree tree_;
  // Distinct vertices, leaf after leaf, each list filled up to whole groups by its last one.
  std::vector<std::uint32_t> vertices_;
  std::vector<leaf_fit::Leaf> leaves_;      // part after part of the tree
  std::vector<std::uint32_t> part_begin_;   // in leaves_; one more than there are parts
  std::vector<std::uint32_t> inner_;        // inner nodes, part after part, children before their parents
  std::vector<std::uint32_t> inner_begin_;  // in inner_, likewise
};

std::vector<Aabb> face_boxes(const TriangleMesh& mesh, std::span<const Vec3> positions, Threads threads);

// Box of one face at one time.
inline Aabb face_box(const Triangle& t, std::span<const Vec3> positions) {
  PointBounds bounds;
  for (const VertexId v : t) bounds.add(positions[v.index()]);
  return bounds.box();
}

}  // namespace pliant
