#include "pliant/bounds/face_tree.h"

#include <algorithm>

namespace pliant {

std::vector<Aabb> face_boxes(const TriangleMesh& mesh, std::span<const Vec3> positions, Threads threads) {
  std::vector<Aabb> boxes(mesh.face_count());
  parallel_for(threads, boxes.size(), 1 << 13, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) boxes[f] = face_box(mesh.triangle(FaceId(f)), positions);
  });
  return boxes;
}

FaceTree::FaceTree(const TriangleMesh& mesh, std::span<const Vec3> positions, const AabbTreeSettings& settings)
    : tree_(face_boxes(mesh, positions, settings.threads), settings) {}

void FaceTree::list_vertices(const TriangleMesh& mesh) {
  // Leaves by ascending place, so that vertices_ is read in step with order().
  std::vector<const AabbNode*> leaves;
  for (std::size_t i = 0; i < tree_.nodes().size(); ++i)
    if (i != 1 && tree_.nodes()[i].is_leaf()) leaves.push_back(&tree_.nodes()[i]);
  std::sort(leaves.begin(), leaves.end(), [](const AabbNode* a, const AabbNode* b) { return a->first < b->first; });
  offsets_.assign(mesh.face_count() + 1, 0);
  vertices_.reserve(mesh.face_count() * 3 / 2);
  std::vector<VertexId> distinct;
  for (const AabbNode* leaf : leaves) {
    distinct.clear();
    for (const std::uint32_t face : tree_.primitives(*leaf))
      for (const VertexId v : mesh.triangle(FaceId(face))) distinct.push_back(v);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    offsets_[leaf->first] = static_cast<std::uint32_t>(vertices_.size());
    vertices_.insert(vertices_.end(), distinct.begin(), distinct.end());
    offsets_[leaf->first + leaf->count] = static_cast<std::uint32_t>(vertices_.size());
  }
  vertices_.shrink_to_fit();
}

void FaceTree::refit(Threads threads, const TriangleMesh& mesh, std::span<const Vec3> positions) {
  if (offsets_.empty()) list_vertices(mesh);
  tree_.refit(threads, [&](const AabbNode& leaf) {
    PointBounds bounds;
    for (const VertexId v : vertices(leaf)) bounds.add(positions[v.index()]);
    return bounds.box();
  });
}

void FaceTree::refit_swept(Threads threads, const TriangleMesh& mesh, const SweptPositions& positions, double margin) {
  if (offsets_.empty()) list_vertices(mesh);
  tree_.refit(threads, [&](const AabbNode& leaf) {
    PointBounds bounds;
    for (const VertexId v : vertices(leaf)) {
      bounds.add(positions.x_t0[v.index()]);
      bounds.add(positions.x_t1[v.index()]);
    }
    return margin > 0 ? grown(bounds.box(), margin) : bounds.box();
  });
}

std::size_t FaceTree::bytes() const {
  return tree_.bytes() + vertices_.capacity() * sizeof(VertexId) + offsets_.capacity() * sizeof(std::uint32_t);
}

}  // namespace pliant
