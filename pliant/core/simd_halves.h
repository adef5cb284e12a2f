// Eight lanes where there is no AVX2: two halves of 16 bytes each. The last part of core/simd.h, which alone includes
// it and says what it is for.
#pragma once

namespace pliant::simd {
inline namespace PLIANT_SIMD_TARGET {

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
PLIANT_SIMD_INLINE float least(Float8 a) {
  const Float4 half = min(a.lo, a.hi);
  const Float4 two = min(half, __builtin_shufflevector(half, half, 2, 3, 2, 3));
  return two[1] < two[0] ? two[1] : two[0];
}
PLIANT_SIMD_INLINE float greatest(Float8 a) {
  const Float4 half = max(a.lo, a.hi);
  const Float4 two = max(half, __builtin_shufflevector(half, half, 2, 3, 2, 3));
  return two[1] > two[0] ? two[1] : two[0];
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
PLIANT_SIMD_INLINE Index8 eight_from(std::uint32_t first) {
  const Int4 all = Int4{} + static_cast<std::int32_t>(first);
  return {all + Int4{0, 1, 2, 3}, all + Int4{4, 5, 6, 7}};
}
PLIANT_SIMD_INLINE Mask8 operator==(Index8 a, Index8 b) { return {a.lo == b.lo, a.hi == b.hi}; }
PLIANT_SIMD_INLINE Mask8 operator<(Index8 a, Index8 b) { return {a.lo < b.lo, a.hi < b.hi}; }
PLIANT_SIMD_INLINE Mask8 equal8(const std::uint32_t* p, std::uint32_t x) { return load(p) == Index8(x); }
PLIANT_SIMD_INLINE Index8 select(Mask8 m, Index8 a, Index8 b) {
  return {(Int4)select(m.lo, (Float4)a.lo, (Float4)b.lo), (Int4)select(m.hi, (Float4)a.hi, (Float4)b.hi)};
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
PLIANT_SIMD_INLINE void store_three(double* p, Double4 a) {
  __builtin_memcpy(p, &a.lo, sizeof(a.lo));
  p[2] = a.hi[0];
}
PLIANT_SIMD_INLINE void load_points(const double* const* p, Double4& x, Double4& y, Double4& z) {
  x = {Double2{p[0][0], p[1][0]}, Double2{p[2][0], p[3][0]}};
  y = {Double2{p[0][1], p[1][1]}, Double2{p[2][1], p[3][1]}};
  z = {Double2{p[0][2], p[1][2]}, Double2{p[2][2], p[3][2]}};
}
PLIANT_SIMD_INLINE Double4 load4(const double* p) { return {Double2{p[0], p[1]}, Double2{p[2], p[3]}}; }
PLIANT_SIMD_INLINE void store4(double* p, Double4 a) {
  __builtin_memcpy(p, &a.lo, sizeof(a.lo));
  __builtin_memcpy(p + 2, &a.hi, sizeof(a.hi));
}
PLIANT_SIMD_INLINE Double4 operator+(Double4 a, Double4 b) { return {a.lo + b.lo, a.hi + b.hi}; }
PLIANT_SIMD_INLINE Double4 operator-(Double4 a, Double4 b) { return {a.lo - b.lo, a.hi - b.hi}; }
PLIANT_SIMD_INLINE Double4 operator*(Double4 a, Double4 b) { return {a.lo * b.lo, a.hi * b.hi}; }
PLIANT_SIMD_INLINE Double4 operator/(Double4 a, Double4 b) { return {a.lo / b.lo, a.hi / b.hi}; }
PLIANT_SIMD_INLINE Double4 abs(Double4 a) {
  return {(Double2)((Long2)a.lo & 0x7fffffffffffffffLL), (Double2)((Long2)a.hi & 0x7fffffffffffffffLL)};
}
PLIANT_SIMD_INLINE Double4 sqrt(Double4 a) {
#if defined(__wasm_simd128__)
  return {(Double2)wasm_f64x2_sqrt((v128_t)a.lo), (Double2)wasm_f64x2_sqrt((v128_t)a.hi)};
#else
  return {Double2{__builtin_sqrt(a.lo[0]), __builtin_sqrt(a.lo[1])},
          Double2{__builtin_sqrt(a.hi[0]), __builtin_sqrt(a.hi[1])}};
#endif
}

struct Mask4 {
  Long2 lo, hi;
};
PLIANT_SIMD_INLINE Mask4 operator&(Mask4 a, Mask4 b) { return {a.lo & b.lo, a.hi & b.hi}; }
PLIANT_SIMD_INLINE Mask4 operator|(Mask4 a, Mask4 b) { return {a.lo | b.lo, a.hi | b.hi}; }
PLIANT_SIMD_INLINE Mask4 operator^(Mask4 a, Mask4 b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
PLIANT_SIMD_INLINE Mask4 operator<(Double4 a, Double4 b) { return {a.lo < b.lo, a.hi < b.hi}; }
PLIANT_SIMD_INLINE Mask4 operator>(Double4 a, Double4 b) { return {a.lo > b.lo, a.hi > b.hi}; }
PLIANT_SIMD_INLINE Mask4 operator<=(Double4 a, Double4 b) { return {a.lo <= b.lo, a.hi <= b.hi}; }
PLIANT_SIMD_INLINE Mask4 operator>=(Double4 a, Double4 b) { return {a.lo >= b.lo, a.hi >= b.hi}; }
PLIANT_SIMD_INLINE Mask4 operator==(Double4 a, Double4 b) { return {a.lo == b.lo, a.hi == b.hi}; }
PLIANT_SIMD_INLINE Double4 select(Mask4 m, Double4 a, Double4 b) {
  return {(Double2)select((Int4)m.lo, (Float4)a.lo, (Float4)b.lo),
          (Double2)select((Int4)m.hi, (Float4)a.hi, (Float4)b.hi)};
}
PLIANT_SIMD_INLINE unsigned bits(Mask4 m) {
#if defined(__wasm_simd128__)
  return static_cast<unsigned>(wasm_i64x2_bitmask((v128_t)m.lo) | wasm_i64x2_bitmask((v128_t)m.hi) << 2);
#else
  return static_cast<unsigned>((m.lo[0] & 1) | (m.lo[1] & 2) | (m.hi[0] & 4) | (m.hi[1] & 8));
#endif
}
PLIANT_SIMD_INLINE Float4 narrow_down(Double4 a) {
#if defined(__SSE2__)
  return (Float4)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a.lo), _mm_cvtpd_ps((__m128d)a.hi));
#else
  return round_down(a.lo, a.hi);
#endif
}

struct Columns4OfFour {
  Float4 c0, c1, c2, c3;
};
PLIANT_SIMD_INLINE Columns4OfFour transposed(Float4 a, Float4 b, Float4 c, Float4 d) {
  const Float4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Float4 ab_hi = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd_hi = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
          __builtin_shufflevector(ab_hi, cd_hi, 0, 1, 4, 5), __builtin_shufflevector(ab_hi, cd_hi, 2, 3, 6, 7)};
}

#if defined(__wasm_simd128__)

// By four lanes: the bytes of those that are set, in order, for a swizzle.
struct LaneOrders {
  std::uint8_t of[16][16];
  constexpr LaneOrders() : of() {
    for (unsigned set = 0; set < 16; ++set)
      for (unsigned lane = 0, slot = 0; lane < 4; ++lane)
        if ((set >> lane) & 1)
          for (unsigned byte = 0; byte < 4; ++byte) of[set][slot++] = static_cast<std::uint8_t>(4 * lane + byte);
  }
};
inline constexpr LaneOrders kLaneOrders;

// As that of AVX2: whatever is set, there must be room for eight.
class Compressor {
 public:
  PLIANT_SIMD_INLINE explicit Compressor(unsigned lanes)
      : lo_(wasm_v128_load(kLaneOrders.of[lanes & 15])),
        hi_(wasm_v128_load(kLaneOrders.of[lanes >> 4])),
        in_lo_(static_cast<unsigned>(__builtin_popcount(lanes & 15))) {}
  PLIANT_SIMD_INLINE void write(Float8 a, float* out) const {
    wasm_v128_store(out, wasm_i8x16_swizzle((v128_t)a.lo, lo_));
    wasm_v128_store(out + in_lo_, wasm_i8x16_swizzle((v128_t)a.hi, hi_));
  }
  PLIANT_SIMD_INLINE void write(Index8 a, std::uint32_t* out) const {
    wasm_v128_store(out, wasm_i8x16_swizzle((v128_t)a.lo, lo_));
    wasm_v128_store(out + in_lo_, wasm_i8x16_swizzle((v128_t)a.hi, hi_));
  }
  PLIANT_SIMD_INLINE void write(Index8 a, Index8 b, Index8 c, Index8 d, std::uint32_t (*out)[4]) const {
    store(in_order(a.lo, lo_), in_order(b.lo, lo_), in_order(c.lo, lo_), in_order(d.lo, lo_), out);
    store(in_order(a.hi, hi_), in_order(b.hi, hi_), in_order(c.hi, hi_), in_order(d.hi, hi_), out + in_lo_);
  }
  PLIANT_SIMD_INLINE void write(Index8 a, Index8 b, std::uint32_t (*out)[2]) const {
    store(in_order(a.lo, lo_), in_order(b.lo, lo_), out);
    store(in_order(a.hi, hi_), in_order(b.hi, hi_), out + in_lo_);
  }

 private:
  PLIANT_SIMD_INLINE static Float4 in_order(Int4 a, v128_t order) {
    return (Float4)wasm_i8x16_swizzle((v128_t)a, order);
  }
  PLIANT_SIMD_INLINE static void store(Float4 a, Float4 b, Float4 c, Float4 d, std::uint32_t (*out)[4]) {
    const Columns4OfFour rows = transposed(a, b, c, d);
    __builtin_memcpy(out, &rows, sizeof(rows));
  }
  PLIANT_SIMD_INLINE static void store(Float4 a, Float4 b, std::uint32_t (*out)[2]) {
    const Float4 rows[2] = {__builtin_shufflevector(a, b, 0, 4, 1, 5), __builtin_shufflevector(a, b, 2, 6, 3, 7)};
    __builtin_memcpy(out, rows, sizeof(rows));
  }

  v128_t lo_, hi_;  // how the lanes of the halves are put in order
  unsigned in_lo_;  // how many of the low half are set
};

#else

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

#endif

struct Columns8 {
  Float8 c0, c1, c2, c3, c4, c5, c6, c7;
};
PLIANT_SIMD_INLINE Columns8 load_columns(const float* p0, const float* p1, const float* p2, const float* p3,
                                         const float* p4, const float* p5, const float* p6, const float* p7) {
  const Columns4OfFour a = transposed(load4(p0), load4(p1), load4(p2), load4(p3));
  const Columns4OfFour b = transposed(load4(p0 + 4), load4(p1 + 4), load4(p2 + 4), load4(p3 + 4));
  const Columns4OfFour c = transposed(load4(p4), load4(p5), load4(p6), load4(p7));
  const Columns4OfFour d = transposed(load4(p4 + 4), load4(p5 + 4), load4(p6 + 4), load4(p7 + 4));
  return {{a.c0, c.c0}, {a.c1, c.c1}, {a.c2, c.c2}, {a.c3, c.c3},
          {b.c0, d.c0}, {b.c1, d.c1}, {b.c2, d.c2}, {b.c3, d.c3}};
}

PLIANT_SIMD_INLINE void store(float* p, Float8 a) {
  __builtin_memcpy(p, &a.lo, sizeof(a.lo));
  __builtin_memcpy(p + 4, &a.hi, sizeof(a.hi));
}

struct Rows8 {
  Float8 x, y, z, w;
};
PLIANT_SIMD_INLINE Rows8 load_rows(const float* rows, const std::uint32_t* index) {
  const auto row = [=](unsigned lane) PLIANT_SIMD_INLINE_LAMBDA { return load4(rows + 4 * std::size_t{index[lane]}); };
  const Columns4OfFour a = transposed(row(0), row(1), row(2), row(3)), b = transposed(row(4), row(5), row(6), row(7));
  return {{a.c0, b.c0}, {a.c1, b.c1}, {a.c2, b.c2}, {a.c3, b.c3}};
}
PLIANT_SIMD_INLINE void store_rows(float* p, const Rows8& rows) {
  const Columns4OfFour a = transposed(rows.x.lo, rows.y.lo, rows.z.lo, rows.w.lo);
  const Columns4OfFour b = transposed(rows.x.hi, rows.y.hi, rows.z.hi, rows.w.hi);
  __builtin_memcpy(p, &a, sizeof(a));
  __builtin_memcpy(p + 16, &b, sizeof(b));
}
PLIANT_SIMD_INLINE void store_rows(float* rows, const std::uint32_t* index, const Rows8& values) {
  const Columns4OfFour lo = transposed(values.x.lo, values.y.lo, values.z.lo, values.w.lo);
  const Columns4OfFour hi = transposed(values.x.hi, values.y.hi, values.z.hi, values.w.hi);
  const Float4 row[8] = {lo.c0, lo.c1, lo.c2, lo.c3, hi.c0, hi.c1, hi.c2, hi.c3};
  for (int i = 0; i < 8; ++i) __builtin_memcpy(rows + 4 * std::size_t{index[i]}, &row[i], sizeof(Float4));
}

}  // namespace PLIANT_SIMD_TARGET
}  // namespace pliant::simd
