// Which vertices have nothing but their own fan of faces around them, asked one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/function_ref.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Two faces that share a vertex whose fan is clear (still/clear_fans.h) cannot intersect, which spares a body with
// itself most exact tests. The lists of faces by vertex are made a few hundred at a time; a vertex is looked at when it
// is asked about, once for each frame.
class VertexFans {
 public:
  VertexFans() = default;
  // `mesh` must outlive it. With `weld`, vertices that are welded count as one while they are in the same place.
  VertexFans(const TriangleMesh& mesh, bool weld);

  // Goes on with the lists; about a microsecond. False when they are done.
  bool step();
  bool done() const { return phase_ == Phase::done; }

  // Another frame: what was known of fans is forgotten.
  void forget() { ++epoch_; }

  // Which vertex v is, by identity: the smallest of those welded to it that are in the same place. `need(v)` sees to it
  // that a vertex has its position.
  VertexId identity(VertexId v, std::span<const Vec3> positions, FunctionRef<void(VertexId)> need) const;
  // Whether the fan of v is proved clear.
  bool clear(VertexId v, std::span<const Vec3> positions, FunctionRef<void(VertexId)> need);

  std::size_t bytes() const;

 private:
  enum class Phase : std::uint8_t { start, clear_counts, count, sum, fill, done };
  bool find_ring(VertexId v);

  const TriangleMesh* mesh_ = nullptr;
  bool weld_ = false;
  Phase phase_ = Phase::done;
  std::size_t next_ = 0;  // what the phase goes on with
  std::uint32_t epoch_ = 1;
  std::vector<std::uint32_t> first_;  // by vertex: where its faces begin
  std::vector<std::uint32_t> faces_;  // vertex after vertex
  std::vector<std::uint32_t> known_;  // by vertex: 2 * epoch + whether it is clear
  std::vector<VertexId> group_;       // vertices that are welded to others, group after group
  std::vector<VertexId> ring_;        // of the vertex that is looked at
  std::vector<std::array<VertexId, 2>> spokes_;
};

}  // namespace pliant
