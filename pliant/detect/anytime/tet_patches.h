// Patches of the nodes of a tree, made and bounded.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/aabb.h"
#include "pliant/core/simd.h"
#include "pliant/detect/anytime/tet_patch.h"
#include "pliant/motion/embedding.h"

namespace pliant {

// Coarse positions, in float, times a power of two that puts them where differences neither overflow nor vanish.
struct ScaledCage {
  std::vector<simd::Float4> positions;
  double scale = 1;
  float largest = 0;  // coordinate, scaled, or more; not 0
};
// For loops over it.
CageView view_of(const ScaledCage& cage, std::span<const Tet> tets);
// TetPatch::margin for weights whose sizes (1 + |w1| + |w2| + |w3|) are no larger than this.
float patch_margin(double size);
// The box of some patches, scaled.
Aabb box_of(std::span<const TetPatch> patches, const ScaledCage& cage, std::span<const Tet> tets);

// Makes the patches of one node after the other, vertex by vertex: every vertex is first seen, then, when all cells
// have been turned, measured, then outlined. A *cell* is a tetrahedron that holds something of the node.
class TetPatchFitter {
 public:
  explicit TetPatchFitter(const BarycentricEmbedding& embedding);
  // Makes itself ready for that many tetrahedra, all of them before anything else is asked.
  void grow(std::size_t tets);

  void start();  // another node
  void see(VertexId v);
  std::size_t cell_count() const { return count_; }
  void turn(std::size_t cell);
  void measure(VertexId v);
  void outline(VertexId v);
  // One, or more if it has few vertices.
  void add_patches(std::size_t cell, std::vector<TetPatch>& patches) const;

 private:
  using Matrix3 = Eigen::Matrix3d;
  struct Cell {
    std::uint32_t tet = 0;
    Matrix3 edges;  // of the tetrahedron at rest, from its corner 0
    // Positions at rest, from that of the first: their number, sum, and sum of squares.
    Vec3 first = Vec3::Zero();
    double count = 0;
    Vec3 sum = Vec3::Zero();
    Matrix3 squares = Matrix3::Zero();
    // From weights to coordinates in a frame that lies along the vertices, and back.
    Matrix3 turned = Matrix3::Identity();
    Matrix3 back = Matrix3::Identity();
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();
    double lost = 0;  // of weights, by turning there and back
    // In units of the half extents: how far they go along both axes together, by signs.
    double diagonal[2][2] = {{0, 0}, {0, 0}};
    std::size_t kept = 0;
    std::vector<Vec3> few;  // weights, as long as there are not more
  };
  Cell& cell_of(VertexId v) { return cells_[cell_of_[embedding_.anchors()[v.index()].tet.index()]]; }
  static void add_points(const Cell& cell, std::vector<TetPatch>& patches);
  static TetPatch octagon(const Cell& cell);
  static Vec3 in_outline(const Cell& cell, double x, double y);
  Vec3 weights(VertexId v) const {
    const auto& w = embedding_.anchors()[v.index()].weights;
    return {w[1], w[2], w[3]};
  }

  const BarycentricEmbedding& embedding_;
  std::vector<Cell> cells_;
  std::size_t count_ = 0;
  std::uint32_t node_ = 0;
  std::vector<std::uint32_t> node_of_, cell_of_;  // by tetrahedron
};

}  // namespace pliant
