// Boxes of vertices over a swept of a segment, from the floats of CcdVertices; three lanes are used.
#pragma once

#include "pliant/ccd/filter.h"
#include "pliant/core/bit_cast.h"
#include "pliant/core/simd.h"
#include "pliant/detect/moving/swept_tree.h"

namespace pliant {

struct VertexBox {
  simd::Float4 lo;
  simd::Float4 hi;

  void add(const VertexBox& other) {
    lo = simd::min(lo, other.lo);
    hi = simd::max(hi, other.hi);
  }
  Aabb box() const { return {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}}; }
};

// Positions at both ends; what is in the fourth lanes means nothing here.
struct VertexMotion {
  simd::Float4 x_t0;
  simd::Float4 x_t1;
};

// The whole motion.
struct WholeVertexBox {
  const ccd::FloatVertex* vertices;

  VertexBox operator()(std::uint32_t v) const {
    const auto [x_t0, x_t1] = pliant::bit_cast<VertexMotion>(vertices[v]);
    return {simd::min(x_t0, x_t1), simd::max(x_t0, x_t1)};
  }
};

// Up to a limit, with a margin around it. Holds the nearest floats to all positions up to there: let M = |x_t0| +
// |x_t1| and u = 2^-24. Rounding x_t0 and x_t1 moves the position at the limit by at most u M, the difference, its
// product with the limit and the sum err by at most u M each, the nearest float is off by at most u M, and the
// subtraction of the slack by u M again: 8 u M covers these 6 and the rounding of the slack itself.
class LimitedVertexBox {
 public:
  LimitedVertexBox(const ccd::FloatVertex* vertices, const SweptExtent& extent)
      : vertices_(vertices),
        limit_(round_up(extent.limit)),
        margin_(extent.min_separation > 0 ? round_up(0.5 * extent.min_separation) * (1 + 0x1p-20f) : 0.0f) {}

  VertexBox operator()(std::uint32_t v) const {
    const auto [x_t0, x_t1] = pliant::bit_cast<VertexMotion>(vertices_[v]);
    const simd::Float4 sizes = simd::abs(x_t0) + simd::abs(x_t1);
    VertexBox box{simd::min(x_t0, x_t1), simd::max(x_t0, x_t1)};
    if (limit_ < 1) {
      const simd::Float4 end = x_t0 + (x_t1 - x_t0) * limit_;
      const simd::Float4 slack = sizes * 0x1p-21f + 0x1p-140f;
      const VertexBox swept{simd::min(x_t0, end - slack), simd::max(x_t0, end + slack)};
      box = {where_number(swept.lo, swept.lo, box.lo), where_number(swept.hi, swept.hi, box.hi)};
    }
    if (margin_ > 0) {
      const simd::Float4 slack = sizes * 0x1p-22f + 0x1p-140f + margin_;
      const simd::Float4 inf = simd::Float4{} + Aabb::kInf;
      box = {where_number(box.lo - slack, box.lo - slack, -inf), where_number(box.hi + slack, box.hi + slack, inf)};
    }
    return box;
  }

 private:
  // Coordinates beyond the range of float make infinities and their differences.
  static simd::Float4 where_number(simd::Float4 test, simd::Float4 yes, simd::Float4 no) {
    return simd::select(test == test, yes, no);  // NOLINT(misc-redundant-expression): false for NaN
  }

  const ccd::FloatVertex* vertices_;
  float limit_;
  float margin_;
};

}  // namespace pliant
