#include "pliant/bounds/sphere_tree/node_links.h"

#include <algorithm>
#include <map>

namespace pliant {
namespace {

void sort_unique(std::vector<VertexId>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

std::vector<VertexId> vertices_of(const SphereTree& tree, std::uint32_t node, const TriangleMesh& mesh) {
  std::vector<VertexId> vertices;
  for (const SurfacePiece& piece : tree.pieces(node))
    for (const VertexId v : mesh.triangle(piece.face)) vertices.push_back(v);
  sort_unique(vertices);
  return vertices;
}

}  // namespace

// add_node(vertices, coarse): appends to coarse what they hang on, and gives triples, reach and weight.
template <class AddNode>
void NodeLinks::fill(const SphereTree& tree, const TriangleMesh& mesh, AddNode&& add_node) {
  for (std::uint32_t node = 0; node < tree.spheres().size(); ++node) {
    reach_.push_back(0);
    weight_.push_back(1);
    if (tree.has(node)) {
      std::vector<VertexId> coarse;
      add_node(vertices_of(tree, node, mesh), coarse);
      sort_unique(coarse);
      coarse_.insert(coarse_.end(), coarse.begin(), coarse.end());
    }
    first_coarse_.push_back(static_cast<std::uint32_t>(coarse_.size()));
    first_triple_.push_back(static_cast<std::uint32_t>(triples_.size()));
  }
}

NodeLinks::NodeLinks(const SphereTree& tree, const TriangleMesh& mesh, const RigidLinks& links) {
  fill(tree, mesh, [&](const std::vector<VertexId>& vertices, std::vector<VertexId>& coarse) {
    std::map<std::uint32_t, double> reach;
    for (const VertexId v : vertices) {
      const RigidLink& link = links.links()[v.index()];
      double& most = reach[link.triple];
      most = std::max(most, fixed_length(link.offset) * (1 + 1e-15));
    }
    for (const auto& [triple, most] : reach) {
      reach_.back() = std::max(reach_.back(), most);
      if (reach.size() <= kMostTriples) triples_.push_back({triple, most});
      for (const VertexId q : links.triples()[triple]) coarse.push_back(q);
    }
  });
}

NodeLinks::NodeLinks(const SphereTree& tree, const TriangleMesh& mesh, const BarycentricEmbedding& embedding) {
  fill(tree, mesh, [&](const std::vector<VertexId>& vertices, std::vector<VertexId>& coarse) {
    for (const VertexId v : vertices) {
      const BarycentricEmbedding::Anchor& anchor = embedding.anchors()[v.index()];
      double sum = 0;
      for (const double w : anchor.weights) sum += std::abs(w);
      weight_.back() = std::max(weight_.back(), sum);
      for (const VertexId q : embedding.tets()[anchor.tet.index()]) coarse.push_back(q);
    }
  });
}

std::size_t NodeLinks::bytes() const {
  return coarse_.size() * sizeof(VertexId) + triples_.size() * sizeof(Triple) +
         (first_coarse_.size() + first_triple_.size()) * 4 + (reach_.size() + weight_.size()) * 8;
}

}  // namespace pliant
