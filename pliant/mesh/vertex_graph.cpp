#include "pliant/mesh/vertex_graph.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr std::uint32_t kNoPart = 0xffffffffu;

// Edges between different welded vertices, ascending, each once.
std::vector<Edge> welded_edges(const TriangleMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(mesh.topology().edges().size());
  for (const Edge& e : mesh.topology().edges()) {
    const VertexId a = mesh.welded(e[0]), b = mesh.welded(e[1]);
    if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
  }
  if (mesh.weld_copies().empty()) return edges;
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

// Such that squares of what is left neither overflow nor vanish.
double largest_coordinate(std::span<const Vec3> positions) {
  double largest = 0;
  for (const Vec3& p : positions) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  return largest;
}

}  // namespace

VertexGraph vertex_graph(const TriangleMesh& mesh) {
  const std::vector<Edge> edges = welded_edges(mesh);
  // Of ascending edges, the lower neighbours of a vertex come in order, then the upper ones do.
  return VertexGraph::build(mesh.vertex_count(), [&](auto&& add) {
    for (const Edge& e : edges) add(e[1], e[0]);
    for (const Edge& e : edges) add(e[0], e[1]);
  });
}

std::vector<Vec3> vertex_normals(const PosedMesh& posed) {
  const TriangleMesh& mesh = *posed.mesh;
  std::vector<Vec3> normals(mesh.vertex_count(), Vec3::Zero());
  const double unit = largest_coordinate(posed.positions);
  if (unit == 0) return normals;
  for (const Triangle& t : mesh.triangles()) {
    std::array<Vec3, 3> x;
    for (std::size_t i = 0; i < 3; ++i) x[i] = posed.positions[t[i].index()] / unit;
    const Vec3 cross = (x[1] - x[0]).cross(x[2] - x[0]);
    const std::array<double, 3> length_sq{(x[2] - x[1]).squaredNorm(), (x[0] - x[2]).squaredNorm(),
                                          (x[1] - x[0]).squaredNorm()};
    for (std::size_t i = 0; i < 3; ++i) {
      const double weight = length_sq[(i + 1) % 3] * length_sq[(i + 2) % 3];
      if (weight > 0) normals[mesh.welded(t[i]).index()] += cross / weight;
    }
  }
  for (Vec3& n : normals) {
    const double largest = n.cwiseAbs().maxCoeff();
    n = largest > 0 && std::isfinite(largest) ? Vec3((n / largest).normalized()) : Vec3(Vec3::Zero());
  }
  for (const VertexId v : mesh.weld_copies()) normals[v.index()] = normals[mesh.welded(v).index()];
  return normals;
}

GraphParts graph_parts(const TriangleMesh& mesh, const VertexGraph& graph, std::span<const std::uint32_t> label) {
  GraphParts parts;
  parts.part_of_vertex.assign(mesh.vertex_count(), kNoPart);
  std::vector<VertexId> open;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    if (parts.part_of_vertex[v] != kNoPart || mesh.welded(VertexId(v)) != VertexId(v)) continue;
    parts.part_of_vertex[v] = parts.count;
    open.assign(1, VertexId(v));
    while (!open.empty()) {
      const VertexId from = open.back();
      open.pop_back();
      for (const VertexId to : graph[from]) {
        if (parts.part_of_vertex[to.index()] != kNoPart || label[to.index()] != label[v]) continue;
        parts.part_of_vertex[to.index()] = parts.count;
        open.push_back(to);
      }
    }
    ++parts.count;
  }
  for (const VertexId v : mesh.weld_copies())
    parts.part_of_vertex[v.index()] = parts.part_of_vertex[mesh.welded(v).index()];
  return parts;
}

}  // namespace pliant
