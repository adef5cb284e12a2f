#include "pliant/detect/still/region_table.h"

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

RegionTable::RegionTable(const TriangleMesh& mesh, RegionLists lists) : faces_(std::move(lists.faces)) {
  const Aabb empty;
  for (std::size_t r = 0; r < lists.count(); ++r)
    nodes_.push_back({empty.lo, lists.first[r], empty.hi, lists.first[r + 1] - lists.first[r]});
  list_vertices(mesh);
  boxes_.resize(nodes_.size());
  fitted_.assign(nodes_.size(), 0);
}

void RegionTable::list_vertices(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> distinct;
  places_.resize(faces_.size());
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
        places_[slot][i] =
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

namespace {

// A vertex in float, rounded both ways.
struct RoundedVertex {
  simd::Float4 lo, hi;
};

RoundedVertex rounded(const double* x) {
  const simd::Double2 xy{x[0], x[1]}, z{x[2], x[2]};
  return {simd::round_down(xy, z), simd::round_up(xy, z)};
}

}  // namespace

// Every vertex of the region is rounded once, not once for each of the six faces around it.
void RegionTable::fit_faces(std::uint32_t region, const StillBody& body) {
  if (fitted_[region]) return;
  fitted_[region] = 1;
  const AabbNode& node = nodes_[region];
  set_corners(node, body);
  const double* const x = body.frame.positions().data()->data();
  thread_local std::vector<RoundedVertex> vertices;
  vertices.resize(std::max<std::size_t>(vertices.size(), own_[region + 1] - own_[region]));
  for (std::uint32_t v = own_[region]; v < own_[region + 1]; ++v)
    vertices[v - own_[region]] = rounded(x + vertices_[v]);
  for (std::uint32_t slot = node.first; slot < node.first + node.count; ++slot) {
    const auto& [a, b, c] = places_[slot];
    const simd::Float4 lo = simd::min(simd::min(vertices[a].lo, vertices[b].lo), vertices[c].lo);
    const simd::Float4 hi = simd::max(simd::max(vertices[a].hi, vertices[b].hi), vertices[c].hi);
    face_boxes_.set(slot, {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}});
  }
}

// Before the faces of a frame are fitted.
void RegionTable::prepare_faces(const StillBody& body) {
  if (corners_.empty()) {
    corners_.resize(faces_.size());
    face_boxes_.resize(faces_.size());
  }
  const bool as_in_mesh = body.identity.empty();
  if (as_in_mesh && !as_in_mesh_)
    for (std::size_t slot = 0; slot < faces_.size(); ++slot) corners_[slot] = body.mesh->triangle(FaceId(faces_[slot]));
  as_in_mesh_ = as_in_mesh;
}

std::size_t RegionTable::bytes() const {
  return nodes_.size() * (sizeof(AabbNode) + 1) + boxes_.bytes() + face_boxes_.bytes() +
         (faces_.size() + vertices_.size() + own_.size()) * sizeof(std::uint32_t) +
         leaves_.size() * sizeof(leaf_fit::Leaf) + places_.size() * sizeof(places_[0]) +
         corners_.size() * sizeof(Triangle);
}

}  // namespace pliant
