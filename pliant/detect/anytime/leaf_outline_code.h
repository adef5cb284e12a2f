// The loops of leaf_outline.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/anytime/leaf_outline.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::leaf_outline::PLIANT_SIMD_TARGET {
namespace {

using simd::Float4;

PLIANT_SIMD_INLINE Float4 load4(const float* p) {
  Float4 four;
  __builtin_memcpy(&four, p, sizeof four);
  return four;
}
PLIANT_SIMD_INLINE Float4 all(float x) { return Float4{x, x, x, x}; }

// Where the vertices are, four numbers each.
PLIANT_SIMD_INLINE void put(const LeafOutlines& leaves, const CageView& cage, float (*x)[4]) {
  const float* w = leaves.weights;
  for (const LeafOutlines::Run* run = leaves.first_run; run != leaves.last_run; ++run) {
    const std::uint32_t* const corners = cage.tets + std::size_t{4} * run->tet;
    const Float4 origin = load4(cage.positions + std::size_t{4} * corners[0]);
    const Float4 e1 = load4(cage.positions + std::size_t{4} * corners[1]) - origin;
    const Float4 e2 = load4(cage.positions + std::size_t{4} * corners[2]) - origin;
    const Float4 e3 = load4(cage.positions + std::size_t{4} * corners[3]) - origin;
    for (std::uint32_t i = 0; i < run->count; ++i, w += 3, ++x) {
      const Float4 at = e1 * all(w[0]) + e2 * all(w[1]) + e3 * all(w[2]) + origin;
      __builtin_memcpy(*x, &at, sizeof at);
    }
  }
}

}  // namespace

void bound(const LeafOutlines& leaves, const CageView& cage, float* boxes) {
  alignas(16) float x[LeafOutlines::kMostVertices][4];
  put(leaves, cage, x);
  const Float4 margin = all(leaves.margin * cage.largest);
  const std::uint8_t* next = leaves.vertices;
  for (std::uint32_t i = 0; i < leaves.leaf_count; ++i) {
    Float4 lo = load4(x[*next]), hi = lo;
    for (const std::uint8_t* const end = next + leaves.counts[i]; next != end; ++next) {
      const Float4 at = load4(x[*next]);
      lo = simd::min(lo, at);
      hi = simd::max(hi, at);
    }
    lo = lo - margin;
    hi = hi + margin;
    for (int k = 0; k < 3; ++k) {
      boxes[8 * k + leaves.lanes[i]] = lo[k];
      boxes[24 + 8 * k + leaves.lanes[i]] = hi[k];
    }
  }
}

}  // namespace pliant::leaf_outline::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
