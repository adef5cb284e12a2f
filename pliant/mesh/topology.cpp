#include "pliant/mesh/topology.h"

#include <algorithm>
#include <limits>

#include "pliant/core/disjoint_sets.h"

namespace pliant {
namespace {

Edge make_edge(VertexId a, VertexId b) { return a < b ? Edge{a, b} : Edge{b, a}; }

// The edge of `t` opposite to a corner.
Edge opposite_edge(const Triangle& t, int corner) {
  return make_edge(t[static_cast<std::size_t>((corner + 1) % 3)], t[static_cast<std::size_t>((corner + 2) % 3)]);
}

bool first_use_of_corner(const Triangle& t, std::size_t corner) {
  return std::find(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(corner), t[corner]) ==
         t.begin() + static_cast<std::ptrdiff_t>(corner);
}

}  // namespace

MeshTopology::MeshTopology(std::size_t vertex_count, std::span<const Triangle> triangles) {
  collect_edges(triangles);
  edge_faces_ = Adjacency<EdgeId, FaceId>::build(edges_.size(), [&](auto&& add) {
    for (std::size_t f = 0; f < triangles.size(); ++f) {
      const auto& e = face_edges_[f];
      for (int i = 0; i < 3; ++i) {
        const bool repeated = (i > 0 && e[i] == e[0]) || (i > 1 && e[i] == e[1]);
        if (!repeated) add(e[i], FaceId(f));
      }
    }
  });
  vertex_faces_ = Adjacency<VertexId, FaceId>::build(vertex_count, [&](auto&& add) {
    for (std::size_t f = 0; f < triangles.size(); ++f)
      for (std::size_t i = 0; i < 3; ++i)
        if (first_use_of_corner(triangles[f], i)) add(triangles[f][i], FaceId(f));
  });
  vertex_edges_ = Adjacency<VertexId, EdgeId>::build(vertex_count, [&](auto&& add) {
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      add(edges_[e][0], EdgeId(e));
      if (edges_[e][1] != edges_[e][0]) add(edges_[e][1], EdgeId(e));
    }
  });
  assign_owners(vertex_count, triangles);
  find_components(vertex_count, triangles);
}

// Buckets half-edges by their smaller end, then sorts each small bucket: linear but for the tiny sorts.
void MeshTopology::collect_edges(std::span<const Triangle> triangles) {
  struct HalfEdge {
    VertexId high;
    std::uint32_t slot;  // 3 * face + corner
  };
  std::size_t vertex_count = 0;
  for (const Triangle& t : triangles)
    for (const VertexId v : t) vertex_count = std::max(vertex_count, v.index() + 1);

  std::vector<std::uint32_t> offsets(vertex_count + 1, 0);
  for (const Triangle& t : triangles)
    for (int i = 0; i < 3; ++i) ++offsets[opposite_edge(t, i)[0].index() + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<HalfEdge> halves(3 * triangles.size());
  std::vector<std::uint32_t> next(offsets.begin(), offsets.end());
  for (std::size_t f = 0; f < triangles.size(); ++f) {
    for (int i = 0; i < 3; ++i) {
      const Edge e = opposite_edge(triangles[f], i);
      halves[next[e[0].index()]++] = {e[1], static_cast<std::uint32_t>(3 * f + static_cast<std::size_t>(i))};
    }
  }

  face_edges_.resize(triangles.size());
  edges_.reserve(triangles.size() * 3 / 2 + 16);
  for (std::size_t low = 0; low < vertex_count; ++low) {
    const auto begin = halves.begin() + offsets[low];
    const auto end = halves.begin() + offsets[low + 1];
    std::sort(begin, end, [](const HalfEdge& a, const HalfEdge& b) { return a.high < b.high; });
    for (auto half = begin; half != end; ++half) {
      if (half == begin || half->high != (half - 1)->high) edges_.push_back({VertexId(low), half->high});
      face_edges_[half->slot / 3][half->slot % 3] = EdgeId(edges_.size() - 1);
    }
  }
}

FaceId MeshTopology::owner(VertexId v) const {
  const auto faces = vertex_faces_[v];
  return faces.empty() ? FaceId{} : faces[0];
}

void MeshTopology::assign_owners(std::size_t vertex_count, std::span<const Triangle> triangles) {
  owned_.assign(triangles.size(), 0);
  std::vector<bool> vertex_taken(vertex_count, false);
  std::vector<bool> edge_taken(edges_.size(), false);
  for (std::size_t f = 0; f < triangles.size(); ++f) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t v = triangles[f][i].index();
      const std::size_t e = face_edges_[f][i].index();
      if (!vertex_taken[v]) owned_[f] |= static_cast<std::uint8_t>(1u << i);
      if (!edge_taken[e]) owned_[f] |= static_cast<std::uint8_t>(8u << i);
      vertex_taken[v] = true;
      edge_taken[e] = true;
    }
  }
}

std::size_t MeshTopology::boundary_edge_count() const {
  std::size_t count = 0;
  for (std::size_t e = 0; e < edges_.size(); ++e) count += is_boundary(EdgeId(e)) ? 1 : 0;
  return count;
}

void MeshTopology::find_components(std::size_t vertex_count, std::span<const Triangle> triangles) {
  DisjointSets sets(vertex_count);
  for (const Triangle& t : triangles) {
    sets.unite(t[0].value, t[1].value);
    sets.unite(t[0].value, t[2].value);
  }
  constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(vertex_count, kUnseen);
  component_of_face_.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    std::uint32_t& n = number[sets.root(t[0].value)];
    if (n == kUnseen) n = static_cast<std::uint32_t>(component_count_++);
    component_of_face_.push_back(n);
  }
}

}  // namespace pliant
