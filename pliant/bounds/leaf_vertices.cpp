#include "pliant/bounds/leaf_vertices.h"

#include <algorithm>

#include "pliant/core/cpu.h"

namespace pliant {

LeafVertices::LeafVertices(const AabbTree& tree, const TriangleMesh& mesh) {
  vertices_.reserve(mesh.face_count() * 3 / 2 + leaf_fit::kAhead);
  for (std::uint32_t slice = 0; slice < tree.slice_count(); ++slice) list_slice(tree, mesh, slice);
  vertices_.insert(vertices_.end(), leaf_fit::kAhead, 0);
  vertices_.shrink_to_fit();
  leaves_.shrink_to_fit();
  inner_.shrink_to_fit();
}

void LeafVertices::list_slice(const AabbTree& tree, const TriangleMesh& mesh, std::uint32_t slice) {
  Slice lists{};
  lists.first_leaf = static_cast<std::uint32_t>(leaves_.size());
  lists.first_inner = static_cast<std::uint32_t>(inner_.size());
  const auto [begin, end] = tree.slice(slice);
  std::vector<std::uint32_t> distinct;
  for (std::uint32_t i = begin; i < end; ++i) {
    const AabbNode& node = tree.node(i);
    if (i == 1) continue;
    if (!node.is_leaf()) {
      inner_.push_back(i);
      continue;
    }
    distinct.clear();
    for (const std::uint32_t face : tree.primitives(node))
      for (const VertexId v : mesh.triangle(FaceId(face))) distinct.push_back(3 * v.value);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    while (distinct.size() % leaf_fit::kGroup != 0) distinct.push_back(distinct.back());
    vertices_.insert(vertices_.end(), distinct.begin(), distinct.end());
    leaves_.push_back({i, static_cast<std::uint32_t>(vertices_.size())});
  }
  // Children stand behind their parents.
  std::reverse(inner_.begin() + lists.first_inner, inner_.end());
  lists.last_leaf = static_cast<std::uint32_t>(leaves_.size());
  lists.last_inner = static_cast<std::uint32_t>(inner_.size());
  slices_.push_back(lists);
}

leaf_fit::Kernels leaf_fit::kernels() {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return {avx2::fit_leaves, avx2::unite_children};
#endif
  return {portable::fit_leaves, portable::unite_children};
}

namespace {

void grow(float* node, double margin) {
  const Aabb box = grown({{node[0], node[1], node[2]}, {node[4], node[5], node[6]}}, margin);
  for (std::size_t k = 0; k < 3; ++k) {
    node[k] = box.lo[k];
    node[4 + k] = box.hi[k];
  }
}

}  // namespace

void LeafVertices::fit_slice(std::uint32_t slice, const SweptPositions& positions, const leaf_fit::Nodes& nodes,
                             double margin) const {
  const Slice& lists = slices_[slice];
  const auto [fit_leaves, unite_children] = leaf_fit::kernels();
  const std::uint32_t* list = vertices_.data();
  const leaf_fit::Leaves leaves{leaves_.data() + lists.first_leaf, leaves_.data() + lists.last_leaf, list,
                                list + (lists.first_leaf == 0 ? 0 : leaves_[lists.first_leaf - 1].end)};
  fit_leaves(
      leaves,
      {positions.x_t0.data()->data(), positions.x_t1.data()->data(), positions.x_t0.size() <= leaf_fit::kFewVertices},
      nodes);
  if (margin > 0)
    for (const leaf_fit::Leaf* leaf = leaves.first; leaf != leaves.last; ++leaf)
      grow(nodes.words + nodes.stride * leaf->node, margin);
  unite_children(inner_.data() + lists.first_inner, inner_.data() + lists.last_inner, nodes);
}

std::size_t LeafVertices::bytes() const {
  return (vertices_.capacity() + inner_.capacity()) * sizeof(std::uint32_t) +
         leaves_.capacity() * sizeof(leaf_fit::Leaf) + slices_.capacity() * sizeof(Slice);
}

}  // namespace pliant
