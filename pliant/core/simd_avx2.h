// Eight lanes in AVX2: one register each. The last part of core/simd.h, which alone includes it and says what it is
// for.
#pragma once

namespace pliant::simd {
inline namespace PLIANT_SIMD_TARGET {

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
// Of all lanes.
PLIANT_SIMD_INLINE float least(Float8 a) {
  const __m128 half = _mm_min_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_min_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)));
}
PLIANT_SIMD_INLINE float greatest(Float8 a) {
  const __m128 half = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_max_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
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
// first, first + 1, ..., first + 7.
PLIANT_SIMD_INLINE Index8 eight_from(std::uint32_t first) {
  return _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
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
// Likewise. In two parts: stores under a mask are slow on some processors.
PLIANT_SIMD_INLINE void store_three(double* p, Double4 a) {
  _mm_storeu_pd(p, _mm256_castpd256_pd128(a.v));
  _mm_store_sd(p + 2, _mm256_extractf128_pd(a.v, 1));
}
PLIANT_SIMD_INLINE Float4 narrow_down(Double4 a) { return (Float4)_mm256_cvtpd_ps(a.v); }
// Four points of three coordinates each: lane i is of p[i].
PLIANT_SIMD_INLINE void load_points(const double* const* p, Double4& x, Double4& y, Double4& z) {
  const __m256d a = load_three(p[0]).v, b = load_three(p[1]).v, c = load_three(p[2]).v, d = load_three(p[3]).v;
  const __m256d ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d);
  x = _mm256_permute2f128_pd(ab, cd, 0x20);
  y = _mm256_permute2f128_pd(_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d), 0x20);
  z = _mm256_permute2f128_pd(ab, cd, 0x31);
}
PLIANT_SIMD_INLINE Double4 load4(const double* p) { return _mm256_loadu_pd(p); }
PLIANT_SIMD_INLINE void store4(double* p, Double4 a) { _mm256_storeu_pd(p, a.v); }
PLIANT_SIMD_INLINE Double4 operator+(Double4 a, Double4 b) { return _mm256_add_pd(a.v, b.v); }
PLIANT_SIMD_INLINE Double4 operator-(Double4 a, Double4 b) { return _mm256_sub_pd(a.v, b.v); }
PLIANT_SIMD_INLINE Double4 operator*(Double4 a, Double4 b) { return _mm256_mul_pd(a.v, b.v); }
PLIANT_SIMD_INLINE Double4 operator/(Double4 a, Double4 b) { return _mm256_div_pd(a.v, b.v); }
PLIANT_SIMD_INLINE Double4 abs(Double4 a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v); }
PLIANT_SIMD_INLINE Double4 sqrt(Double4 a) { return _mm256_sqrt_pd(a.v); }

struct Mask4 {
  __m256d v;
};
PLIANT_SIMD_INLINE Mask4 operator&(Mask4 a, Mask4 b) { return {_mm256_and_pd(a.v, b.v)}; }
PLIANT_SIMD_INLINE Mask4 operator|(Mask4 a, Mask4 b) { return {_mm256_or_pd(a.v, b.v)}; }
PLIANT_SIMD_INLINE Mask4 operator^(Mask4 a, Mask4 b) { return {_mm256_xor_pd(a.v, b.v)}; }
PLIANT_SIMD_INLINE Mask4 operator<(Double4 a, Double4 b) { return {_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ)}; }
PLIANT_SIMD_INLINE Mask4 operator>(Double4 a, Double4 b) { return {_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)}; }
PLIANT_SIMD_INLINE Mask4 operator<=(Double4 a, Double4 b) { return {_mm256_cmp_pd(a.v, b.v, _CMP_LE_OQ)}; }
PLIANT_SIMD_INLINE Mask4 operator>=(Double4 a, Double4 b) { return {_mm256_cmp_pd(a.v, b.v, _CMP_GE_OQ)}; }
PLIANT_SIMD_INLINE Mask4 operator==(Double4 a, Double4 b) { return {_mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ)}; }
PLIANT_SIMD_INLINE Double4 select(Mask4 m, Double4 a, Double4 b) { return _mm256_blendv_pd(b.v, a.v, m.v); }
PLIANT_SIMD_INLINE unsigned bits(Mask4 m) { return static_cast<unsigned>(_mm256_movemask_pd(m.v)); }

// For every set of lanes their numbers, ascending, a byte each.
struct LaneLists {
  std::uint64_t of[256];
  constexpr LaneLists() : of() {
    for (unsigned set = 0; set < 256; ++set)
      for (unsigned lane = 0, slot = 0; lane < 8; ++lane)
        if ((set >> lane) & 1) of[set] |= std::uint64_t{lane} << (8 * slot++);
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

// p[0], ..., p[7] of eight pointers, as eight vectors.
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

PLIANT_SIMD_INLINE void store(float* p, Float8 a) { _mm256_storeu_ps(p, a.v); }

// Eight rows of four floats, such as positions, as four vectors.
struct Rows8 {
  Float8 x, y, z, w;
};
// rows[4 * index[lane]] and the three after it. Faster than gathers, which fetch each float on its own.
PLIANT_SIMD_INLINE Rows8 load_rows(const float* rows, const std::uint32_t* index) {
  const auto two = [=](unsigned a, unsigned b) __attribute__((always_inline)) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows + 4 * std::size_t{index[a]})),
                                _mm_loadu_ps(rows + 4 * std::size_t{index[b]}), 1);
  };
  const __m256 r0 = two(0, 4), r1 = two(1, 5), r2 = two(2, 6), r3 = two(3, 7);
  const __m256 r01 = _mm256_unpacklo_ps(r0, r1), r23 = _mm256_unpacklo_ps(r2, r3);
  const __m256 r01_hi = _mm256_unpackhi_ps(r0, r1), r23_hi = _mm256_unpackhi_ps(r2, r3);
  return {_mm256_shuffle_ps(r01, r23, 0x44), _mm256_shuffle_ps(r01, r23, 0xee), _mm256_shuffle_ps(r01_hi, r23_hi, 0x44),
          _mm256_shuffle_ps(r01_hi, r23_hi, 0xee)};
}
// The eight rows that begin at p.
PLIANT_SIMD_INLINE void store_rows(float* p, const Rows8& rows) {
  const __m256 xy = _mm256_unpacklo_ps(rows.x.v, rows.y.v), zw = _mm256_unpacklo_ps(rows.z.v, rows.w.v);
  const __m256 xy_hi = _mm256_unpackhi_ps(rows.x.v, rows.y.v), zw_hi = _mm256_unpackhi_ps(rows.z.v, rows.w.v);
  const __m256 r04 = _mm256_shuffle_ps(xy, zw, 0x44), r15 = _mm256_shuffle_ps(xy, zw, 0xee);
  const __m256 r26 = _mm256_shuffle_ps(xy_hi, zw_hi, 0x44), r37 = _mm256_shuffle_ps(xy_hi, zw_hi, 0xee);
  _mm256_storeu_ps(p, _mm256_permute2f128_ps(r04, r15, 0x20));
  _mm256_storeu_ps(p + 8, _mm256_permute2f128_ps(r26, r37, 0x20));
  _mm256_storeu_ps(p + 16, _mm256_permute2f128_ps(r04, r15, 0x31));
  _mm256_storeu_ps(p + 24, _mm256_permute2f128_ps(r26, r37, 0x31));
}
// Rows index[0], ..., index[7] of those that begin at `rows`.
PLIANT_SIMD_INLINE void store_rows(float* rows, const std::uint32_t* index, const Rows8& values) {
  const __m256 xy = _mm256_unpacklo_ps(values.x.v, values.y.v), zw = _mm256_unpacklo_ps(values.z.v, values.w.v);
  const __m256 xy_hi = _mm256_unpackhi_ps(values.x.v, values.y.v), zw_hi = _mm256_unpackhi_ps(values.z.v, values.w.v);
  const auto two = [ rows, index ](unsigned a, unsigned b, __m256 r) __attribute__((always_inline)) {
    _mm_storeu_ps(rows + 4 * std::size_t{index[a]}, _mm256_castps256_ps128(r));
    _mm_storeu_ps(rows + 4 * std::size_t{index[b]}, _mm256_extractf128_ps(r, 1));
  };
  two(0, 4, _mm256_shuffle_ps(xy, zw, 0x44));
  two(1, 5, _mm256_shuffle_ps(xy, zw, 0xee));
  two(2, 6, _mm256_shuffle_ps(xy_hi, zw_hi, 0x44));
  two(3, 7, _mm256_shuffle_ps(xy_hi, zw_hi, 0xee));
}

}  // namespace PLIANT_SIMD_TARGET
}  // namespace pliant::simd
