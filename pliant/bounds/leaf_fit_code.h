// The loops of leaf_fit.h, compiled for each target.
#pragma once

#include "pliant/bounds/leaf_fit.h"
#include "pliant/core/simd.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::leaf_fit::PLIANT_SIMD_TARGET {
namespace {

using simd::Double4;
using simd::Float4;
using simd::Int4;

PLIANT_SIMD_INLINE Float4 load4(const float* p) {
  Float4 four;
  __builtin_memcpy(&four, p, sizeof four);
  return four;
}

// Writes three bounds and leaves the fourth word of `to` as it is. One store of all four: a later load of 16 bytes
// would have to wait for several smaller ones.
PLIANT_SIMD_INLINE void store_three(float* to, Float4 bounds) {
  const Float4 all = simd::select(Int4{-1, -1, -1, 0}, bounds, load4(to));
  __builtin_memcpy(to, &all, sizeof all);
}

// Runs under RoundingDown.
template <bool kBothEnds, bool kAsk>
__attribute__((noinline)) void fit(const Leaves& leaves, const Positions& positions, const Nodes& nodes) {
  const double* const x0 = positions.x_t0;
  const double* const x1 = positions.x_t1;
  const std::uint32_t* next = leaves.vertices;
  for (const Leaf* leaf = leaves.first; leaf != leaves.last; ++leaf) {
    const std::uint32_t* const end = leaves.list + leaf->end;
    Double4 lo(__builtin_inf());
    Double4 hi(-__builtin_inf());
    do {
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        if (kAsk) __builtin_prefetch(x0 + next[kAhead + k]);
        if (kAsk && kBothEnds) __builtin_prefetch(x1 + next[kAhead + k]);
      }
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        const Double4 a = simd::load_three(x0 + next[k]);
        lo = simd::min(lo, a);
        hi = simd::max(hi, a);
        if (!kBothEnds) continue;
        const Double4 b = simd::load_three(x1 + next[k]);
        lo = simd::min(lo, b);
        hi = simd::max(hi, b);
      }
      next += kGroup;
    } while (next != end);
    float* const node = nodes.words + nodes.stride * leaf->node;
    store_three(node, simd::narrow_down(lo));
    store_three(node + 4, -simd::narrow_down(-hi));
  }
}

}  // namespace

void fit_leaves(const Leaves& leaves, const Positions& positions, const Nodes& nodes) {
  const bool both_ends = positions.x_t0 != positions.x_t1;
  const auto run = positions.in_cache ? (both_ends ? fit<true, false> : fit<false, false>)
                                      : (both_ends ? fit<true, true> : fit<false, true>);
  const simd::RoundingDown rounding;
  run(leaves, positions, nodes);
}

void unite_children(const std::uint32_t* first, const std::uint32_t* last, const Nodes& nodes) {
  for (; first != last; ++first) {
    float* const node = nodes.words + nodes.stride * *first;
    std::uint32_t child;
    __builtin_memcpy(&child, node + 3, sizeof child);
    const float* const left = nodes.words + nodes.stride * child;
    const float* const right = left + nodes.stride;
    store_three(node, simd::min(load4(left), load4(right)));
    store_three(node + 4, simd::max(load4(left + 4), load4(right + 4)));
  }
}

}  // namespace pliant::leaf_fit::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
