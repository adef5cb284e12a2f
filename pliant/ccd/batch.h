// Many pairs at once, as a tree traversal finds them: SIMD filters (filter.h) reject what is certainly apart, the rest
// goes through the solver of ccd.h. Answers are those of single queries, bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/ccd/ccd.h"
#include "pliant/ccd/filter.h"
#include "pliant/core/function_ref.h"
#include "pliant/core/parallel.h"

namespace pliant {

// The vertices of a body during one linear motion: the caller's positions, and 32 bytes a vertex that the filters read.
class CcdVertices {
 public:
  CcdVertices() = default;
  // Refers to the positions (as many at t = 1 as at t = 0), which must stay as they are while this is used.
  CcdVertices(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Threads threads = {1}) {
    assign(x_t0, x_t1, threads);
  }
  // The next step, reusing memory.
  void assign(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Threads threads = {1});

  std::span<const Vec3> x_t0() const { return x_t0_; }
  std::span<const Vec3> x_t1() const { return x_t1_; }
  const ccd::FloatVertex* floats() const { return floats_.data(); }

 private:
  std::span<const Vec3> x_t0_, x_t1_;
  std::vector<ccd::FloatVertex> floats_;
};

// Vertex indices. Vertex-face: v f0 f1 f2; edge-edge: a0 a1 b0 b1.
using CcdPair = std::array<std::uint32_t, 4>;

// All indices must be in range. Blocks of a few thousand pairs keep everything in the cache.
struct CcdBatch {
  CcdKind kind = CcdKind::vertex_face;
  const CcdVertices* first = nullptr;   // of the vertex, or of edge a
  const CcdVertices* second = nullptr;  // of the face, or of edge b; the same for one body against itself
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

  // The pairs that touch or may touch, in the order of `pairs`. Valid until the next call. `go_on`, if there is one, is
  // asked now and then whether to: pairs behind a no are not looked at, and finished() is false then.
  std::span<const CcdHit> solve(const CcdBatch& batch, const FunctionRef<bool()>* go_on = nullptr);
  bool finished() const { return finished_; }

  const CcdOptions& options() const { return options_; }

 private:
  CcdOptions options_;
  std::vector<CcdHit> hits_;
  bool finished_ = true;
};

}  // namespace pliant
