// What of a coarse mesh each sphere of a tree hangs on.
#pragma once

#include "pliant/bounds/sphere_tree/sphere_tree.h"
#include "pliant/motion/embedding.h"

namespace pliant {

class NodeLinks {
 public:
  struct Triple {
    std::uint32_t triple = 0;
    double reach = 0;  // most that a dense vertex of the node is away from its place between the three
  };
  // Of a node with many triples only the farthest reach is kept.
  static constexpr std::size_t kMostTriples = 96;

  NodeLinks(const SphereTree& tree, const TriangleMesh& mesh, const RigidLinks& links);
  NodeLinks(const SphereTree& tree, const TriangleMesh& mesh, const BarycentricEmbedding& embedding);

  // Coarse vertices that some vertex of the node's faces hangs on, ascending.
  std::span<const VertexId> coarse(std::uint32_t node) const { return of(node, first_coarse_, coarse_); }
  std::span<const Triple> triples(std::uint32_t node) const {
    return of(node, first_triple_, triples_);
  }                                                                  // may be empty
  double reach(std::uint32_t node) const { return reach_[node]; }    // the farthest of all its triples
  double weight(std::uint32_t node) const { return weight_[node]; }  // largest sum of a vertex's weights, signs dropped
  std::size_t bytes() const;

 private:
  template <class T>
  std::span<const T> of(std::uint32_t node, const std::vector<std::uint32_t>& first, const std::vector<T>& all) const {
    return std::span(all).subspan(first[node], first[node + 1] - first[node]);
  }
  template <class AddNode>
  void fill(const SphereTree& tree, const TriangleMesh& mesh, AddNode&& add_node);

  std::vector<std::uint32_t> first_coarse_{0};
  std::vector<VertexId> coarse_;
  std::vector<std::uint32_t> first_triple_{0};
  std::vector<Triple> triples_;
  std::vector<double> reach_;
  std::vector<double> weight_;
};

}  // namespace pliant
