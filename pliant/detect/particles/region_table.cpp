#include "pliant/detect/particles/region_table.h"

#include <algorithm>
#include <numeric>

#include "pliant/bounds/face_tree.h"
#include "pliant/core/parallel.h"

namespace pliant {
namespace {

// The regions of a face, each once; returns how many.
std::size_t regions_of(const TriangleMesh& mesh, const Partition& partition, FaceId face, RegionFaces which,
                       std::array<std::uint32_t, 3>& regions) {
  if (which == RegionFaces::owned) {
    regions[0] = partition.region_of_face(mesh, face);
    return 1;
  }
  std::size_t count = 0;
  for (const VertexId v : mesh.triangle(face)) {
    const std::uint32_t region = partition.region_of_vertex[v.index()];
    if (std::find(regions.begin(), regions.begin() + static_cast<std::ptrdiff_t>(count), region) ==
        regions.begin() + static_cast<std::ptrdiff_t>(count))
      regions[count++] = region;
  }
  return count;
}

}  // namespace

RegionTable::RegionTable(const TriangleMesh& mesh, const Partition& partition, RegionFaces which) {
  const Aabb empty;
  nodes_.assign(partition.region_count, {empty.lo, 0, empty.hi, 0});
  list_faces(mesh, partition, which);
  list_vertices(mesh);
  boxes_.resize(nodes_.size());
  fitted_.assign(nodes_.size(), 0);
}

void RegionTable::list_faces(const TriangleMesh& mesh, const Partition& partition, RegionFaces which) {
  std::array<std::uint32_t, 3> regions{};
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const std::size_t count = regions_of(mesh, partition, FaceId(f), which, regions);
    for (std::size_t i = 0; i < count; ++i) ++nodes_[regions[i]].count;
  }
  std::uint32_t next = 0;
  for (AabbNode& node : nodes_) {
    node.first = next;
    next += node.count;
  }
  faces_.resize(next);
  std::vector<std::uint32_t> slot;
  for (const AabbNode& node : nodes_) slot.push_back(node.first);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const std::size_t count = regions_of(mesh, partition, FaceId(f), which, regions);
    for (std::size_t i = 0; i < count; ++i) faces_[slot[regions[i]]++] = static_cast<std::uint32_t>(f);
  }
}

void RegionTable::list_vertices(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> distinct;
  for (std::uint32_t r = 0; r < count(); ++r) {
    if (nodes_[r].count == 0) continue;
    distinct.clear();
    for (const std::uint32_t face : faces_of(r))
      for (const VertexId v : mesh.triangle(FaceId(face))) distinct.push_back(3 * v.value);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    while (distinct.size() % leaf_fit::kGroup != 0) distinct.push_back(distinct.back());
    vertices_.insert(vertices_.end(), distinct.begin(), distinct.end());
    leaves_.push_back({r, static_cast<std::uint32_t>(vertices_.size())});
  }
  vertices_.insert(vertices_.end(), leaf_fit::kAhead, 0);
}

void RegionTable::refit(Threads threads, std::span<const Vec3> positions) {
  constexpr std::size_t kAtOnce = 32;
  if (leaves_.empty()) return;
  const auto fit_leaves = leaf_fit::kernels().fit_leaves;
  const double* x = positions.data()->data();
  parallel_for(threads, leaves_.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
    fit_leaves({leaves_.data() + begin, leaves_.data() + end, vertices_.data(),
                vertices_.data() + (begin == 0 ? 0 : leaves_[begin - 1].end)},
               {x, x, positions.size() <= leaf_fit::kFewVertices},
               {nodes_[0].lo.data(), sizeof(AabbNode) / sizeof(float)});
  });
  bounds_ = {};
  for (std::uint32_t r = 0; r < count(); ++r) {
    boxes_.set(r, nodes_[r].box());
    bounds_.add(nodes_[r].box());
  }
  std::fill(fitted_.begin(), fitted_.end(), 0);
}

void RegionTable::fit_faces(std::uint32_t region, const StillBody& body) {
  if (fitted_[region]) return;
  fitted_[region] = 1;
  if (corners_.empty()) {
    corners_.resize(faces_.size());
    face_boxes_.resize(faces_.size());
  }
  const AabbNode& node = nodes_[region];
  for (std::uint32_t slot = node.first; slot < node.first + node.count; ++slot) {
    corners_[slot] = body.corners(FaceId(faces_[slot]));
    face_boxes_.set(slot, face_box(corners_[slot], body.frame.positions()));
  }
}

std::size_t RegionTable::bytes() const {
  return nodes_.size() * (sizeof(AabbNode) + 1) + boxes_.bytes() + face_boxes_.bytes() +
         (faces_.size() + vertices_.size()) * sizeof(std::uint32_t) + leaves_.size() * sizeof(leaf_fit::Leaf) +
         corners_.size() * sizeof(Triangle);
}

}  // namespace pliant
