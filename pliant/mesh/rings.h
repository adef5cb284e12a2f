// The neighbours of each vertex in the order in which its faces surround it.
#pragma once

#include <span>
#include <vector>

#include "pliant/core/ids.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

namespace detail {
// Immutable. Only vertices whose faces form one closed, consistently oriented fan have a ring: the faces of v are
// exactly (v, ring[i], ring[i + 1]), cyclically, three or more, and no neighbour stands in it twice. Boundary and
// non-manifold vertices have none.
class VertexRings {
 public:
  explicit VertexRings(const TriangleMesh& mesh);

  std::span<const VertexId> operator[](VertexId v) const {
    return std::span(neighbours_).subspan(offsets_[v.index()], offsets_[v.index() + 1] - offsets_[v.index()]);
  }
  std::size_t size() const { return offsets_.size() - 1; }

 private:
  std::vector<std::uint32_t> offsets_;
  std::vector<VertexId> neighbours_;
};
}  // namespace detail
using detail::VertexRings;

}  // namespace pliant
