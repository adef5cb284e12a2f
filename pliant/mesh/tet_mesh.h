// A volume of tetrahedra and its boundary surface.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pliant/core/ids.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

using Tet = std::array<VertexId, 4>;

// The faces of a positive tet as corner numbers, each seen counter-clockwise from outside; face i is opposite corner i.
inline constexpr std::array<std::array<std::size_t, 3>, 4> kTetFaces = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

// Immutable and safe to share between threads. Vertex and tet order are those of the input; a tet that was turned
// inside out ((b - a, c - a, d - a) left-handed, decided exactly) has its last two corners swapped, so that every tet
// has a volume of 0 or more.
//
// Throws Error for an index out of range, a tet that repeats a vertex, or a coordinate that is not finite.
class TetMesh {
 public:
  TetMesh(std::vector<Vec3> positions, std::vector<Tet> tets, const std::string& name = {});

  std::size_t vertex_count() const { return positions_.size(); }
  std::size_t tet_count() const { return tets_.size(); }
  std::span<const Vec3> positions() const { return positions_; }  // at rest
  std::span<const Tet> tets() const { return tets_; }
  const Tet& tet(TetId t) const { return tets_[t.index()]; }

  std::size_t flipped_count() const { return flipped_count_; }  // tets that were turned
  std::size_t flat_count() const { return flat_count_; }        // tets with four vertices exactly in one plane

  // The faces that lie on one tet only, seen counter-clockwise from outside, in the order of their tets. Faces on
  // three tets or more (overlapping input) are not part of it.
  const MeshPtr& surface() const { return surface_; }
  // The tet vertex of each surface vertex, ascending.
  std::span<const VertexId> surface_vertices() const { return surface_vertices_; }

  double volume() const;                                           // of all tets, at rest, in cubed length units
  double tet_volume(TetId t) const { return six_volumes(t) / 6; }  // 0 or more up to rounding

 private:
  void orient();
  void extract_surface(const std::string& name);
  double six_volumes(TetId t) const;

  std::vector<Vec3> positions_;
  std::vector<Tet> tets_;
  MeshPtr surface_;
  std::vector<VertexId> surface_vertices_;
  std::size_t flipped_count_ = 0;
  std::size_t flat_count_ = 0;
};

}  // namespace pliant
