// Edges and adjacency of a triangle mesh, by the indices of the mesh (not welded).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/ids.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Lists of B for every A, in one array.
template <class From, class To>
class Adjacency {
 public:
  std::span<const To> operator[](From a) const {
    return {items_.data() + offsets_[a.index()], items_.data() + offsets_[a.index() + 1]};
  }
  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }

  // Counts, then fills: `visit(add)` calls add(a, b) for every pair, twice over, in the same order each time.
  template <class Visit>
  static Adjacency build(std::size_t from_count, Visit&& visit) {
    Adjacency result;
    result.offsets_.assign(from_count + 1, 0);
    visit([&](From a, To) { ++result.offsets_[a.index() + 1]; });
    for (std::size_t i = 0; i < from_count; ++i) result.offsets_[i + 1] += result.offsets_[i];
    result.items_.resize(result.offsets_.back());
    std::vector<std::uint32_t> next(result.offsets_.begin(), result.offsets_.end() - 1);
    visit([&](From a, To b) { result.items_[next[a.index()]++] = b; });
    return result;
  }

 private:
  std::vector<std::uint32_t> offsets_;
  std::vector<To> items_;
};

// Immutable. Every edge is listed once, edges ascending by their ends; face_edges(f)[i] is opposite to corner i.
// Every vertex and edge that lies on a face has one *owner* face, the smallest: a detector that tests a feature only
// when it meets its owner tests each feature pair once.
class MeshTopology {
 public:
  MeshTopology(std::size_t vertex_count, std::span<const Triangle> triangles);

  std::span<const Edge> edges() const { return edges_; }
  const Edge& edge(EdgeId e) const { return edges_[e.index()]; }
  const std::array<EdgeId, 3>& face_edges(FaceId f) const { return face_edges_[f.index()]; }
  std::span<const FaceId> faces_of_edge(EdgeId e) const {
    return edge_faces_[e];
  }  // ascending; several if non-manifold
  std::span<const FaceId> faces_of_vertex(VertexId v) const { return vertex_faces_[v]; }
  std::span<const EdgeId> edges_of_vertex(VertexId v) const { return vertex_edges_[v]; }

  FaceId owner(VertexId v) const;  // invalid for a vertex on no face
  FaceId owner(EdgeId e) const { return edge_faces_[e][0]; }
  bool owns_corner(FaceId f, int corner) const { return (owned_[f.index()] >> corner) & 1; }
  bool owns_edge(FaceId f, int corner) const { return (owned_[f.index()] >> (3 + corner)) & 1; }
  // Bits 0-2: corners owned by f; bits 3-5: edges (by their opposite corner) owned by f.
  std::uint8_t owned_features(FaceId f) const { return owned_[f.index()]; }

  bool is_boundary(EdgeId e) const { return edge_faces_[e].size() == 1; }
  std::size_t boundary_edge_count() const;

  // Connected parts of the surface (faces that share a vertex index): one number per face, 0 to count - 1 in order of
  // their first faces.
  std::size_t component_count() const { return component_count_; }
  std::span<const std::uint32_t> component_of_face() const { return component_of_face_; }

 private:
  void collect_edges(std::span<const Triangle> triangles);
  void assign_owners(std::size_t vertex_count, std::span<const Triangle> triangles);
  void find_components(std::size_t vertex_count, std::span<const Triangle> triangles);

  std::vector<Edge> edges_;
  std::vector<std::array<EdgeId, 3>> face_edges_;
  Adjacency<EdgeId, FaceId> edge_faces_;
  Adjacency<VertexId, FaceId> vertex_faces_;
  Adjacency<VertexId, EdgeId> vertex_edges_;
  std::vector<std::uint8_t> owned_;
  std::vector<std::uint32_t> component_of_face_;
  std::size_t component_count_ = 0;
};

}  // namespace pliant
