#include "pliant/detect/still/region_table.h"

#include <algorithm>
#include <numeric>

#include "pliant/bounds/face_tree.h"
#include "pliant/core/parallel.h"
#include "pliant/detect/still/region_kernel.h"

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

RegionLists list_regions(const TriangleMesh& mesh, const Partition& partition, RegionFaces which) {
  RegionLists lists;
  lists.first.assign(partition.region_count + 1, 0);
  std::array<std::uint32_t, 3> regions{};
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const std::size_t count = regions_of(mesh, partition, FaceId(f), which, regions);
    for (std::size_t i = 0; i < count; ++i) ++lists.first[regions[i] + 1];
  }
  std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
  lists.faces.resize(lists.first.back());
  std::vector<std::uint32_t> slot = lists.first;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const std::size_t count = regions_of(mesh, partition, FaceId(f), which, regions);
    for (std::size_t i = 0; i < count; ++i) lists.faces[slot[regions[i]]++] = static_cast<std::uint32_t>(f);
  }
  return lists;
}

RegionTable::RegionTable(const TriangleMesh& mesh, const RegionLists& lists) {
  const Aabb empty;
  for (std::size_t r = 0; r < lists.count(); ++r) {
    const std::uint32_t count = lists.first[r + 1] - lists.first[r];
    nodes_.push_back({empty.lo, static_cast<std::uint32_t>(faces_.size()), empty.hi, count});
    faces_.insert(faces_.end(), lists.faces.begin() + lists.first[r], lists.faces.begin() + lists.first[r + 1]);
    while (faces_.size() % WideBoxes::kLanes != 0) faces_.push_back(0);
  }
  list_vertices(mesh);
  boxes_.resize(nodes_.size());
  fitted_.assign(nodes_.size(), 0);
}

void RegionTable::list_vertices(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> distinct;
  for (auto& of_corner : places_) of_corner.resize(faces_.size());
  for (std::uint32_t r = 0; r < count(); ++r) {
    own_.push_back(static_cast<std::uint32_t>(vertices_.size()));
    if (nodes_[r].count == 0) continue;
    distinct.clear();
    for (const std::uint32_t face : faces_of(r))
      for (const VertexId v : mesh.triangle(FaceId(face))) distinct.push_back(3 * v.value);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::uint32_t slot = nodes_[r].first; slot < nodes_[r].first + nodes_[r].count; ++slot)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t vertex = 3 * mesh.triangle(FaceId(faces_[slot]))[i].value;
        places_[i][slot] =
            static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), vertex) - distinct.begin());
      }
    while (distinct.size() % leaf_fit::kGroup != 0) distinct.push_back(distinct.back());
    vertices_.insert(vertices_.end(), distinct.begin(), distinct.end());
    leaves_.push_back({r, static_cast<std::uint32_t>(vertices_.size())});
  }
  own_.push_back(static_cast<std::uint32_t>(vertices_.size()));
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

// Welds that hold only now make corners depend on the frame.
void RegionTable::set_corners(const AabbNode& region, const StillBody& body) {
  if (as_in_mesh_) return;
  for (std::uint32_t slot = region.first; slot < region.first + region.count; ++slot)
    corners_[slot] = body.corners(FaceId(faces_[slot]));
}

void RegionTable::fit_faces(std::uint32_t region, const StillBody& body) {
  if (fitted_[region]) return;
  fitted_[region] = 1;
  const AabbNode& node = nodes_[region];
  set_corners(node, body);
  thread_local std::vector<float> scratch;
  const std::uint32_t vertex_count = own_[region + 1] - own_[region];
  scratch.resize(std::max<std::size_t>(scratch.size(), 8 * std::size_t{vertex_count}));
  region_kernel::FaceFit fit{.positions = body.frame.positions().data()->data(),
                             .vertices = vertices_.data() + own_[region],
                             .vertex_count = vertex_count,
                             .corners = {},
                             .face_count = node.count,
                             .blocks = face_boxes_[node.first / WideBoxes::kLanes].lo[0],
                             .scratch = scratch.data()};
  for (std::size_t k = 0; k < 3; ++k) fit.corners[k] = places_[k].data() + node.first;
  region_kernel::kernels().fit_faces(fit);
}

// Before the faces of a frame are fitted.
void RegionTable::prepare_faces(const StillBody& body) {
  if (corners_.empty()) {
    corners_.resize(faces_.size());
    face_boxes_.resize(faces_.size() / WideBoxes::kLanes);
  }
  const bool as_in_mesh = body.identity.empty();
  if (as_in_mesh && !as_in_mesh_)
    for (std::size_t slot = 0; slot < faces_.size(); ++slot) corners_[slot] = body.mesh->triangle(FaceId(faces_[slot]));
  as_in_mesh_ = as_in_mesh;
}

std::size_t RegionTable::bytes() const {
  return nodes_.size() * (sizeof(AabbNode) + 1) + boxes_.bytes() + face_boxes_.size() * sizeof(WideBoxes) +
         (faces_.size() + vertices_.size() + own_.size()) * sizeof(std::uint32_t) +
         leaves_.size() * sizeof(leaf_fit::Leaf) + 3 * places_[0].size() * sizeof(std::uint32_t) +
         corners_.size() * sizeof(Triangle);
}

}  // namespace pliant
