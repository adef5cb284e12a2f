// What a node of a tree has in each tetrahedron of the cage that its surface follows, as a box of any direction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/simd.h"
#include "pliant/motion/embedding.h"

namespace pliant {

// Vertices of one tetrahedron q, in the weights of its corners 1 to 3: inside of
//   q0 + sum_i w_i (q_i - q0),  w = middle + sum_k t_k axis_k,  |t_k| <= 1,  t_0^2 + t_1^2 <= round^2.
// However the tetrahedron deforms they stay there, so that a thin patch of surface has a thin box for ever. A line of
// the cache.
struct alignas(64) TetPatch {
  float middle[3];
  float axis[3][3];  // the last one is the thinnest
  float round;
  float margin;  // times the largest coarse coordinate: more than all rounding, here and where it is used
  std::uint32_t tet;
};

// Coarse positions, in float, times a power of two that puts them where squares neither overflow nor vanish.
struct ScaledCage {
  std::vector<simd::Float4> positions;
  double scale = 1;
  float largest = 0;  // coordinate, scaled, or more; not 0

  // The box of some patches, scaled, in three lanes.
  struct Box {
    simd::Float4 lo;
    simd::Float4 hi;
  };
  Box box(std::span<const TetPatch> patches, std::span<const Tet> tets) const;
};

// Makes the patches of one node after the other, vertex by vertex: every vertex is first seen, then, when all cells
// have been turned, measured, then rounded. A *cell* is a tetrahedron that holds something of the node.
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
  void round(VertexId v);
  TetPatch patch(std::size_t cell) const;

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
    double lost = 0;      // of weights, by turning there and back
    double round_sq = 0;  // in units of the half extents
  };
  Cell& cell_of(VertexId v) { return cells_[cell_of_[embedding_.anchors()[v.index()].tet.index()]]; }
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
