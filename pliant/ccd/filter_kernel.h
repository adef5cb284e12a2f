// The filters themselves, compiled once for each target (core/simd.h). See filter.h for what they promise.
//
// Here u = 2^-24. Differences are taken in double and rounded to float, so that they err by u (1 + 2^-29) relative to
// themselves. Taken at the ends of a part of the motion, they also err by 4 * 2^-53 times the largest difference at t = 0, 1;
// 2^-24 of that is added to X, Y, Z, so the sum is below 1.13 u X. All bounds are those of certificates.h and cubic.h, where
// differences contribute at most a third: 1.13 times that third is inside their margins (32 to 26, 384 to 330).
// Underflow: below 2^-126 a float errs by 2^-150; with numbers below kLargestFloat that makes less than 2^-92 in any cubic or
// gap: kTinyFloat is added to every bound. Lanes with larger or undefined numbers are never rejected.
#pragma once

#include "pliant/ccd/filter.h"
#include "pliant/core/simd.h"

namespace pliant::ccd::PLIANT_SIMD_TARGET {

using simd::Double4;
using simd::Float4;
using simd::Float8;
using simd::Mask8;

constexpr float kUnitFloat = 0x1p-24f;
constexpr float kLargestFloat = 0x1p25f;
constexpr float kTinyFloat = 0x1p-90f;
constexpr float kGapErrorFloat = 32 * kUnitFloat;
constexpr float kCubicErrorFloat = 384 * kUnitFloat;

struct Vec {
  Float8 x, y, z;
};
PLIANT_SIMD_INLINE Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PLIANT_SIMD_INLINE Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
PLIANT_SIMD_INLINE Vec operator*(Vec a, Float8 s) { return {a.x * s, a.y * s, a.z * s}; }
PLIANT_SIMD_INLINE Float8 dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PLIANT_SIMD_INLINE Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PLIANT_SIMD_INLINE Float8 clamp01(Float8 x) { return min(max(x, 0.0f), 1.0f); }

struct Three {
  Vec a, b, c;
};

// Eight pairs: A, B, C (differences.h) at both ends, X, Y, Z, and which lanes can be trusted.
struct Lanes {
  Three t0, t1;
  Vec scale;
  Mask8 trusted;
};

// ---- gathering ----

// The six differences of one pair and the sizes that rounding is relative to.
struct Rows {
  Float4 a0[8], b0[8], c0[8], a1[8], b1[8], c1[8], size[8];
};

struct ThreeDoubles {
  Double4 a, b, c;
};

template <bool kVertexFace>
PLIANT_SIMD_INLINE ThreeDoubles differences(const double* const (&x)[4], const std::uint32_t (&pair)[4]) {
  const Double4 p0 = simd::load3(x[0] + 3 * std::size_t{pair[0]}), p1 = simd::load3(x[1] + 3 * std::size_t{pair[1]});
  const Double4 p2 = simd::load3(x[2] + 3 * std::size_t{pair[2]}), p3 = simd::load3(x[3] + 3 * std::size_t{pair[3]});
  if constexpr (kVertexFace) return {p0 - p1, p2 - p1, p3 - p1};
  return {p2 - p0, p1 - p0, p3 - p2};
}

PLIANT_SIMD_INLINE ThreeDoubles between(const ThreeDoubles& p, const ThreeDoubles& q, double t) {
  return {p.a * (1 - t) + q.a * t, p.b * (1 - t) + q.b * t, p.c * (1 - t) + q.c * t};
}

PLIANT_SIMD_INLINE Double4 extent(const ThreeDoubles& p) { return max(abs(p.a), max(abs(p.b), abs(p.c))); }

template <bool kVertexFace>
PLIANT_SIMD_INLINE void gather_row(const FilterInput& in, std::uint32_t index, int lane, bool partial, Rows& rows) {
  ThreeDoubles p = differences<kVertexFace>(in.x_t0, in.pairs[index]);
  ThreeDoubles q = differences<kVertexFace>(in.x_t1, in.pairs[index]);
  if (partial) {
    const double s = in.intervals ? in.intervals[2 * std::size_t{index}] : in.begin;
    const double e = in.intervals ? in.intervals[2 * std::size_t{index} + 1] : in.end;
    rows.size[lane] = to_float(max(extent(p), extent(q)) * 0x1p-24);
    const ThreeDoubles start = between(p, q, s);
    q = between(p, q, e);
    p = start;
  }
  rows.a0[lane] = to_float(p.a);
  rows.b0[lane] = to_float(p.b);
  rows.c0[lane] = to_float(p.c);
  rows.a1[lane] = to_float(q.a);
  rows.b1[lane] = to_float(q.b);
  rows.c1[lane] = to_float(q.c);
}

PLIANT_SIMD_INLINE Vec column(const Float4 (&rows)[8]) {
  const simd::Columns3 c = simd::transposed(rows);
  return {c.x, c.y, c.z};
}

PLIANT_SIMD_INLINE Vec largest(Vec a, Vec b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }
PLIANT_SIMD_INLINE Vec extent(const Three& v) {
  const auto size = [](Vec a) { return Vec{abs(a.x), abs(a.y), abs(a.z)}; };
  return largest(size(v.a), largest(size(v.b), size(v.c)));
}

// Lanes behind `count` repeat the first.
template <bool kVertexFace>
PLIANT_SIMD_INLINE Lanes gather(const FilterInput& in, const std::uint32_t* indices, int count) {
  const bool partial = in.intervals || in.begin != 0 || in.end != 1;
  Rows rows;
  for (int lane = 0; lane < count; ++lane) gather_row<kVertexFace>(in, indices[lane], lane, partial, rows);
  for (int lane = count; lane < 8; ++lane) {
    rows.a0[lane] = rows.a0[0];
    rows.b0[lane] = rows.b0[0];
    rows.c0[lane] = rows.c0[0];
    rows.a1[lane] = rows.a1[0];
    rows.b1[lane] = rows.b1[0];
    rows.c1[lane] = rows.c1[0];
    rows.size[lane] = rows.size[0];
  }
  Lanes v{{column(rows.a0), column(rows.b0), column(rows.c0)}, {column(rows.a1), column(rows.b1), column(rows.c1)}, {}, {}};
  v.scale = largest(extent(v.t0), extent(v.t1));
  if (partial) v.scale = v.scale + column(rows.size);
  // The sum is not a number if any of its terms is none; maxima may lose that.
  const Vec sum = (v.t0.a + v.t0.b) + (v.t0.c + v.t1.a) + (v.t1.b + v.t1.c);
  v.trusted = (max(v.scale.x, max(v.scale.y, v.scale.z)) < kLargestFloat) & simd::is_number(sum.x + sum.y + sum.z);
  return v;
}

// ---- separating directions (certificates.h) ----

// What the gap along n must exceed. A minimum separation d asks for d |n| more; the factor covers the roundings of |n| and of
// the product and sum. Where |n|^2 may have lost something to underflow, no gap is enough.
struct Separation {
  Float8 distance;
  bool wanted;
};

PLIANT_SIMD_INLINE Float8 needed(const Lanes& v, Vec n, const Separation& d) {
  const Float8 error =
      (v.scale.x * abs(n.x) + v.scale.y * abs(n.y) + v.scale.z * abs(n.z)) * kGapErrorFloat + kTinyFloat;
  if (!d.wanted) return error;
  const Float8 length_sq = dot(n, n);
  const Float8 with_distance = error + d.distance * sqrt(length_sq) * (1 + 0x1p-19f);
  return select(length_sq > 0x1p-100f, with_distance, __builtin_inff());
}

struct Gaps {
  Float8 above, below;  // along n and along -n
};

template <bool kVertexFace>
PLIANT_SIMD_INLINE Gaps gaps(const Three& v, Vec n) {
  const Float8 a = dot(v.a, n), b = dot(v.b, n), c = dot(v.c, n);
  const Float8 zero = 0.0f;
  if constexpr (kVertexFace) return {a - max(zero, max(b, c)), min(zero, min(b, c)) - a};
  return {a + min(zero, c) - max(zero, b), min(zero, b) - a - max(zero, c)};
}

// Apart along n on the side where the vertex (edge b) is.
template <bool kVertexFace>
PLIANT_SIMD_INLINE Mask8 apart_above(const Lanes& v, const Three& s, const Three& e, Vec n, const Separation& d) {
  const Float8 low = min(gaps<kVertexFace>(s, n).above, gaps<kVertexFace>(e, n).above);
  return low > needed(v, n, d);
}

template <bool kVertexFace>
PLIANT_SIMD_INLINE Mask8 apart_either_side(const Lanes& v, Vec n, const Separation& d) {
  const Gaps s = gaps<kVertexFace>(v.t0, n), e = gaps<kVertexFace>(v.t1, n);
  return max(min(s.above, e.above), min(s.below, e.below)) > needed(v, n, d);
}

// ---- first filter: the direction between the centres at their closest approach ----

template <bool kVertexFace>
PLIANT_SIMD_INLINE Vec between_centres(const Three& v) {
  if constexpr (kVertexFace) return v.a - (v.b + v.c) * (1.0f / 3);
  return v.a + (v.c - v.b) * 0.5f;
}

template <bool kVertexFace>
PLIANT_SIMD_INLINE Mask8 apart_by_centres(const Lanes& v, const Separation& d) {
  const Vec start = between_centres<kVertexFace>(v.t0);
  const Vec velocity = between_centres<kVertexFace>(v.t1) - start;
  const Float8 t = clamp01((Float8(0.0f) - dot(start, velocity)) / dot(velocity, velocity));
  return apart_above<kVertexFace>(v, v.t0, v.t1, start + velocity * t, d);
}

// ---- second filter: directions normal to the velocity and an edge; the cubic has no root ----

template <bool kVertexFace>
PLIANT_SIMD_INLINE Mask8 apart_by_velocity(const Lanes& v, const Separation& d) {
  const Vec velocity = between_centres<kVertexFace>(v.t1) - between_centres<kVertexFace>(v.t0);
  const Vec b = v.t0.b + v.t1.b, c = v.t0.c + v.t1.c;
  const Mask8 apart = apart_either_side<kVertexFace>(v, cross(velocity, b), d) |
                      apart_either_side<kVertexFace>(v, cross(velocity, c), d);
  if constexpr (kVertexFace) return apart | apart_either_side<kVertexFace>(v, cross(velocity, c - b), d);
  return apart;
}

struct CubicLanes {
  Float8 c0, c1, c2, c3;
};

PLIANT_SIMD_INLINE CubicLanes coplanarity_cubic(const Lanes& v) {
  const Vec n0 = cross(v.t0.b, v.t0.c), n2 = cross(v.t1.b, v.t1.c);
  const Vec n1 = cross(v.t0.b, v.t1.c) + cross(v.t1.b, v.t0.c);
  return {dot(v.t0.a, n0) * 3.0f, dot(v.t1.a, n0) + dot(v.t0.a, n1), dot(v.t1.a, n1) + dot(v.t0.a, n2),
          dot(v.t1.a, n2) * 3.0f};
}

PLIANT_SIMD_INLINE Float8 cubic_error(const Lanes& v) {
  return v.scale.x * v.scale.y * v.scale.z * kCubicErrorFloat + kTinyFloat;
}

PLIANT_SIMD_INLINE Mask8 one_signed(const CubicLanes& c, Float8 error) {
  const Float8 lowest = min(min(c.c0, c.c1), min(c.c2, c.c3)), highest = max(max(c.c0, c.c1), max(c.c2, c.c3));
  return max(lowest, Float8(0.0f) - highest) > error;
}

// ---- third filter: clip time to where the cubic can vanish, then the direction between closest points there ----

PLIANT_SIMD_INLINE CubicLanes restricted(const CubicLanes& f, Float8 s, Float8 e) {
  const Float8 s_left = Float8(1.0f) - s, e_left = Float8(1.0f) - e;
  const auto to_s = [&](Float8 p, Float8 q) { return p * s_left + q * s; };
  const auto to_e = [&](Float8 p, Float8 q) { return p * e_left + q * e; };
  const Float8 s01 = to_s(f.c0, f.c1), s12 = to_s(f.c1, f.c2), s23 = to_s(f.c2, f.c3);
  const Float8 e01 = to_e(f.c0, f.c1), e12 = to_e(f.c1, f.c2), e23 = to_e(f.c2, f.c3);
  const Float8 ss0 = to_s(s01, s12), ss1 = to_s(s12, s23);
  return {to_s(ss0, ss1), to_e(ss0, ss1), to_e(to_e(s01, s12), to_e(s12, s23)), to_e(to_e(e01, e12), to_e(e12, e23))};
}

// As root_free_share in cubic.h, with 2^-16 in the place of 2^-40: roundings here are below 2^-20 (y + m x).
PLIANT_SIMD_INLINE Float8 root_free_share(Float8 c0, Float8 c1, Float8 c2, Float8 c3, Float8 error) {
  const Float8 y = abs(c0);
  const Float8 s = select(c0 > 0.0f, 1.0f, -1.0f);
  const Float8 m = max(max((y - s * c1) * 3.0f, (y - s * c2) * 1.5f), y - s * c3);
  const Float8 numerator = (y - error - error) * (1 - 0x1p-16f);
  const Float8 share = select(m > numerator, numerator / m, 1.0f);
  return select(y > error + error, share, 0.0f);
}

struct Part {
  Float8 s, e;
  Mask8 empty;  // no root left
};

// Times are rounded by less than 2^-22 here (width, product, sum, all at most 1): parts end 2^-21 further out.
PLIANT_SIMD_INLINE Part clipped(const Lanes& v, int clips) {
  const CubicLanes f = coplanarity_cubic(v);
  const Float8 error = cubic_error(v);
  Part part{0.0f, 1.0f, one_signed(f, error)};
  for (int i = 0; i < clips; ++i) {
    const CubicLanes c = i == 0 ? f : restricted(f, part.s, part.e);
    const Float8 left = root_free_share(c.c0, c.c1, c.c2, c.c3, error);
    const Float8 right = root_free_share(c.c3, c.c2, c.c1, c.c0, error);
    const Float8 width = part.e - part.s;
    const Float8 s = max(part.s, part.s + width * left - 0x1p-21f);
    const Float8 e = min(part.e, part.e - width * right + 0x1p-21f);
    part.empty = part.empty | one_signed(c, error) | (left >= 1.0f) | (right >= 1.0f) | (s > e);
    part.s = s;
    part.e = e;
  }
  return part;
}

PLIANT_SIMD_INLINE Three at(const Lanes& v, Float8 t) {
  const Float8 left = Float8(1.0f) - t;
  return {v.t0.a * left + v.t1.a * t, v.t0.b * left + v.t1.b * t, v.t0.c * left + v.t1.c * t};
}

// From the closest point of the face's boundary to the vertex. (With the vertex over the face's inside no direction
// in its plane separates them, and the clips have dealt with the normal.)
PLIANT_SIMD_INLINE Vec between_closest_vertex_face(const Three& v) {
  const auto from_edge = [](Vec p, Vec e) { return p - e * clamp01(dot(p, e) / dot(e, e)); };
  const Vec ab = from_edge(v.a, v.b), ac = from_edge(v.a, v.c), bc = from_edge(v.a - v.b, v.c - v.b);
  const auto nearer = [](Vec p, Vec q) {
    const Mask8 first = dot(p, p) < dot(q, q);
    return Vec{select(first, p.x, q.x), select(first, p.y, q.y), select(first, p.z, q.z)};
  };
  return nearer(ab, nearer(ac, bc));
}

// From edge a to edge b, closest.h. Divisions by zero make directions that separate nothing.
PLIANT_SIMD_INLINE Vec between_closest_edge_edge(const Three& v) {
  const Float8 bb = dot(v.b, v.b), bc = dot(v.b, v.c), cc = dot(v.c, v.c), ab = dot(v.a, v.b), ac = dot(v.a, v.c);
  const Float8 u = clamp01((ab * cc - ac * bc) / (bb * cc - bc * bc));
  const Float8 w = clamp01((u * bc - ac) / cc);
  const Float8 followed = clamp01((ab + w * bc) / bb);
  return v.a + v.c * w - v.b * followed;
}

template <bool kVertexFace>
PLIANT_SIMD_INLINE Mask8 apart_in_part(const Lanes& v, const Part& part, const Separation& d) {
  const Three s = at(v, part.s), e = at(v, part.e), m = at(v, (part.s + part.e) * 0.5f);
  const Vec n = kVertexFace ? between_closest_vertex_face(m) : between_closest_edge_edge(m);
  return apart_above<kVertexFace>(v, s, e, n, d);
}

// ---- passes over a block ----

PLIANT_SIMD_INLINE std::size_t write_set_bits(unsigned set, const std::uint32_t* indices, std::uint32_t* out) {
  std::size_t n = 0;
  for (; set != 0; set &= set - 1) out[n++] = indices[__builtin_ctz(set)];
  return n;
}

// Writes those of `count` indices that `rejects` does not reject; in place if need be.
template <bool kVertexFace, class Rejects>
PLIANT_SIMD_INLINE std::size_t pass(const FilterInput& in, const std::uint32_t* indices, std::size_t count,
                                    std::uint32_t* out, const Rejects& rejects) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    const int lanes = count - i < 8 ? static_cast<int>(count - i) : 8;
    const Lanes v = gather<kVertexFace>(in, indices + i, lanes);
    const unsigned left = ~bits(rejects(v) & v.trusted) & ((1u << lanes) - 1);
    kept += write_set_bits(left, indices + i, out + kept);
  }
  return kept;
}

template <bool kVertexFace>
PLIANT_SIMD_INLINE Mask8 second_filter(const Lanes& v, const Separation& d) {
  const Mask8 apart = apart_by_velocity<kVertexFace>(v, d);
  return d.wanted ? apart : apart | one_signed(coplanarity_cubic(v), cubic_error(v));
}

template <bool kVertexFace>
PLIANT_SIMD_INLINE Mask8 third_filter(const Lanes& v, const Separation& d) {
  const Part part = clipped(v, 4);
  return part.empty | apart_in_part<kVertexFace>(v, part, d);
}

// Up to eight pairs: gathered once.
template <bool kVertexFace>
std::size_t filter_few(const FilterInput& in, std::uint32_t* out, const Separation& d) {
  constexpr std::uint32_t kIndices[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const Lanes v = gather<kVertexFace>(in, kIndices, static_cast<int>(in.count));
  unsigned left = (1u << in.count) - 1;
  left &= ~bits(apart_by_centres<kVertexFace>(v, d) & v.trusted);
  if (left != 0) left &= ~bits(second_filter<kVertexFace>(v, d) & v.trusted);
  if (left != 0 && !d.wanted) left &= ~bits(third_filter<kVertexFace>(v, d) & v.trusted);
  return write_set_bits(left, kIndices, out);
}

// A pass for each filter, because most pairs are gone after the first.
template <bool kVertexFace>
std::size_t filter_many(const FilterInput& in, std::uint32_t* out, const Separation& d) {
  for (std::uint32_t i = 0; i < in.count; ++i) out[i] = i;
  std::size_t n = pass<kVertexFace>(in, out, in.count, out, [&](const Lanes& v) PLIANT_SIMD_INLINE_LAMBDA {
    return apart_by_centres<kVertexFace>(v, d);
  });
  n = pass<kVertexFace>(in, out, n, out,
                        [&](const Lanes& v) PLIANT_SIMD_INLINE_LAMBDA { return second_filter<kVertexFace>(v, d); });
  if (d.wanted) return n;
  return pass<kVertexFace>(in, out, n, out,
                           [&](const Lanes& v) PLIANT_SIMD_INLINE_LAMBDA { return third_filter<kVertexFace>(v, d); });
}

template <bool kVertexFace>
std::size_t filter_kind(const FilterInput& in, std::uint32_t* out) {
  // Rounded up, so that no contact within the distance is lost.
  const Separation d{static_cast<float>(in.min_separation) * (1 + 0x1p-22f), in.min_separation > 0};
  return in.count <= 8 ? filter_few<kVertexFace>(in, out, d) : filter_many<kVertexFace>(in, out, d);
}

std::size_t filter(const FilterInput& input, std::uint32_t* survivors) {
  return input.vertex_face ? filter_kind<true>(input, survivors) : filter_kind<false>(input, survivors);
}

}  // namespace pliant::ccd::PLIANT_SIMD_TARGET
