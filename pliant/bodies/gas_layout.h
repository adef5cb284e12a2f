// A closed surface of springs as its kernel goes through it: vertices in blocks of four with about as many neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/gas_kernel.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct GasSpring {
  std::uint32_t a, b;
  double length;  // at rest, m
  double stiffness;
};

// Immutable; safe to share between threads.
class GasLayout {
 public:
  // `edges`: one spring for each edge of the closed mesh, in the order of its topology; `others` join any vertices.
  GasLayout(const TriangleMesh& mesh, std::span<const GasSpring> edges, std::span<const GasSpring> others,
            double damping);

  std::size_t node_count() const { return vertex_of_.size(); }  // a multiple of the lanes
  std::uint32_t node_of(std::size_t vertex) const { return node_of_[vertex]; }
  gas::GasArrays arrays() const;

  // Nodes of vertices; those that only fill a block have infinite mass and touch nothing.
  std::vector<double> pack(std::span<const Vec3> x, std::span<const Vec3> v,
                           std::span<const double> inverse_masses) const;
  // Overwrites such nodes; says what was the same.
  struct Same {
    bool positions = true;
    bool velocities = true;
  };
  Same pack(std::span<const Vec3> x, std::span<const Vec3> v, std::span<const double> inverse_masses,
            std::span<double> nodes) const;

 private:
  struct Entry {
    std::uint32_t neighbour;
    double length = 1;
    double stiffness = -1;  // negative: no spring
  };
  struct Neighbours {
    std::vector<Entry> ring;  // ends of the edges in the order of the faces; several fans with the vertex between them
    std::vector<Entry> others;  // ends of other springs
  };
  static std::vector<Neighbours> neighbours_of(const TriangleMesh& mesh, std::span<const GasSpring> edges,
                                               std::span<const GasSpring> others);
  void add_block(std::span<const Neighbours> all, std::size_t block);

  std::vector<std::uint32_t> node_of_;    // by vertex
  std::vector<std::uint32_t> vertex_of_;  // by node; the number of vertices for fillers
  std::vector<std::uint32_t> first_, ring_, neighbour_;
  std::vector<double> length_, stiffness_;
  double damping_;
};

}  // namespace pliant
