#include "pliant/bounds/face_tree.h"

#include <algorithm>

#include "pliant/core/cpu.h"

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

void FaceTree::list_part(const TriangleMesh& mesh, std::uint32_t part) {
  const auto [begin, end] = tree_.part(part);
  std::vector<std::uint32_t> distinct;
  for (std::uint32_t i = begin; i < end; ++i) {
    const AabbNode& node = tree_.node(i);
    if (i == 1) continue;
    if (!node.is_leaf()) {
      inner_.push_back(i);
      continue;
    }
    distinct.clear();
    for (const std::uint32_t face : tree_.primitives(node))
      for (const VertexId v : mesh.triangle(FaceId(face))) distinct.push_back(3 * v.value);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    while (distinct.size() % leaf_fit::kGroup != 0) distinct.push_back(distinct.back());
    vertices_.insert(vertices_.end(), distinct.begin(), distinct.end());
    leaves_.push_back({i, static_cast<std::uint32_t>(vertices_.size())});
  }
}

void FaceTree::list_vertices(const TriangleMesh& mesh) {
  vertices_.reserve(mesh.face_count() * 3 / 2 + leaf_fit::kAhead);
  for (std::uint32_t part = 0; part < tree_.part_count(); ++part) {
    part_begin_.push_back(static_cast<std::uint32_t>(leaves_.size()));
    inner_begin_.push_back(static_cast<std::uint32_t>(inner_.size()));
    list_part(mesh, part);
    // Children stand behind their parents.
    std::reverse(inner_.begin() + inner_begin_.back(), inner_.end());
  }
  part_begin_.push_back(static_cast<std::uint32_t>(leaves_.size()));
  inner_begin_.push_back(static_cast<std::uint32_t>(inner_.size()));
  vertices_.insert(vertices_.end(), leaf_fit::kAhead, 0);
  vertices_.shrink_to_fit();
  inner_.shrink_to_fit();
  leaves_.shrink_to_fit();
}

void FaceTree::refit(Threads threads, const TriangleMesh& mesh, std::span<const Vec3> positions) {
  refit_swept(threads, mesh, {positions, positions});
}

void FaceTree::refit_swept(Threads threads, const TriangleMesh& mesh, const SweptPositions& positions, double margin) {
  if (leaves_.empty()) list_vertices(mesh);
  const leaf_fit::Positions ends{positions.x_t0.data()->data(), positions.x_t1.data()->data(),
                                 positions.x_t0.size() <= kFewVertices};
#if defined(PLIANT_AVX2)
  const bool wide = use_avx2();
  const auto fit_leaves = wide ? leaf_fit::avx2::fit_leaves : leaf_fit::portable::fit_leaves;
  const auto unite_children = wide ? leaf_fit::avx2::unite_children : leaf_fit::portable::unite_children;
#else
  const auto fit_leaves = leaf_fit::portable::fit_leaves;
  const auto unite_children = leaf_fit::portable::unite_children;
#endif
  tree_.refit_parts(threads, [&](AabbNode* nodes, std::uint32_t part) {
    const std::uint32_t first = part_begin_[part];
    const std::uint32_t last = part_begin_[part + 1];
    const std::uint32_t* list = vertices_.data();
    const leaf_fit::Leaves leaves{leaves_.data() + first, leaves_.data() + last, list,
                                  list + (first == 0 ? 0 : leaves_[first - 1].end)};
    fit_leaves(leaves, ends, nodes->lo.data());
    if (margin > 0)
      for (std::uint32_t i = first; i < last; ++i) {
        AabbNode& leaf = nodes[leaves_[i].node];
        leaf.set_box(grown(leaf.box(), margin));
      }
    unite_children(inner_.data() + inner_begin_[part], inner_.data() + inner_begin_[part + 1], nodes->lo.data());
  });
}

std::size_t FaceTree::bytes() const {
  return tree_.bytes() + vertices_.capacity() * sizeof(std::uint32_t) + leaves_.capacity() * sizeof(leaf_fit::Leaf) +
         inner_.capacity() * sizeof(std::uint32_t);
}

}  // namespace pliant
