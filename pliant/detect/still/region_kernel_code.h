// The loops of region_kernel.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/still/region_kernel.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::region_kernel::PLIANT_SIMD_TARGET {
namespace {

using simd::Float4;
using simd::Float8;
using simd::Index8;
using simd::Mask8;

// Every vertex of the region once, not once for each of the six faces around it: rounded down, then up. Runs under
// RoundingDown.
__attribute__((noinline)) void round_vertices(const FaceFit& fit) {
  float* const up = fit.scratch + 4 * std::size_t{fit.vertex_count};
  for (std::uint32_t v = 0; v < fit.vertex_count; ++v) {
    const simd::Double4 x = simd::load_three(fit.positions + fit.vertices[v]);
    const Float4 lo = simd::narrow_down(x), hi = -simd::narrow_down(-x);
    __builtin_memcpy(fit.scratch + 4 * std::size_t{v}, &lo, sizeof lo);
    __builtin_memcpy(up + 4 * std::size_t{v}, &hi, sizeof hi);
  }
}

PLIANT_SIMD_INLINE void fit_eight(const FaceFit& fit, std::uint32_t face) {
  const float* const up = fit.scratch + 4 * std::size_t{fit.vertex_count};
  simd::Rows8 lo = simd::load_rows(fit.scratch, fit.corners[0] + face);
  simd::Rows8 hi = simd::load_rows(up, fit.corners[0] + face);
  for (int k = 1; k < 3; ++k) {
    const simd::Rows8 l = simd::load_rows(fit.scratch, fit.corners[k] + face);
    const simd::Rows8 h = simd::load_rows(up, fit.corners[k] + face);
    lo.x = simd::min(lo.x, l.x);
    lo.y = simd::min(lo.y, l.y);
    lo.z = simd::min(lo.z, l.z);
    hi.x = simd::max(hi.x, h.x);
    hi.y = simd::max(hi.y, h.y);
    hi.z = simd::max(hi.z, h.z);
  }
  simd::store(fit.bounds[0] + face, lo.x);
  simd::store(fit.bounds[1] + face, lo.y);
  simd::store(fit.bounds[2] + face, lo.z);
  simd::store(fit.bounds[3] + face, hi.x);
  simd::store(fit.bounds[4] + face, hi.y);
  simd::store(fit.bounds[5] + face, hi.z);
}

PLIANT_SIMD_INLINE float smaller(float a, float b) { return a < b ? a : b; }
PLIANT_SIMD_INLINE float larger(float a, float b) { return a > b ? a : b; }

void fit_one(const FaceFit& fit, std::uint32_t face) {
  const float* const up = fit.scratch + 4 * std::size_t{fit.vertex_count};
  const std::size_t a = 4 * std::size_t{fit.corners[0][face]}, b = 4 * std::size_t{fit.corners[1][face]},
                    c = 4 * std::size_t{fit.corners[2][face]};
  for (std::size_t k = 0; k < 3; ++k) {
    fit.bounds[k][face] = smaller(smaller(fit.scratch[a + k], fit.scratch[b + k]), fit.scratch[c + k]);
    fit.bounds[3 + k][face] = larger(larger(up[a + k], up[b + k]), up[c + k]);
  }
}

struct Box {
  Float8 lo[3];
  Float8 hi[3];
};

PLIANT_SIMD_INLINE unsigned overlap(const float* const* bounds, std::uint32_t at, const Box& box) {
  Mask8 all = (simd::load(bounds[3] + at) >= box.lo[0]) & (box.hi[0] >= simd::load(bounds[0] + at));
  for (int k = 1; k < 3; ++k)
    all = all & (simd::load(bounds[3 + k] + at) >= box.lo[k]) & (box.hi[k] >= simd::load(bounds[k] + at));
  return simd::bits(all);
}

PLIANT_SIMD_INLINE Box box_of(const float* lo_hi) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = lo_hi[k];
    box.hi[k] = lo_hi[3 + k];
  }
  return box;
}
PLIANT_SIMD_INLINE Box box_at(const float* const* bounds, std::uint32_t at) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = bounds[k][at];
    box.hi[k] = bounds[3 + k][at];
  }
  return box;
}

// A box and all columns; how many pairs were written.
PLIANT_SIMD_INLINE std::uint32_t cross_row(const Box& box, std::uint32_t slot, const Columns& columns,
                                           std::uint32_t column_count, SlotPair* out) {
  const Index8 row(slot);
  std::uint32_t pairs = 0;
  for (std::uint32_t at = 0; at < column_count; at += kLanes) {
    unsigned lanes = overlap(columns.bounds, at, box);
    if (column_count - at < kLanes) lanes &= (1u << (column_count - at)) - 1;
    if (lanes == 0) continue;
    simd::Compressor(lanes).write(row, simd::load(columns.slots + at),
                                  reinterpret_cast<std::uint32_t(*)[2]>(out + pairs));
    pairs += static_cast<std::uint32_t>(__builtin_popcount(lanes));
  }
  return pairs;
}

PLIANT_SIMD_INLINE Index8 eight_from(std::uint32_t first) {
  std::uint32_t numbers[kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) numbers[i] = first + i;
  return simd::load(numbers);
}

}  // namespace

void fit_faces(const FaceFit& fit) {
  {
    const simd::RoundingDown rounding;
    round_vertices(fit);
  }
  std::uint32_t face = 0;
  for (; face + kLanes <= fit.face_count; face += kLanes) fit_eight(fit, face);
  for (; face < fit.face_count; ++face) fit_one(fit, face);
}

std::uint32_t clip(const BoxRows& boxes, std::uint32_t first, std::uint32_t last, const float* lo_hi,
                   const Clipped& out) {
  const Box box = box_of(lo_hi);
  std::uint32_t count = 0;
  for (; first < last; first += kLanes) {
    unsigned lanes = overlap(boxes.bounds, first, box);
    if (last - first < kLanes) lanes &= (1u << (last - first)) - 1;
    if (lanes == 0) continue;
    const simd::Compressor compressor(lanes);
    compressor.write(eight_from(first), out.slots + count);
    for (int k = 0; k < 6; ++k) compressor.write(simd::load(boxes.bounds[k] + first), out.bounds[k] + count);
    count += static_cast<std::uint32_t>(__builtin_popcount(lanes));
  }
  for (int k = 0; k < 6; ++k) simd::store(out.bounds[k] + count, Float8(k < 3 ? __builtin_inff() : -__builtin_inff()));
  return count;
}

void unite(const Clipped& boxes, std::uint32_t count, float* lo_hi) {
  for (int k = 0; k < 6; ++k) {
    Float8 bound = simd::load(boxes.bounds[k]);
    for (std::uint32_t at = kLanes; at < count; at += kLanes) {
      const Float8 more = simd::load(boxes.bounds[k] + at);
      bound = k < 3 ? simd::min(bound, more) : simd::max(bound, more);
    }
    float lanes[kLanes];
    simd::store(lanes, bound);
    lo_hi[k] = lanes[0];
    for (std::uint32_t i = 1; i < kLanes; ++i)
      lo_hi[k] = k < 3 ? smaller(lo_hi[k], lanes[i]) : larger(lo_hi[k], lanes[i]);
  }
}

Crossed cross(const Crossing& crossing, SlotPair* out) {
  Crossed done{crossing.first_row, 0};
  for (; done.rows < crossing.row_count; ++done.rows) {
    if (done.pairs + crossing.column_count + kLanes > crossing.room) break;
    const Box box = box_at(crossing.rows.bounds, done.rows);
    done.pairs +=
        cross_row(box, crossing.rows.slots[done.rows], crossing.columns, crossing.column_count, out + done.pairs);
  }
  return done;
}

Crossed cross_few(const FewCrossing& crossing, SlotPair* out) {
  const Box within = box_of(crossing.lo_hi);
  Crossed done;
  for (std::uint32_t first = crossing.first_row; first < crossing.last_row; first += kLanes) {
    unsigned rows = overlap(crossing.rows.bounds, first, within);
    if (crossing.last_row - first < kLanes) rows &= (1u << (crossing.last_row - first)) - 1;
    for (; rows != 0; rows &= rows - 1, ++done.rows) {
      const std::uint32_t row = first + static_cast<std::uint32_t>(__builtin_ctz(rows));
      done.pairs +=
          cross_row(box_at(crossing.rows.bounds, row), row, crossing.columns, crossing.column_count, out + done.pairs);
    }
  }
  return done;
}

}  // namespace pliant::region_kernel::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
