#include "pliant/mesh/rings.h"

#include <algorithm>

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// The edge of a face opposite to v, in the face's direction.
struct Spoke {
  VertexId from;
  VertexId to;
};

// Appends the ring of v, or nothing if its faces do not form a closed fan.
void append_ring(const TriangleMesh& mesh, VertexId v, std::vector<Spoke>& spokes, std::vector<VertexId>& ring) {
  spokes.clear();
  for (const FaceId f : mesh.topology().faces_of_vertex(v)) {
    const Triangle& t = mesh.triangle(f);
    const std::size_t corner = t[0] == v ? 0 : t[1] == v ? 1 : 2;
    spokes.push_back({t[(corner + 1) % 3], t[(corner + 2) % 3]});
    if (spokes.back().from == v || spokes.back().to == v) return;  // the face repeats v
  }
  if (spokes.size() < 3) return;
  const std::size_t begin = ring.size();
  VertexId at = spokes[0].from;
  for (std::size_t i = 0; i < spokes.size(); ++i) {
    const auto next = std::find_if(spokes.begin(), spokes.end(), [at](const Spoke& s) { return s.from == at; });
    if (next == spokes.end()) break;
    ring.push_back(at);
    at = next->to;
    next->from = VertexId{};  // used
  }
  // Closed, and every face used: the start can come again only at the end, because each spoke is used once.
  std::vector<VertexId> seen(ring.begin() + static_cast<std::ptrdiff_t>(begin), ring.end());
  std::sort(seen.begin(), seen.end());
  const bool repeats = std::adjacent_find(seen.begin(), seen.end()) != seen.end();
  if (ring.size() - begin != spokes.size() || at != ring[begin] || repeats) ring.resize(begin);
}

}  // namespace

VertexRings::VertexRings(const TriangleMesh& mesh) {
  offsets_.reserve(mesh.vertex_count() + 1);
  offsets_.push_back(0);
  neighbours_.reserve(3 * mesh.face_count());
  std::vector<Spoke> spokes;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    append_ring(mesh, VertexId(v), spokes, neighbours_);
    offsets_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  }
}

}  // namespace pliant
