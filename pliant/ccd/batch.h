// Many pairs at once, as a tree traversal finds them: SIMD filters reject what is certainly apart, the rest goes
// through the solver of ccd.h. Answers are those of single queries, bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/ccd/ccd.h"

namespace pliant {

// Positions of all vertices of a body at both ends of a linear motion; spans of equal length.
struct CcdPositions {
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;
};

// Vertex indices. Vertex-face: v f0 f1 f2; edge-edge: a0 a1 b0 b1.
using CcdPair = std::array<std::uint32_t, 4>;

// All indices must be in range. Blocks of a few thousand pairs keep everything in the cache.
struct CcdBatch {
  CcdKind kind = CcdKind::vertex_face;
  CcdPositions first;   // of the vertex, or of edge a
  CcdPositions second;  // of the face, or of edge b; the same spans for one body against itself
  std::span<const CcdPair> pairs;
  Interval interval = {0, 1};           // for all pairs, or
  std::span<const Interval> intervals;  // one a pair, if not empty
};

// A pair that is not `none`.
struct CcdHit {
  std::uint32_t pair = 0;  // index into CcdBatch::pairs
  CcdResult result;
};

// Keeps its buffers between calls; one for each thread.
class CcdBatchSolver {
 public:
  explicit CcdBatchSolver(const CcdOptions& options = {}) : options_(options) {}

  // The pairs that touch or may touch, in the order of `pairs`. Valid until the next call.
  std::span<const CcdHit> solve(const CcdBatch& batch);

  const CcdOptions& options() const { return options_; }

 private:
  CcdOptions options_;
  std::vector<CcdHit> hits_;
};

}  // namespace pliant
