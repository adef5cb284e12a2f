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

#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
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

// ---- four lanes ----

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Double2 = double __attribute__((vector_size(16)));

PLIANT_SIMD_INLINE Float4 select(Int4 mask, Float4 a, Float4 b) {
  return (Float4)((mask & (Int4)a) | (~mask & (Int4)b));
}
// a < b ? a : b, hence b if one of them is not a number; max likewise.
PLIANT_SIMD_INLINE Float4 min(Float4 a, Float4 b) {
#if defined(__SSE2__)
  return (Float4)_mm_min_ps((__m128)a, (__m128)b);
#else
  return select(a < b, a, b);
#endif
}
PLIANT_SIMD_INLINE Float4 max(Float4 a, Float4 b) {
#if defined(__SSE2__)
  return (Float4)_mm_max_ps((__m128)a, (__m128)b);
#else
  return select(a > b, a, b);
#endif
}
PLIANT_SIMD_INLINE Float4 abs(Float4 a) { return (Float4)((Int4)a & 0x7fffffff); }
PLIANT_SIMD_INLINE Float4 sqrt(Float4 a) {
#if defined(__SSE2__)
  return (Float4)_mm_sqrt_ps((__m128)a);
#else
  return Float4{__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]), __builtin_sqrtf(a[3])};
#endif
}
// Bit i: lane i of the mask is set.
PLIANT_SIMD_INLINE unsigned bits(Int4 mask) {
#if defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_ps((__m128)mask));
#else
  return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8);
#endif
}

PLIANT_SIMD_INLINE Double2 min(Double2 a, Double2 b) {
#if defined(__SSE2__)
  return (Double2)_mm_min_pd((__m128d)a, (__m128d)b);
#else
  return Double2{a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
#endif
}
PLIANT_SIMD_INLINE Double2 max(Double2 a, Double2 b) {
#if defined(__SSE2__)
  return (Double2)_mm_max_pd((__m128d)a, (__m128d)b);
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
#else
  const Float4 f{static_cast<float>(a[0]), static_cast<float>(a[1]), static_cast<float>(b[0]),
                 static_cast<float>(b[1])};
  const Int4 up{-(f[0] > a[0]), -(f[1] > a[1]), -(f[2] > b[0]), -(f[3] > b[1])};
#endif
  const Int4 as_bits = (Int4)f;
  const Int4 step = (as_bits >> 31) | 1;
  return (Float4)(as_bits - (step & up));
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

#if defined(__AVX2__)

// ---- AVX2: one register each ----

struct Mask8 {
  __m256 v;
};
PLIANT_SIMD_INLINE Mask8 operator&(Mask8 a, Mask8 b) { return {_mm256_and_ps(a.v, b.v)}; }
PLIANT_SIMD_INLINE Mask8 operator|(Mask8 a, Mask8 b) { return {_mm256_or_ps(a.v, b.v)}; }
PLIANT_SIMD_INLINE unsigned bits(Mask8 a) { return static_cast<unsigned>(_mm256_movemask_ps(a.v)); }

struct Float8 {
  __m256 v;
  Float8() = default;
  PLIANT_SIMD_INLINE Float8(__m256 x) : v(x) {}                 // NOLINT(google-explicit-constructor): same thing
  PLIANT_SIMD_INLINE Float8(float x) : v(_mm256_set1_ps(x)) {}  // NOLINT(google-explicit-constructor): constants
};
PLIANT_SIMD_INLINE Float8 operator+(Float8 a, Float8 b) { return _mm256_add_ps(a.v, b.v); }
PLIANT_SIMD_INLINE Float8 operator-(Float8 a, Float8 b) { return _mm256_sub_ps(a.v, b.v); }
PLIANT_SIMD_INLINE Float8 operator*(Float8 a, Float8 b) { return _mm256_mul_ps(a.v, b.v); }
PLIANT_SIMD_INLINE Float8 operator/(Float8 a, Float8 b) { return _mm256_div_ps(a.v, b.v); }
PLIANT_SIMD_INLINE Float8 min(Float8 a, Float8 b) { return _mm256_min_ps(a.v, b.v); }
PLIANT_SIMD_INLINE Float8 max(Float8 a, Float8 b) { return _mm256_max_ps(a.v, b.v); }
PLIANT_SIMD_INLINE Float8 abs(Float8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v); }
PLIANT_SIMD_INLINE Float8 sqrt(Float8 a) { return _mm256_sqrt_ps(a.v); }
PLIANT_SIMD_INLINE Mask8 operator<(Float8 a, Float8 b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}; }
PLIANT_SIMD_INLINE Mask8 operator>(Float8 a, Float8 b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ)}; }
PLIANT_SIMD_INLINE Mask8 operator>=(Float8 a, Float8 b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_GE_OQ)}; }
PLIANT_SIMD_INLINE Mask8 is_number(Float8 a) { return {_mm256_cmp_ps(a.v, a.v, _CMP_EQ_OQ)}; }
PLIANT_SIMD_INLINE Float8 select(Mask8 m, Float8 a, Float8 b) { return _mm256_blendv_ps(b.v, a.v, m.v); }
// Ids and indices, below 2^31.
struct Index8 {
  __m256i v;
  Index8() = default;
  PLIANT_SIMD_INLINE Index8(__m256i x) : v(x) {}  // NOLINT(google-explicit-constructor): same thing
  PLIANT_SIMD_INLINE explicit Index8(std::uint32_t x) : v(_mm256_set1_epi32(static_cast<int>(x))) {}
};
PLIANT_SIMD_INLINE Index8 load(const std::uint32_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
PLIANT_SIMD_INLINE Mask8 operator==(Index8 a, Index8 b) { return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(a.v, b.v))}; }
PLIANT_SIMD_INLINE Mask8 operator<(Index8 a, Index8 b) { return {_mm256_castsi256_ps(_mm256_cmpgt_epi32(b.v, a.v))}; }
// Lanes where p[0] ... p[7] equal x.
PLIANT_SIMD_INLINE Mask8 equal8(const std::uint32_t* p, std::uint32_t x) { return load(p) == Index8(x); }
PLIANT_SIMD_INLINE Index8 select(Mask8 m, Index8 a, Index8 b) {
  return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(b.v), _mm256_castsi256_ps(a.v), m.v));
}

PLIANT_SIMD_INLINE Float8 load(const float* p) { return _mm256_loadu_ps(p); }

struct Double4 {
  __m256d v;
  Double4() = default;
  PLIANT_SIMD_INLINE Double4(__m256d x) : v(x) {}                 // NOLINT(google-explicit-constructor): same thing
  PLIANT_SIMD_INLINE Double4(double x) : v(_mm256_set1_pd(x)) {}  // NOLINT(google-explicit-constructor): constants
};
PLIANT_SIMD_INLINE Double4 operator-(Double4 a) { return _mm256_xor_pd(a.v, _mm256_set1_pd(-0.0)); }
PLIANT_SIMD_INLINE Double4 min(Double4 a, Double4 b) { return _mm256_min_pd(a.v, b.v); }
PLIANT_SIMD_INLINE Double4 max(Double4 a, Double4 b) { return _mm256_max_pd(a.v, b.v); }
// p[0], p[1], p[2]; nothing behind them is read.
PLIANT_SIMD_INLINE Double4 load_three(const double* p) {
  return _mm256_maskload_pd(p, _mm256_setr_epi64x(-1, -1, -1, 0));
}
PLIANT_SIMD_INLINE Float4 narrow_down(Double4 a) { return (Float4)_mm256_cvtpd_ps(a.v); }

// For every set of lanes their numbers, ascending, a byte each.
struct LaneLists {
  std::uint64_t of[256];
  constexpr LaneLists() : of() {
    for (unsigned set = 0; set < 256; ++set)
      for (unsigned lane = 0, place = 0; lane < 8; ++lane)
        if ((set >> lane) & 1) of[set] |= std::uint64_t{lane} << (8 * place++);
  }
};
inline constexpr LaneLists kLaneLists;

// Writes the lanes whose bit is set, one after the other: numbers, or rows of four or two. There must be room for
// eight, whatever is set.
class Compressor {
 public:
  PLIANT_SIMD_INLINE explicit Compressor(unsigned lanes)
      : order_(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kLaneLists.of[lanes])))) {}
  PLIANT_SIMD_INLINE void write(Float8 a, float* out) const {
    _mm256_storeu_ps(out, _mm256_permutevar8x32_ps(a.v, order_));
  }
  PLIANT_SIMD_INLINE void write(Index8 a, std::uint32_t* out) const { store(out, in_order(a)); }
  PLIANT_SIMD_INLINE void write(Index8 a, Index8 b, Index8 c, Index8 d, std::uint32_t (*out)[4]) const {
    const __m256i pa = in_order(a), pb = in_order(b), pc = in_order(c), pd = in_order(d);
    const __m256i ab = _mm256_unpacklo_epi32(pa, pb), cd = _mm256_unpacklo_epi32(pc, pd);
    const __m256i ab_hi = _mm256_unpackhi_epi32(pa, pb), cd_hi = _mm256_unpackhi_epi32(pc, pd);
    const __m256i r04 = _mm256_unpacklo_epi64(ab, cd), r15 = _mm256_unpackhi_epi64(ab, cd);
    const __m256i r26 = _mm256_unpacklo_epi64(ab_hi, cd_hi), r37 = _mm256_unpackhi_epi64(ab_hi, cd_hi);
    store(out[0], _mm256_permute2x128_si256(r04, r15, 0x20));
    store(out[2], _mm256_permute2x128_si256(r26, r37, 0x20));
    store(out[4], _mm256_permute2x128_si256(r04, r15, 0x31));
    store(out[6], _mm256_permute2x128_si256(r26, r37, 0x31));
  }
  PLIANT_SIMD_INLINE void write(Index8 a, Index8 b, std::uint32_t (*out)[2]) const {
    const __m256i pa = in_order(a), pb = in_order(b);
    const __m256i ab = _mm256_unpacklo_epi32(pa, pb), ab_hi = _mm256_unpackhi_epi32(pa, pb);
    store(out[0], _mm256_permute2x128_si256(ab, ab_hi, 0x20));
    store(out[4], _mm256_permute2x128_si256(ab, ab_hi, 0x31));
  }

 private:
  PLIANT_SIMD_INLINE __m256i in_order(Index8 a) const { return _mm256_permutevar8x32_epi32(a.v, order_); }
  PLIANT_SIMD_INLINE static void store(std::uint32_t* out, __m256i a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), a);
  }

  __m256i order_;
};

// p[0], ..., p[7] of eight places, as eight vectors.
struct Columns8 {
  Float8 c0, c1, c2, c3, c4, c5, c6, c7;
};
PLIANT_SIMD_INLINE Columns8 load_columns(const float* p0, const float* p1, const float* p2, const float* p3,
                                         const float* p4, const float* p5, const float* p6, const float* p7) {
  struct Quarter {  // columns i (low half) and i + 4 (high half) of four rows
    __m256 c0, c1, c2, c3;
  };
  const auto four_rows =
      [](const float* a, const float* b, const float* c, const float* d) __attribute__((always_inline)) {
    const __m256 ra = _mm256_loadu_ps(a), rb = _mm256_loadu_ps(b), rc = _mm256_loadu_ps(c), rd = _mm256_loadu_ps(d);
    const __m256 ab = _mm256_unpacklo_ps(ra, rb), cd = _mm256_unpacklo_ps(rc, rd);
    const __m256 ab_hi = _mm256_unpackhi_ps(ra, rb), cd_hi = _mm256_unpackhi_ps(rc, rd);
    return Quarter{_mm256_shuffle_ps(ab, cd, 0x44), _mm256_shuffle_ps(ab, cd, 0xee),
                   _mm256_shuffle_ps(ab_hi, cd_hi, 0x44), _mm256_shuffle_ps(ab_hi, cd_hi, 0xee)};
  };
  const Quarter q = four_rows(p0, p1, p2, p3), r = four_rows(p4, p5, p6, p7);
  const auto low = [](__m256 a, __m256 b) __attribute__((always_inline)) { return _mm256_permute2f128_ps(a, b, 0x20); };
  const auto high = [](__m256 a, __m256 b) __attribute__((always_inline)) {
    return _mm256_permute2f128_ps(a, b, 0x31);
  };
  return {low(q.c0, r.c0),  low(q.c1, r.c1),  low(q.c2, r.c2),  low(q.c3, r.c3),
          high(q.c0, r.c0), high(q.c1, r.c1), high(q.c2, r.c2), high(q.c3, r.c3)};
}

#else

// ---- everywhere else: two halves each ----

struct Mask8 {
  Int4 lo, hi;
};
PLIANT_SIMD_INLINE Mask8 operator&(Mask8 a, Mask8 b) { return {a.lo & b.lo, a.hi & b.hi}; }
PLIANT_SIMD_INLINE Mask8 operator|(Mask8 a, Mask8 b) { return {a.lo | b.lo, a.hi | b.hi}; }
PLIANT_SIMD_INLINE unsigned bits(Mask8 a) { return bits(a.lo) | bits(a.hi) << 4; }

struct Float8 {
  Float4 lo, hi;
  Float8() = default;
  PLIANT_SIMD_INLINE Float8(Float4 l, Float4 h) : lo(l), hi(h) {}
  PLIANT_SIMD_INLINE Float8(float x) : lo{x, x, x, x}, hi(lo) {}  // NOLINT(google-explicit-constructor): constants
};
PLIANT_SIMD_INLINE Float8 operator+(Float8 a, Float8 b) { return {a.lo + b.lo, a.hi + b.hi}; }
PLIANT_SIMD_INLINE Float8 operator-(Float8 a, Float8 b) { return {a.lo - b.lo, a.hi - b.hi}; }
PLIANT_SIMD_INLINE Float8 operator*(Float8 a, Float8 b) { return {a.lo * b.lo, a.hi * b.hi}; }
PLIANT_SIMD_INLINE Float8 operator/(Float8 a, Float8 b) { return {a.lo / b.lo, a.hi / b.hi}; }
PLIANT_SIMD_INLINE Float8 min(Float8 a, Float8 b) { return {min(a.lo, b.lo), min(a.hi, b.hi)}; }
PLIANT_SIMD_INLINE Float8 max(Float8 a, Float8 b) { return {max(a.lo, b.lo), max(a.hi, b.hi)}; }
PLIANT_SIMD_INLINE Float8 abs(Float8 a) { return {abs(a.lo), abs(a.hi)}; }
PLIANT_SIMD_INLINE Float8 sqrt(Float8 a) { return {sqrt(a.lo), sqrt(a.hi)}; }
PLIANT_SIMD_INLINE Mask8 operator<(Float8 a, Float8 b) { return {a.lo < b.lo, a.hi < b.hi}; }
PLIANT_SIMD_INLINE Mask8 operator>(Float8 a, Float8 b) { return {a.lo > b.lo, a.hi > b.hi}; }
PLIANT_SIMD_INLINE Mask8 operator>=(Float8 a, Float8 b) { return {a.lo >= b.lo, a.hi >= b.hi}; }
PLIANT_SIMD_INLINE Mask8 is_number(Float8 a) {
  return {a.lo == a.lo, a.hi == a.hi};  // NOLINT(misc-redundant-expression): false for NaN
}
PLIANT_SIMD_INLINE Float8 select(Mask8 m, Float8 a, Float8 b) {
  return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
}

struct Index8 {
  Int4 lo, hi;
  Index8() = default;
  PLIANT_SIMD_INLINE Index8(Int4 l, Int4 h) : lo(l), hi(h) {}
  PLIANT_SIMD_INLINE explicit Index8(std::uint32_t x) : lo(Int4{} + static_cast<std::int32_t>(x)), hi(lo) {}
  PLIANT_SIMD_INLINE std::uint32_t operator[](unsigned i) const {
    return static_cast<std::uint32_t>(i < 4 ? lo[i] : hi[i - 4]);
  }
};
PLIANT_SIMD_INLINE Index8 load(const std::uint32_t* p) {
  Index8 result;
  __builtin_memcpy(&result.lo, p, sizeof(result.lo));
  __builtin_memcpy(&result.hi, p + 4, sizeof(result.hi));
  return result;
}
PLIANT_SIMD_INLINE Mask8 operator==(Index8 a, Index8 b) { return {a.lo == b.lo, a.hi == b.hi}; }
PLIANT_SIMD_INLINE Mask8 operator<(Index8 a, Index8 b) { return {a.lo < b.lo, a.hi < b.hi}; }
PLIANT_SIMD_INLINE Mask8 equal8(const std::uint32_t* p, std::uint32_t x) { return load(p) == Index8(x); }
PLIANT_SIMD_INLINE Index8 select(Mask8 m, Index8 a, Index8 b) {
  return {(m.lo & a.lo) | (~m.lo & b.lo), (m.hi & a.hi) | (~m.hi & b.hi)};
}

PLIANT_SIMD_INLINE Float4 load4(const float* p) {
  Float4 result;
  __builtin_memcpy(&result, p, sizeof(result));
  return result;
}
PLIANT_SIMD_INLINE Float8 load(const float* p) { return {load4(p), load4(p + 4)}; }

struct Double4 {
  Double2 lo, hi;
  Double4() = default;
  PLIANT_SIMD_INLINE Double4(Double2 l, Double2 h) : lo(l), hi(h) {}
  PLIANT_SIMD_INLINE Double4(double x) : lo{x, x}, hi(lo) {}  // NOLINT(google-explicit-constructor): constants
};
PLIANT_SIMD_INLINE Double4 operator-(Double4 a) { return {-a.lo, -a.hi}; }
PLIANT_SIMD_INLINE Double4 min(Double4 a, Double4 b) { return {min(a.lo, b.lo), min(a.hi, b.hi)}; }
PLIANT_SIMD_INLINE Double4 max(Double4 a, Double4 b) { return {max(a.lo, b.lo), max(a.hi, b.hi)}; }
PLIANT_SIMD_INLINE Double4 load_three(const double* p) { return {Double2{p[0], p[1]}, Double2{p[2], p[2]}}; }
PLIANT_SIMD_INLINE Float4 narrow_down(Double4 a) {
#if defined(__SSE2__)
  return (Float4)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a.lo), _mm_cvtpd_ps((__m128d)a.hi));
#else
  return round_down(a.lo, a.hi);
#endif
}

class Compressor {
 public:
  PLIANT_SIMD_INLINE explicit Compressor(unsigned lanes) : lanes_(lanes) {}
  PLIANT_SIMD_INLINE void write(Float8 a, float* out) const {
    each([&](unsigned i) PLIANT_SIMD_INLINE_LAMBDA { *out++ = i < 4 ? a.lo[i] : a.hi[i - 4]; });
  }
  PLIANT_SIMD_INLINE void write(Index8 a, std::uint32_t* out) const {
    each([&](unsigned i) PLIANT_SIMD_INLINE_LAMBDA { *out++ = a[i]; });
  }
  PLIANT_SIMD_INLINE void write(Index8 a, Index8 b, Index8 c, Index8 d, std::uint32_t (*out)[4]) const {
    each([&](unsigned i) PLIANT_SIMD_INLINE_LAMBDA {
      (*out)[0] = a[i];
      (*out)[1] = b[i];
      (*out)[2] = c[i];
      (*out)[3] = d[i];
      ++out;
    });
  }
  PLIANT_SIMD_INLINE void write(Index8 a, Index8 b, std::uint32_t (*out)[2]) const {
    each([&](unsigned i) PLIANT_SIMD_INLINE_LAMBDA {
      (*out)[0] = a[i];
      (*out)[1] = b[i];
      ++out;
    });
  }

 private:
  template <class Write>
  PLIANT_SIMD_INLINE void each(const Write& write) const {
    for (unsigned left = lanes_; left != 0; left &= left - 1) write(static_cast<unsigned>(__builtin_ctz(left)));
  }

  unsigned lanes_;
};

struct Columns8 {
  Float8 c0, c1, c2, c3, c4, c5, c6, c7;
};
struct Columns4OfFour {
  Float4 c0, c1, c2, c3;
};
PLIANT_SIMD_INLINE Columns4OfFour transposed(Float4 a, Float4 b, Float4 c, Float4 d) {
  const Float4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Float4 ab_hi = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd_hi = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
          __builtin_shufflevector(ab_hi, cd_hi, 0, 1, 4, 5), __builtin_shufflevector(ab_hi, cd_hi, 2, 3, 6, 7)};
}
PLIANT_SIMD_INLINE Columns8 load_columns(const float* p0, const float* p1, const float* p2, const float* p3,
                                         const float* p4, const float* p5, const float* p6, const float* p7) {
  const Columns4OfFour a = transposed(load4(p0), load4(p1), load4(p2), load4(p3));
  const Columns4OfFour b = transposed(load4(p0 + 4), load4(p1 + 4), load4(p2 + 4), load4(p3 + 4));
  const Columns4OfFour c = transposed(load4(p4), load4(p5), load4(p6), load4(p7));
  const Columns4OfFour d = transposed(load4(p4 + 4), load4(p5 + 4), load4(p6 + 4), load4(p7 + 4));
  return {{a.c0, c.c0}, {a.c1, c.c1}, {a.c2, c.c2}, {a.c3, c.c3},
          {b.c0, d.c0}, {b.c1, d.c1}, {b.c2, d.c2}, {b.c3, d.c3}};
}

#endif

}  // namespace PLIANT_SIMD_TARGET
}  // namespace pliant::simd
