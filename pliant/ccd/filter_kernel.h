// The filters themselves, compiled once for each target (core/simd.h). See filter.h for what they promise.
//
// Here u = 2^-24. The float vertices define a configuration of their own, whose differences err by u relative to
// themselves: for it the bounds of certificates.h and cubic.h hold. It is off the true one by `error` of each vertex.
// Let e be the sum of the four errors. The gap along n, a minimum of one feature minus a maximum of the other, changes
// by at most e (|nx| + |ny| + |nz|). A coefficient of the cubic is a sum of 18 products x y z of difference components;
// each changes by at most (X + e)(Y + e)(Z + e) - X Y Z. Underflow: an operation errs by at most 2^-150; with numbers
// below kLargestFloat that makes less than 2^-92 in any cubic or gap: kTinyFloat is added to every bound. Lanes with
// larger or undefined numbers are never rejected.
#pragma once

#include <type_traits>

#include "pliant/ccd/filter.h"
#include "pliant/core/simd.h"

namespace pliant::ccd::PLIANT_SIMD_TARGET {

using simd::Float8;
using simd::Mask8;

constexpr float kUnitFloat = 0x1p-24f;
constexpr float kLargestFloat = 0x1p25f;
constexpr float kTinyFloat = 0x1p-90f;
constexpr float kGapErrorFloat = 32 * kUnitFloat;
// 330 as in cubic.h, and 4 roundings, relative to their size of 18, of the change that vertex errors make.
constexpr float kCubicErrorFloat = 448 * kUnitFloat;

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

// Span of the motion, its ends rounded outward to float, and A, B, C there.
struct Section {
  Float8 begin_time, end_time;
  Three begin, end;
};
struct WholeMotion {};

// Eight pairs: A, B, C (differences.h) at both ends of the motion, and of the span of it that is asked for.
// Whole motions have no copy of their ends: copying these structures is what costs most.
template <bool kIsVertexFace, bool kIsWhole>
struct Lanes {
  static constexpr bool kVertexFace = kIsVertexFace;
  static constexpr bool kWhole = kIsWhole;

  Three t0, t1;
  std::conditional_t<kIsWhole, WholeMotion, Section> section;
  Vec scale;              // X, Y, Z
  Float8 position_error;  // e
  Mask8 trusted;

  PLIANT_SIMD_INLINE const Three& begin() const {
    if constexpr (kIsWhole) return t0;
    if constexpr (!kIsWhole) return section.begin;
  }
  PLIANT_SIMD_INLINE const Three& end() const {
    if constexpr (kIsWhole) return t1;
    if constexpr (!kIsWhole) return section.end;
  }
};

// ---- gathering ----

// One of the four points of eight pairs.
struct Point {
  Vec t0, t1;
  Float8 error;
};

PLIANT_SIMD_INLINE Point gather_point(const FilterInput& in, const std::uint32_t* index, int k) {
  const FloatVertex* vertices = in.vertices[k];
  const auto vertex = [&](int lane) PLIANT_SIMD_INLINE_LAMBDA { return vertices[in.pairs[index[lane]][k]].x_t0; };
  const simd::Columns8 c =
      simd::load_columns(vertex(0), vertex(1), vertex(2), vertex(3), vertex(4), vertex(5), vertex(6), vertex(7));
  return {{c.c0, c.c1, c.c2}, {c.c4, c.c5, c.c6}, c.c3};
}

// A, B, C of the points at one time.
template <bool kVertexFace>
PLIANT_SIMD_INLINE Three differences(Vec p0, Vec p1, Vec p2, Vec p3) {
  if constexpr (kVertexFace) return {p0 - p1, p2 - p1, p3 - p1};
  return {p2 - p0, p1 - p0, p3 - p2};
}

PLIANT_SIMD_INLINE Vec largest(Vec a, Vec b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }
PLIANT_SIMD_INLINE Vec extent(const Three& v) {
  const auto size = [](Vec a) { return Vec{abs(a.x), abs(a.y), abs(a.z)}; };
  return largest(size(v.a), largest(size(v.b), size(v.c)));
}

PLIANT_SIMD_INLINE Three at(const Three& t0, const Three& t1, Float8 t) {
  const Float8 left = Float8(1.0f) - t;
  return {t0.a * left + t1.a * t, t0.b * left + t1.b * t, t0.c * left + t1.c * t};
}

PLIANT_SIMD_INLINE Section gather_section(const FilterInput& in, const std::uint32_t* index, const Three& t0,
                                          const Three& t1) {
  float begin[8], end[8];
  for (int lane = 0; lane < 8; ++lane) {
    const double* pair = in.intervals ? in.intervals + in.interval_stride * index[lane] : nullptr;
    begin[lane] = static_cast<float>(pair ? pair[0] : in.begin);
    end[lane] = static_cast<float>(pair ? pair[1] : in.end);
  }
  const Float8 b = max(simd::load(begin) - 0x1p-23f, 0.0f), e = min(simd::load(end) + 0x1p-23f, 1.0f);
  return {b, e, at(t0, t1, b), at(t0, t1, e)};
}

template <class L>
PLIANT_SIMD_INLINE L gather(const FilterInput& in, const std::uint32_t* index) {
  const Point p0 = gather_point(in, index, 0), p1 = gather_point(in, index, 1);
  const Point p2 = gather_point(in, index, 2), p3 = gather_point(in, index, 3);
  L v{differences<L::kVertexFace>(p0.t0, p1.t0, p2.t0, p3.t0), differences<L::kVertexFace>(p0.t1, p1.t1, p2.t1, p3.t1)};
  if constexpr (!L::kWhole) v.section = gather_section(in, index, v.t0, v.t1);
  v.scale = largest(extent(v.t0), extent(v.t1));
  v.position_error = (p0.error + p1.error + p2.error + p3.error) * (1 + 0x1p-20f);
  // The sum is not a number if any of its terms is none; maxima may lose that.
  const Vec sum = (v.t0.a + v.t0.b) + (v.t0.c + v.t1.a) + (v.t1.b + v.t1.c);
  v.trusted = (max(v.scale.x, max(v.scale.y, v.scale.z)) < kLargestFloat) & simd::is_number(sum.x + sum.y + sum.z);
  return v;
}

// ---- separating directions (certificates.h) ----

// What the gap along n must exceed. A minimum separation d asks for d |n| more; the factor covers the roundings of |n|
// and of the product and sum. Where |n|^2 may have lost something to underflow, no gap is enough.
struct Separation {
  Float8 distance;
  bool wanted;
};

template <class L>
PLIANT_SIMD_INLINE Float8 needed(const L& v, Vec n, const Separation& d) {
  const auto along = [&](Float8 scale, Float8 x) { return (scale * kGapErrorFloat + v.position_error) * abs(x); };
  const Float8 error = along(v.scale.x, n.x) + along(v.scale.y, n.y) + along(v.scale.z, n.z) + kTinyFloat;
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
template <class L>
PLIANT_SIMD_INLINE Mask8 apart_above(const L& v, const Three& s, const Three& e, Vec n, const Separation& d) {
  const Float8 low = min(gaps<L::kVertexFace>(s, n).above, gaps<L::kVertexFace>(e, n).above);
  return low > needed(v, n, d);
}

template <class L>
PLIANT_SIMD_INLINE Mask8 apart_either_side(const L& v, Vec n, const Separation& d) {
  const Gaps s = gaps<L::kVertexFace>(v.begin(), n), e = gaps<L::kVertexFace>(v.end(), n);
  return max(min(s.above, e.above), min(s.below, e.below)) > needed(v, n, d);
}

// ---- first filter: the direction between the centres at their closest approach ----

template <bool kVertexFace>
PLIANT_SIMD_INLINE Vec between_centres(const Three& v) {
  if constexpr (kVertexFace) return v.a - (v.b + v.c) * (1.0f / 3);
  return v.a + (v.c - v.b) * 0.5f;
}

template <class L>
PLIANT_SIMD_INLINE Mask8 apart_by_centres(const L& v, const Separation& d) {
  const Vec start = between_centres<L::kVertexFace>(v.begin());
  const Vec velocity = between_centres<L::kVertexFace>(v.end()) - start;
  const Float8 t = clamp01((Float8(0.0f) - dot(start, velocity)) / dot(velocity, velocity));
  return apart_above(v, v.begin(), v.end(), start + velocity * t, d);
}

// ---- second filter: directions normal to the velocity and an edge; the cubic has no root ----

template <class L>
PLIANT_SIMD_INLINE Mask8 apart_by_velocity(const L& v, const Separation& d) {
  const Vec velocity = between_centres<L::kVertexFace>(v.end()) - between_centres<L::kVertexFace>(v.begin());
  const Vec b = v.begin().b + v.end().b, c = v.begin().c + v.end().c;
  const Mask8 apart = apart_either_side(v, cross(velocity, b), d) | apart_either_side(v, cross(velocity, c), d);
  if constexpr (L::kVertexFace) return apart | apart_either_side(v, cross(velocity, c - b), d);
  return apart;
}

struct CubicLanes {
  Float8 c0, c1, c2, c3;
};

PLIANT_SIMD_INLINE CubicLanes coplanarity_cubic(const Three& t0, const Three& t1) {
  const Vec n0 = cross(t0.b, t0.c), n2 = cross(t1.b, t1.c);
  const Vec n1 = cross(t0.b, t1.c) + cross(t1.b, t0.c);
  return {dot(t0.a, n0) * 3.0f, dot(t1.a, n0) + dot(t0.a, n1), dot(t1.a, n1) + dot(t0.a, n2), dot(t1.a, n2) * 3.0f};
}

template <class L>
PLIANT_SIMD_INLINE Float8 cubic_error(const L& v) {
  const Float8 e = v.position_error;
  const Float8 moved = (v.scale.x + e) * (v.scale.y + e) * (v.scale.z + e);
  return (moved - v.scale.x * v.scale.y * v.scale.z) * 18.0f + moved * kCubicErrorFloat + kTinyFloat;
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

// As root_free_fraction in cubic.h, with 2^-16 in the place of 2^-40: roundings here are below 2^-20 (y + m x).
PLIANT_SIMD_INLINE Float8 root_free_fraction(Float8 c0, Float8 c1, Float8 c2, Float8 c3, Float8 error) {
  const Float8 y = abs(c0);
  const Float8 s = select(c0 > 0.0f, 1.0f, -1.0f);
  const Float8 m = max(max((y - s * c1) * 3.0f, (y - s * c2) * 1.5f), y - s * c3);
  const Float8 numerator = (y - error - error) * (1 - 0x1p-16f);
  const Float8 fraction = select(m > numerator, numerator / m, 1.0f);
  return select(y > error + error, fraction, 0.0f);
}

struct Span {
  Float8 s, e;
  Mask8 empty;  // no root left
};

// Times are rounded by less than 2^-22 here (width, product, sum, all at most 1): spans end 2^-21 further out.
template <class L>
PLIANT_SIMD_INLINE Span clipped(const L& v, int clips) {
  const CubicLanes f = coplanarity_cubic(v.t0, v.t1);
  const Float8 error = cubic_error(v);
  Span span{0.0f, 1.0f, one_signed(f, error)};
  if constexpr (!L::kWhole) {
    span.s = v.section.begin_time;
    span.e = v.section.end_time;
  }
  for (int i = 0; i < clips; ++i) {
    const CubicLanes c = restricted(f, span.s, span.e);
    const Float8 left = root_free_fraction(c.c0, c.c1, c.c2, c.c3, error);
    const Float8 right = root_free_fraction(c.c3, c.c2, c.c1, c.c0, error);
    const Float8 width = span.e - span.s;
    const Float8 s = max(span.s, span.s + width * left - 0x1p-21f);
    const Float8 e = min(span.e, span.e - width * right + 0x1p-21f);
    span.empty = span.empty | one_signed(c, error) | (left >= 1.0f) | (right >= 1.0f) | (s > e);
    span.s = s;
    span.e = e;
  }
  return span;
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

template <class L>
PLIANT_SIMD_INLINE Mask8 apart_in_span(const L& v, const Span& span, const Separation& d) {
  const Three m = at(v.t0, v.t1, (span.s + span.e) * 0.5f);
  const Vec n = L::kVertexFace ? between_closest_vertex_face(m) : between_closest_edge_edge(m);
  return apart_above(v, at(v.t0, v.t1, span.s), at(v.t0, v.t1, span.e), n, d);
}

// ---- passes over a block ----

// Eight indices; those behind `count` repeat the first.
PLIANT_SIMD_INLINE const std::uint32_t* padded(const std::uint32_t* indices, std::size_t count,
                                               std::uint32_t (&out)[8]) {
  for (std::size_t lane = 0; lane < 8; ++lane) out[lane] = indices[lane < count ? lane : 0];
  return out;
}

PLIANT_SIMD_INLINE std::size_t write_set_bits(unsigned set, const std::uint32_t* indices, std::uint32_t* out) {
  std::size_t n = 0;
  for (; set != 0; set &= set - 1) out[n++] = indices[__builtin_ctz(set)];
  return n;
}

// Writes those of `count` indices that `rejects` does not reject; in place if need be.
template <class L, class Rejects>
PLIANT_SIMD_INLINE std::size_t pass(const FilterInput& in, const std::uint32_t* indices, std::size_t count,
                                    std::uint32_t* out, const Rejects& rejects) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    std::uint32_t last[8];
    const bool full = count - i >= 8;
    const std::uint32_t* group = full ? indices + i : padded(indices + i, count - i, last);
    const L v = gather<L>(in, group);
    const unsigned left = ~bits(rejects(v) & v.trusted) & (full ? 0xffu : (1u << (count - i)) - 1);
    kept += write_set_bits(left, group, out + kept);
  }
  return kept;
}

template <class L>
PLIANT_SIMD_INLINE Mask8 second_filter(const L& v, const Separation& d) {
  const Mask8 apart = apart_by_velocity(v, d);
  return d.wanted ? apart : apart | one_signed(coplanarity_cubic(v.t0, v.t1), cubic_error(v));
}

template <class L>
PLIANT_SIMD_INLINE Mask8 third_filter(const L& v, const Separation& d) {
  const Span span = clipped(v, 4);
  return span.empty | apart_in_span(v, span, d);
}

// Up to eight pairs: gathered once.
template <class L>
std::size_t filter_few(const FilterInput& in, std::uint32_t* out, const Separation& d) {
  constexpr std::uint32_t kIndices[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  std::uint32_t group[8];
  const L v = gather<L>(in, padded(kIndices, in.count, group));
  unsigned left = (1u << in.count) - 1;
  left &= ~bits(apart_by_centres(v, d) & v.trusted);
  if (left != 0) left &= ~bits(second_filter(v, d) & v.trusted);
  if (left != 0 && !d.wanted) left &= ~bits(third_filter(v, d) & v.trusted);
  return write_set_bits(left, kIndices, out);
}

// A pass for each filter, because most pairs are gone after the first.
template <class L>
std::size_t filter_many(const FilterInput& in, std::uint32_t* out, const Separation& d) {
  for (std::uint32_t i = 0; i < in.count; ++i) out[i] = i;
  std::size_t n =
      pass<L>(in, out, in.count, out, [&](const L& v) PLIANT_SIMD_INLINE_LAMBDA { return apart_by_centres(v, d); });
  n = pass<L>(in, out, n, out, [&](const L& v) PLIANT_SIMD_INLINE_LAMBDA { return second_filter(v, d); });
  if (d.wanted) return n;
  return pass<L>(in, out, n, out, [&](const L& v) PLIANT_SIMD_INLINE_LAMBDA { return third_filter(v, d); });
}

template <class L>
std::size_t filter_lanes(const FilterInput& in, std::uint32_t* out) {
  // Rounded up, so that no contact within the distance is lost.
  const Separation d{static_cast<float>(in.min_separation) * (1 + 0x1p-22f), in.min_separation > 0};
  return in.count <= 8 ? filter_few<L>(in, out, d) : filter_many<L>(in, out, d);
}

// NOLINTNEXTLINE(misc-definitions-in-headers): included by one file of each target
std::size_t filter(const FilterInput& in, std::uint32_t* out) {
  if (in.intervals || in.begin != 0 || in.end != 1) {
    return in.vertex_face ? filter_lanes<Lanes<true, false>>(in, out) : filter_lanes<Lanes<false, false>>(in, out);
  }
  return in.vertex_face ? filter_lanes<Lanes<true, true>>(in, out) : filter_lanes<Lanes<false, true>>(in, out);
}

}  // namespace pliant::ccd::PLIANT_SIMD_TARGET
