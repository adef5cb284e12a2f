#include "pliant/detect/particles/free_particles.h"

#include "pliant/core/random.h"

namespace pliant {

std::vector<VertexId> random_vertices(const TriangleMesh& mesh, const VertexGraph& graph, std::uint32_t count,
                                      std::uint64_t seed) {
  std::vector<VertexId> walkable;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    if (!graph[VertexId(v)].empty()) walkable.emplace_back(v);
  std::vector<VertexId> chosen;
  if (walkable.empty()) return chosen;
  Random random(seed);
  for (std::uint32_t i = 0; i < count; ++i) chosen.push_back(walkable[random.below(walkable.size())]);
  return chosen;
}

void cut_areas(FreeBody& body, const TriangleMesh& mesh, const VertexGraph& graph) {
  constexpr std::uint32_t kNobody = 0xffffffffu;
  std::vector<std::uint32_t>& area = body.areas.region_of_vertex;
  area.assign(mesh.vertex_count(), kNobody);
  std::vector<VertexId> open;
  for (std::uint32_t i = 0; i < body.particles.size(); ++i) {
    if (area[body.particles[i].index()] != kNobody) continue;  // the area is that of the first that stands there
    area[body.particles[i].index()] = i;
    open.push_back(body.particles[i]);
  }
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const VertexId to : graph[open[next]])
      if (area[to.index()] == kNobody) {
        area[to.index()] = area[open[next].index()];
        open.push_back(to);
      }
  for (std::size_t v = 0; v < area.size(); ++v) {
    if (area[v] == kNobody) area[v] = area[mesh.welded(VertexId(v)).index()];
    if (area[v] == kNobody) area[v] = 0;
  }
  body.areas.region_count = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(body.particles.size()));
  body.table = RegionTable(mesh, body.areas, RegionFaces::touching);
}

}  // namespace pliant
