#include "pliant/bounds/face_tree.h"

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

void FaceTree::refit(Threads threads, const TriangleMesh& mesh, std::span<const Vec3> positions) {
  refit_swept(threads, mesh, {positions, positions});
}

void FaceTree::refit_swept(Threads threads, const TriangleMesh& mesh, const SweptPositions& positions, double margin) {
  if (leaves_.empty()) leaves_ = LeafVertices(tree_, mesh);
  constexpr std::size_t kStride = sizeof(AabbNode) / sizeof(float);
  tree_.refit_slices(threads, [&](AabbNode* nodes, std::uint32_t slice) {
    leaves_.fit_slice(slice, positions, {nodes->lo.data(), kStride}, margin);
  });
}

std::size_t FaceTree::bytes() const { return tree_.bytes() + leaves_.bytes(); }

}  // namespace pliant
