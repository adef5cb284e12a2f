#include "pliant/mesh/clip.h"

#include <cassert>
#include <map>

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

class Clipper {
 public:
  Clipper(const TriangleMesh& mesh, std::span<const double> values) : mesh_(mesh), values_(values) {
    assert(values.size() == mesh.vertex_count());
    new_index_.resize(mesh.vertex_count());
    std::vector<bool> used(mesh.vertex_count(), false);
    for (const Triangle& t : mesh.triangles())
      for (const VertexId v : t) used[v.index()] = true;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      if (!used[v] || !kept(VertexId(v))) continue;
      new_index_[v] = VertexId(positions_.size());
      positions_.push_back(mesh.position(VertexId(v)));
    }
  }

  MeshPtr clip() && {
    for (const Triangle& t : mesh_.triangles()) add(t);
    return std::make_shared<const TriangleMesh>(std::move(positions_), std::move(triangles_),
                                                MeshOrigin{.name = mesh_.origin().name});
  }

 private:
  bool kept(VertexId v) const { return values_[v.index()] <= 0; }

  // The corners of what is left, in order: three or four of them.
  void add(const Triangle& t) {
    std::vector<VertexId> left;
    for (std::size_t i = 0; i < 3; ++i) {
      const VertexId a = t[i], b = t[(i + 1) % 3];
      if (kept(a)) left.push_back(new_index_[a.index()]);
      // A vertex on the cut is its own crossing.
      if (kept(a) != kept(b) && values_[a.index()] != 0 && values_[b.index()] != 0) left.push_back(crossing(a, b));
    }
    for (std::size_t i = 2; i < left.size(); ++i) triangles_.push_back({left[0], left[i - 1], left[i]});
  }

  VertexId crossing(VertexId a, VertexId b) {
    const Edge edge = a < b ? Edge{a, b} : Edge{b, a};
    const auto [entry, is_new] = crossings_.try_emplace(edge, VertexId(positions_.size()));
    if (is_new) {
      const double va = values_[edge[0].index()], vb = values_[edge[1].index()];
      const Vec3 &pa = mesh_.position(edge[0]), &pb = mesh_.position(edge[1]);
      positions_.push_back(pa + va / (va - vb) * (pb - pa));
    }
    return entry->second;
  }

  const TriangleMesh& mesh_;
  std::span<const double> values_;
  std::vector<VertexId> new_index_;  // of kept vertices in the result
  std::map<Edge, VertexId> crossings_;
  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
};

}  // namespace

MeshPtr clip_mesh(const TriangleMesh& mesh, std::span<const double> values) { return Clipper(mesh, values).clip(); }

}  // namespace pliant
