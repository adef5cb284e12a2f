// The only door to SIMD: vectors of eight floats, in AVX2 where the file is compiled for it, in halves of 16 bytes
// (SSE2, WebAssembly, NEON or plain code, as the compiler sees fit) everywhere else.
//
// A kernel is written once, in a header inside `namespace pliant::...::PLIANT_SIMD_TARGET`, and compiled twice: CMake's
// pliant_simd_sources makes a portable and an AVX2 source of it. Callers choose with use_avx2() (core/cpu.h). The
// namespace keeps the two apart. A kernel file must not call inline functions of other headers (std:: algorithms and
// containers, Eigen): the linker keeps one copy of those, and it could be the AVX2 one.
//
// All operations round as IEEE 754 asks and nothing is fused, so both targets compute the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#if defined(__AVX2__)
#define PLIANT_SIMD_TARGET avx2
#else
#define PLIANT_SIMD_TARGET portable
#endif

#define PLIANT_SIMD_INLINE __attribute__((always_inline)) inline
#define PLIANT_SIMD_INLINE_LAMBDA __attribute__((always_inline))

namespace pliant::simd {
inline namespace PLIANT_SIMD_TARGET {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Double2 = double __attribute__((vector_size(16)));
using Long2 = long long __attribute__((vector_size(16)));

PLIANT_SIMD_INLINE Float4 select(Int4 mask, Float4 a, Float4 b) {
#if defined(__wasm_simd128__)
  return (Float4)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)mask);
#else
  return (Float4)((mask & (Int4)a) | (~mask & (Int4)b));
#endif
}
// a < b ? a : b, hence b if one of them is not a number; max likewise.
PLIANT_SIMD_INLINE Float4 min(Float4 a, Float4 b) {
#if defined(__SSE2__)
  return (Float4)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__wasm_simd128__)
  return (Float4)wasm_f32x4_pmin((v128_t)b, (v128_t)a);  // its second argument if that is less than the first
#else
  return select(a < b, a, b);
#endif
}
PLIANT_SIMD_INLINE Float4 max(Float4 a, Float4 b) {
#if defined(__SSE2__)
  return (Float4)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__wasm_simd128__)
  return (Float4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#else
  return select(a > b, a, b);
#endif
}
PLIANT_SIMD_INLINE Float4 abs(Float4 a) { return (Float4)((Int4)a & 0x7fffffff); }
PLIANT_SIMD_INLINE Float4 sqrt(Float4 a) {
#if defined(__SSE2__)
  return (Float4)_mm_sqrt_ps((__m128)a);
#elif defined(__wasm_simd128__)
  return (Float4)wasm_f32x4_sqrt((v128_t)a);
#else
  return Float4{__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]), __builtin_sqrtf(a[3])};
#endif
}
// Bit i: lane i of the mask is set.
PLIANT_SIMD_INLINE unsigned bits(Int4 mask) {
#if defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_ps((__m128)mask));
#elif defined(__wasm_simd128__)
  return static_cast<unsigned>(wasm_i32x4_bitmask((v128_t)mask));
#else
  return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8);
#endif
}

PLIANT_SIMD_INLINE Double2 min(Double2 a, Double2 b) {
#if defined(__SSE2__)
  return (Double2)_mm_min_pd((__m128d)a, (__m128d)b);
#elif defined(__wasm_simd128__)
  return (Double2)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
#else
  return Double2{a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
#endif
}
PLIANT_SIMD_INLINE Double2 max(Double2 a, Double2 b) {
#if defined(__SSE2__)
  return (Double2)_mm_max_pd((__m128d)a, (__m128d)b);
#elif defined(__wasm_simd128__)
  return (Double2)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
#else
  return Double2{a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
#endif
}

// The largest floats not above a[0], a[1], b[0], b[1].
//
// Rounds to nearest, then steps down where that went up. The float before a positive one has its bits minus one, that
// before a negative one its bits plus one; +0 never has to step, because negative numbers that round to zero give -0.
PLIANT_SIMD_INLINE Float4 round_down(Double2 a, Double2 b) {
#if defined(__SSE2__)
  const __m128 f = _mm_movelh_ps(_mm_cvtpd_ps((__m128d)a), _mm_cvtpd_ps((__m128d)b));
  const __m128d up_a = _mm_cmpgt_pd(_mm_cvtps_pd(f), (__m128d)a);
  const __m128d up_b = _mm_cmpgt_pd(_mm_cvtps_pd(_mm_movehl_ps(f, f)), (__m128d)b);
  const Int4 up = (Int4)_mm_shuffle_ps(_mm_castpd_ps(up_a), _mm_castpd_ps(up_b), _MM_SHUFFLE(2, 0, 2, 0));
#elif defined(__wasm_simd128__)
  const v128_t fa = wasm_f32x4_demote_f64x2_zero((v128_t)a), fb = wasm_f32x4_demote_f64x2_zero((v128_t)b);
  const v128_t f = wasm_i64x2_shuffle(fa, fb, 0, 2);
  const v128_t up_a = wasm_f64x2_gt(wasm_f64x2_promote_low_f32x4(fa), (v128_t)a);
  const v128_t up_b = wasm_f64x2_gt(wasm_f64x2_promote_low_f32x4(fb), (v128_t)b);
  const Int4 up = (Int4)wasm_i32x4_shuffle(up_a, up_b, 0, 2, 4, 6);
#else
  const Float4 f{static_cast<float>(a[0]), static_cast<float>(a[1]), static_cast<float>(b[0]),
                 static_cast<float>(b[1])};
  const Int4 up{-(f[0] > a[0]), -(f[1] > a[1]), -(f[2] > b[0]), -(f[3] > b[1])};
#endif
  const Int4 as_bits = (Int4)f;
  const Int4 one_down = (as_bits >> 31) | 1;
  return (Float4)(as_bits - (one_down & up));
}
PLIANT_SIMD_INLINE Float4 round_up(Double2 a, Double2 b) { return -round_down(-a, -b); }

// While it lives, narrow_down() gives the largest floats not above its argument, at the price of one instruction. The
// compiler does not know of it: what narrows must stand in a function of its own that is never inlined.
class RoundingDown {
 public:
#if defined(__SSE2__)
  RoundingDown() { _mm_setcsr((before_ & ~0x6000u) | 0x2000u); }
  ~RoundingDown() { _mm_setcsr(before_); }
#else
  RoundingDown() = default;
#endif
  RoundingDown(const RoundingDown&) = delete;
  RoundingDown& operator=(const RoundingDown&) = delete;

 private:
#if defined(__SSE2__)
  unsigned before_ = _mm_getcsr();
#endif
};

}  // namespace PLIANT_SIMD_TARGET
}  // namespace pliant::simd

// The same names in both: Mask8, Float8, Index8, Double4, Mask4, Compressor, Columns8, Rows8.
#if defined(__AVX2__)
#include "pliant/core/simd_avx2.h"
#else
#include "pliant/core/simd_halves.h"
#endif
