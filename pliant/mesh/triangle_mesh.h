// A triangle surface: rest positions, faces, and which vertices are one and the same.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "pliant/core/ids.h"
#include "pliant/core/vec3.h"

namespace pliant {

class MeshTopology;
namespace detail {
class VertexRings;
}  // namespace detail

using Triangle = std::array<VertexId, 3>;
using Edge =
    std::array<VertexId, 2>;  // ascending; both ends equal for the collapsed edge of a triangle that repeats a vertex

// A named run of faces: a group or object of the file the mesh came from.
struct MeshPart {
  std::string name;
  std::uint32_t first_face = 0;
  std::uint32_t face_count = 0;
};

// What a file knows beyond positions and triangles. Empty members mean "as given": every triangle is its own face.
struct MeshOrigin {
  std::string name;
  std::vector<std::uint32_t> polygon_of_face;  // index of the file's face that each triangle was cut from
  std::vector<MeshPart> parts;                 // disjoint, in ascending order of first_face; may leave faces out
  // Of a mesh that is only a part of its file: where its vertices and triangles stand in the whole.
  std::vector<std::uint32_t> vertex_in_file;
  std::vector<std::uint32_t> triangle_in_file;
};

// Immutable and safe to share between threads and bodies. Vertex and face order are those of the input, because
// point caches and reports refer to them. Open, non-manifold, duplicated and zero-area geometry is ordinary input.
//
// Throws Error for an index out of range, a coordinate that is not finite or an origin that does not fit the faces.
class TriangleMesh {
 public:
  TriangleMesh(std::vector<Vec3> positions, std::vector<Triangle> triangles, MeshOrigin origin = {});
  // For readers that have compared every index and coordinate on the way: those are only asserted here, because
  // looking at all of them again takes a quarter of the time of reading a binary file.
  struct AlreadyChecked {};
  TriangleMesh(AlreadyChecked, std::vector<Vec3> positions, std::vector<Triangle> triangles, MeshOrigin origin);
  ~TriangleMesh();
  TriangleMesh(const TriangleMesh&) = delete;
  TriangleMesh& operator=(const TriangleMesh&) = delete;

  std::size_t vertex_count() const { return positions_.size(); }
  std::size_t face_count() const { return triangles_.size(); }
  std::span<const Vec3> positions() const { return {positions_.data(), positions_.size()}; }  // at rest
  std::span<const Triangle> triangles() const { return {triangles_.data(), triangles_.size()}; }
  const Vec3& position(VertexId v) const { return positions_[v.index()]; }
  const Triangle& triangle(FaceId f) const { return triangles_[f.index()]; }

  const MeshOrigin& origin() const { return origin_; }
  // Indices as in the file that the mesh came from, counted from 0.
  std::uint32_t polygon_in_file(FaceId f) const;  // the face that a triangle was cut from
  std::uint32_t triangle_in_file(FaceId f) const;
  std::uint32_t vertex_in_file(VertexId v) const;

  // Vertices with bit-equal rest positions are welded: `welded(v)` is the smallest of them (+0 and -0 are equal).
  // Computed at the first call, by whichever thread comes first.
  VertexId welded(VertexId v) const { return welds().representative[v.index()]; }
  // The vertices v with welded(v) != v, ascending: the copies. Empty for most meshes.
  std::span<const VertexId> weld_copies() const { return welds().copies; }
  std::span<const VertexId> weld_representatives() const { return welds().representative; }

  // Edges and adjacency (mesh/topology.h); computed at the first call, by whichever thread comes first.
  const MeshTopology& topology() const;
  // Neighbours around vertices (mesh/rings.h); likewise.
  const detail::VertexRings& rings() const;

 private:
  struct Welds {
    std::vector<VertexId> representative;
    std::vector<VertexId> copies;
  };
  const Welds& welds() const;

  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
  MeshOrigin origin_;
  mutable std::once_flag welds_once_;
  mutable Welds welds_;
  mutable std::once_flag topology_once_;
  mutable std::unique_ptr<const MeshTopology> topology_;
  mutable std::once_flag rings_once_;
  mutable std::unique_ptr<const detail::VertexRings> rings_;
};

using MeshPtr = std::shared_ptr<const TriangleMesh>;

}  // namespace pliant
