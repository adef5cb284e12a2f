// Which faces go on into each other across their edges, decided also where more than two meet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Half-edge 3 f + i runs from corner i of face f to the next corner. Its partner is the half-edge, running the other
// way, of the face that the surface goes on with there, or kNone.
using Partners = std::vector<std::uint32_t>;
inline constexpr std::uint32_t kNoPartner = std::numeric_limits<std::uint32_t>::max();

inline constexpr std::uint32_t next_half_edge(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
inline VertexId start_of(std::span<const Triangle> triangles, std::uint32_t h) { return triangles[h / 3][h % 3]; }
inline VertexId end_of(std::span<const Triangle> triangles, std::uint32_t h) {
  return start_of(triangles, next_half_edge(h));
}

// One number for both directions of an edge.
inline std::uint64_t edge_key(VertexId a, VertexId b) {
  return (std::uint64_t{std::min(a.value, b.value)} << 32) | std::max(a.value, b.value);
}

// All half-edges of each edge together: runs of one array.
class EdgeGroups {
 public:
  explicit EdgeGroups(std::span<const Triangle> triangles);
  std::size_t size() const { return starts_.size() - 1; }
  // Ascending.
  std::span<const std::uint32_t> operator[](std::size_t edge) const {
    return std::span(half_edges_).subspan(starts_[edge], starts_[edge + 1] - starts_[edge]);
  }

 private:
  std::vector<std::uint32_t> half_edges_;
  std::vector<std::uint32_t> starts_;
};

// Two faces of an edge are partners if they run along it in opposite directions. Of more faces, those are that bound
// the same wedge of the inside: bodies that touch in an edge come apart. What has no counterpart is left without.
Partners find_partners(std::span<const Vec3> positions, std::span<const Triangle> triangles, const EdgeGroups& edges);

// The connected part of each face, over partners: numbered from 0 in the order of first faces.
struct SurfaceParts {
  std::vector<std::uint32_t> of_face;
  std::size_t count = 0;
};
SurfaceParts find_parts(const Partners& partners);

}  // namespace pliant
