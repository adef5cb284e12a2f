// The innermost test of every traversal: do two boxes with four lanes a corner overlap?
#pragma once

#include "pliant/bounds/aabb_tree.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pliant {

// Branch-free over the three axes; the fourth lane (first, count) is ignored.
inline bool boxes_overlap(const AabbNode& a, const AabbNode& b) {
#if defined(__SSE2__)
  const __m128 a_lo = _mm_load_ps(a.lo.data());
  const __m128 a_hi = _mm_load_ps(a.hi.data());
  const __m128 b_lo = _mm_load_ps(b.lo.data());
  const __m128 b_hi = _mm_load_ps(b.hi.data());
  const __m128 overlap = _mm_and_ps(_mm_cmple_ps(a_lo, b_hi), _mm_cmple_ps(b_lo, a_hi));
  return (_mm_movemask_ps(overlap) & 7) == 7;
#else
  return (a.lo[0] <= b.hi[0]) & (b.lo[0] <= a.hi[0]) & (a.lo[1] <= b.hi[1]) & (b.lo[1] <= a.hi[1]) &
         (a.lo[2] <= b.hi[2]) & (b.lo[2] <= a.hi[2]);
#endif
}

}  // namespace pliant
