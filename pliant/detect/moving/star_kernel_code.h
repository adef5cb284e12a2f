// The kernel of star_kernel.h, compiled for each target. Lanes are passed by pointer, never by value: how the latter
// would be done depends on the instruction set.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/moving/star_kernel.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::star::PLIANT_SIMD_TARGET {
namespace {

using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
using Unaligned = double __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double)), may_alias));

struct Vector {
  Lanes x, y, z;
};

PLIANT_SIMD_INLINE void load_corners(Vector* v, const double* rows, const std::uint32_t* index) {
  Lanes r[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) r[lane] = *(const Unaligned*)(rows + kVertex * index[lane]);
  const Lanes even01 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
  const Lanes odd01 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  const Lanes even23 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);
  const Lanes odd23 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  v->x = __builtin_shufflevector(even01, even23, 0, 1, 4, 5);
  v->y = __builtin_shufflevector(odd01, odd23, 0, 1, 4, 5);
  v->z = __builtin_shufflevector(even01, even23, 2, 3, 6, 7);
}

PLIANT_SIMD_INLINE void add_cross(Vector* sum, const Vector& a, const Vector& b) {
  sum->x += a.y * b.z - a.z * b.y;
  sum->y += a.z * b.x - a.x * b.z;
  sum->z += a.x * b.y - a.y * b.x;
}
PLIANT_SIMD_INLINE void dot(Lanes* product, const Vector& a, const Vector& b) {
  *product = a.x * b.x + a.y * b.y + a.z * b.z;
}
PLIANT_SIMD_INLINE void keep_less(Lanes* least, const Lanes& a) { *least = a < *least ? a : *least; }
PLIANT_SIMD_INLINE void keep_more(Lanes* most, const Lanes& a) { *most = a > *most ? a : *most; }

// A point that moves from one place to another, both as seen from the centre.
struct Way {
  Vector from, to;
  Lanes length_sq;  // the largest on the way: at one of its ends
};

PLIANT_SIMD_INLINE void load_way(Way* way, const double* vertices, const std::uint32_t* index) {
  load_corners(&way->from, vertices, index);
  load_corners(&way->to, vertices + kVertex / 2, index);
  Lanes end;
  dot(&way->length_sq, way->from, way->from);
  dot(&end, way->to, way->to);
  keep_more(&way->length_sq, end);
}

// The cross product of two ways, in Bernstein form: the middle one twice.
struct Turn {
  Vector first, middle, last;
};
PLIANT_SIMD_INLINE void cross(Turn* turn, const Way& a, const Way& b) {
  turn->first = turn->middle = turn->last = Vector{Lanes{}, Lanes{}, Lanes{}};
  add_cross(&turn->first, a.from, b.from);
  add_cross(&turn->middle, a.from, b.to);
  add_cross(&turn->middle, a.to, b.from);
  add_cross(&turn->last, a.to, b.to);
}
PLIANT_SIMD_INLINE void largest_sq(Lanes* most, const Turn& turn) {
  Lanes middle, last;
  dot(most, turn.first, turn.first);
  dot(&middle, turn.middle, turn.middle);
  dot(&last, turn.last, turn.last);
  keep_more(most, middle * 0.25);
  keep_more(most, last);
}

// The least of the Bernstein coefficients of the triple product, a cubic in time, which is never below them.
PLIANT_SIMD_INLINE void least_volume(Lanes* least, const Way& a, const Turn& b_c) {
  Lanes at_start, early_a, early_turn, late_a, late_turn, at_end;
  dot(&at_start, a.from, b_c.first);
  dot(&early_a, a.to, b_c.first);
  dot(&early_turn, a.from, b_c.middle);
  dot(&late_a, a.from, b_c.last);
  dot(&late_turn, a.to, b_c.middle);
  dot(&at_end, a.to, b_c.last);
  *least = at_start;
  keep_less(least, (early_a + early_turn) * (1.0 / 3));
  keep_less(least, (late_a + late_turn) * (1.0 / 3));
  keep_less(least, at_end);
}

PLIANT_SIMD_INLINE unsigned lanes_not_above(const Lanes& a, double limit) {
  unsigned bits = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) bits |= a[lane] > limit ? 0u : 1u << lane;
  return bits;
}
PLIANT_SIMD_INLINE double least_of(const Lanes& a) {
  const double low = a[0] < a[1] ? a[0] : a[1], high = a[2] < a[3] ? a[2] : a[3];
  return low < high ? low : high;
}

}  // namespace

StarBounds bound_star(const StarArrays& s) {
  Lanes radius_sq = Lanes{} + __builtin_inf(), sine_sq = radius_sq;
  const Vector ray{Lanes{} + s.ray[0], Lanes{} + s.ray[1], Lanes{} + s.ray[2]};
  int met = 0;
  for (std::size_t i = 0; i < s.blocks; ++i) {
    const std::uint32_t* const corner = s.corners + 3 * kLanes * i;
    Way a, b, c;
    load_way(&a, s.vertices, corner);
    load_way(&b, s.vertices, corner + kLanes);
    load_way(&c, s.vertices, corner + 2 * kLanes);
    Turn a_b, b_c, c_a;
    cross(&b_c, b, c);
    Lanes volume;
    least_volume(&volume, a, b_c);
    volume -= s.noise;
    if (lanes_not_above(volume, 0) != 0) return {};
    cross(&a_b, a, b);
    cross(&c_a, c, a);
    // The ray is certainly outside a face if it is behind one of the planes through the centre and an edge.
    Lanes behind, other;
    dot(&behind, ray, a_b.first);
    dot(&other, ray, b_c.first);
    keep_less(&behind, other);
    dot(&other, ray, c_a.first);
    keep_less(&behind, other);
    met += __builtin_popcount(lanes_not_above(-behind, s.noise));
    // (b - a) x (c - a)
    const Turn flat{{a_b.first.x + b_c.first.x + c_a.first.x, a_b.first.y + b_c.first.y + c_a.first.y,
                     a_b.first.z + b_c.first.z + c_a.first.z},
                    {a_b.middle.x + b_c.middle.x + c_a.middle.x, a_b.middle.y + b_c.middle.y + c_a.middle.y,
                     a_b.middle.z + b_c.middle.z + c_a.middle.z},
                    {a_b.last.x + b_c.last.x + c_a.last.x, a_b.last.y + b_c.last.y + c_a.last.y,
                     a_b.last.z + b_c.last.z + c_a.last.z}};
    Lanes area_sq, base_sq, widest_sq;
    largest_sq(&area_sq, flat);
    const Lanes volume_sq = volume * volume;
    keep_less(&radius_sq, volume_sq / area_sq);
    largest_sq(&widest_sq, b_c);
    widest_sq *= a.length_sq;
    largest_sq(&base_sq, c_a);
    keep_more(&widest_sq, base_sq * b.length_sq);
    largest_sq(&base_sq, a_b);
    keep_more(&widest_sq, base_sq * c.length_sq);
    keep_less(&sine_sq, volume_sq / widest_sq);
  }
  return {met == 1, least_of(radius_sq), least_of(sine_sq)};
}

}  // namespace pliant::star::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
