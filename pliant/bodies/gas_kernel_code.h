// The kernel of gas_kernel.h, compiled for each target. Lanes are passed by pointer, never by value: how the latter
// would be done depends on the instruction set.
#pragma once

#include "pliant/bodies/gas_kernel.h"
#include "pliant/core/simd.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::gas::PLIANT_SIMD_TARGET {
namespace {

using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// Of the length at rest: shorter ones have no direction to push in.
constexpr double kCollapsed = 1e-12;

// Not by memcpy, which gcc 12 makes two halves in memory that are then read as one: a stall of a dozen cycles.
using Unaligned = double __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double)), may_alias));
PLIANT_SIMD_INLINE void load(Lanes* lanes, const double* p) { *lanes = *(const Unaligned*)p; }
PLIANT_SIMD_INLINE void store(double* p, const Lanes& lanes) { *(Unaligned*)p = lanes; }

PLIANT_SIMD_INLINE void take_sqrt(Lanes* a) {
#if defined(__AVX2__)
  *a = (Lanes)_mm256_sqrt_pd((__m256d)*a);
#else
  *a = Lanes{__builtin_sqrt((*a)[0]), __builtin_sqrt((*a)[1]), __builtin_sqrt((*a)[2]), __builtin_sqrt((*a)[3])};
#endif
}

PLIANT_SIMD_INLINE void transpose(Lanes* r) {
  const Lanes even01 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
  const Lanes odd01 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  const Lanes even23 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);
  const Lanes odd23 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  r[0] = __builtin_shufflevector(even01, even23, 0, 1, 4, 5);
  r[1] = __builtin_shufflevector(odd01, odd23, 0, 1, 4, 5);
  r[2] = __builtin_shufflevector(even01, even23, 2, 3, 6, 7);
  r[3] = __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7);
}

// x, y, z and the fourth of four rows.
PLIANT_SIMD_INLINE void load_rows(Lanes* columns, const double* rows, const std::uint32_t* index) {
  load(columns, rows + kNode * std::size_t{index[0]});
  load(columns + 1, rows + kNode * std::size_t{index[1]});
  load(columns + 2, rows + kNode * std::size_t{index[2]});
  load(columns + 3, rows + kNode * std::size_t{index[3]});
  transpose(columns);
}

PLIANT_SIMD_INLINE void store_rows(double* rows, const Lanes* columns) {
  Lanes r[4] = {columns[0], columns[1], columns[2], Lanes{}};
  transpose(r);
  for (std::size_t lane = 0; lane < kLanes; ++lane) store(rows + kVector * lane, r[lane]);
}

PLIANT_SIMD_INLINE void add_cross(Lanes* sum, const Lanes* a, const Lanes* b) {
  sum[0] += a[1] * b[2] - a[2] * b[1];
  sum[1] += a[2] * b[0] - a[0] * b[2];
  sum[2] += a[0] * b[1] - a[1] * b[0];
}

// What one block of vertices adds up. The last three are only set where they are measured.
struct Block {
  Lanes x[4], v[4];
  Lanes force[3], cross[3];
  Lanes stiffness[6];  // sum k d d^T: xx, yy, zz, yz, xz, xy
  Lanes tension;       // sum k max(0, 1 - L / l)
  Lanes edges;         // sum l
};

// d: from the vertex to its neighbour.
template <bool kMeasure>
PLIANT_SIMD_INLINE void add_spring(Block* block, Lanes* d, const GasArrays& s, std::size_t entry, const double* nodes) {
  Lanes far[4], rate[4], rest, stiffness;
  load_rows(far, nodes, s.neighbour + entry);
  load_rows(rate, nodes + kVector, s.neighbour + entry);
  load(&rest, s.length + entry);
  load(&stiffness, s.stiffness + entry);
  for (std::size_t i = 0; i < 3; ++i) d[i] = far[i] - block->x[i];
  for (std::size_t i = 0; i < 3; ++i) rate[i] -= block->v[i];
  Lanes length = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  take_sqrt(&length);
  const auto springs = (length >= kCollapsed * rest) & (stiffness >= 0);
  const Lanes inverse = 1.0 / (springs ? length : rest);
  const Lanes speed = (rate[0] * d[0] + rate[1] * d[1] + rate[2] * d[2]) * inverse;
  // (k (l - L) + c rate . d / l) / l
  const Lanes pull = springs ? (stiffness * (length - rest) + s.damping * speed) * inverse : Lanes{};
  for (std::size_t i = 0; i < 3; ++i) block->force[i] += pull * d[i];
  if constexpr (!kMeasure) return;
  const Lanes along = springs ? stiffness * inverse * inverse : Lanes{};
  constexpr std::size_t kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  for (std::size_t i = 0; i < 6; ++i) block->stiffness[i] += along * (d[kPairs[i][0]] * d[kPairs[i][1]]);
  const Lanes stretched = stiffness * (1.0 - rest * inverse);
  block->tension += (springs & (stretched > 0)) ? stretched : Lanes{};
  block->edges += springs ? length : Lanes{};
}

template <bool kMeasure>
PLIANT_SIMD_INLINE void add_neighbours(Block* block, const GasArrays& s, std::size_t b, const double* nodes) {
  const std::size_t begin = s.first[b], ring_end = begin + s.ring[b], end = s.first[b + 1];
  Lanes first[3], last[3], d[3];
  add_spring<kMeasure>(block, first, s, begin * kLanes, nodes);
  for (std::size_t i = 0; i < 3; ++i) last[i] = first[i];
  for (std::size_t e = begin + 1; e < ring_end; ++e) {
    add_spring<kMeasure>(block, d, s, e * kLanes, nodes);
    add_cross(block->cross, last, d);
    for (std::size_t i = 0; i < 3; ++i) last[i] = d[i];
  }
  add_cross(block->cross, last, first);
  for (std::size_t e = ring_end; e < end; ++e) add_spring<kMeasure>(block, d, s, e * kLanes, nodes);
}

// No eigenvalue of a symmetric matrix A is above the fourth root of tr A^4.
PLIANT_SIMD_INLINE void largest_eigenvalue(Lanes* bound, const Lanes* a) {
  const Lanes xx = a[0] * a[0] + a[5] * a[5] + a[4] * a[4], yy = a[5] * a[5] + a[1] * a[1] + a[3] * a[3],
              zz = a[4] * a[4] + a[3] * a[3] + a[2] * a[2], yz = a[5] * a[4] + a[1] * a[3] + a[3] * a[2],
              xz = a[0] * a[4] + a[5] * a[3] + a[4] * a[2], xy = a[0] * a[5] + a[5] * a[1] + a[4] * a[3];
  *bound = xx * xx + yy * yy + zz * zz + 2.0 * (yz * yz + xz * xz + xy * xy);
  take_sqrt(bound);
  take_sqrt(bound);
}

struct Totals {
  Lanes volume = {}, compression = {}, springs = {}, edges = {};
};

template <bool kMeasure>
PLIANT_SIMD_INLINE void pass(Totals* totals, const GasArrays& s, const double* nodes, const double* origin,
                             double* spring, double* gradient) {
  for (std::size_t b = 0; b < s.blocks; ++b) {
    Block block;
    for (std::size_t i = 0; i < 3; ++i) block.force[i] = block.cross[i] = Lanes{};
    if constexpr (kMeasure) {
      for (Lanes& component : block.stiffness) component = Lanes{};
      block.tension = block.edges = Lanes{};
    }
    const std::uint32_t own = static_cast<std::uint32_t>(b * kLanes);
    const std::uint32_t slots[kLanes] = {own, own + 1, own + 2, own + 3};
    load_rows(block.x, nodes, slots);
    load_rows(block.v, nodes + kVector, slots);
    add_neighbours<kMeasure>(&block, s, b, nodes);
    store_rows(spring + kVector * kLanes * b, block.force);
    Lanes g[3];
    for (std::size_t i = 0; i < 3; ++i) g[i] = block.cross[i] * (1.0 / 6);
    store_rows(gradient + kVector * kLanes * b, g);
    totals->volume +=
        (block.x[0] - origin[0]) * g[0] + (block.x[1] - origin[1]) * g[1] + (block.x[2] - origin[2]) * g[2];
    if constexpr (!kMeasure) continue;
    const Lanes& inverse_mass = block.x[3];
    totals->compression += inverse_mass * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    Lanes stiffest;
    largest_eigenvalue(&stiffest, block.stiffness);
    const Lanes springs = 2.0 * inverse_mass * (stiffest + block.tension), edges = inverse_mass * block.edges;
    totals->springs = springs > totals->springs ? springs : totals->springs;
    totals->edges = edges > totals->edges ? edges : totals->edges;
  }
}

PLIANT_SIMD_INLINE double sum_of(const Lanes& a) { return (a[0] + a[1]) + (a[2] + a[3]); }
PLIANT_SIMD_INLINE double largest_of(const Lanes& a) {
  const double low = a[0] > a[1] ? a[0] : a[1], high = a[2] > a[3] ? a[2] : a[3];
  return low > high ? low : high;
}

}  // namespace

// The volume is homogeneous of degree three: x . grad V = 3 V.
double evaluate(const GasArrays& s, const double* nodes, const double* origin, double* spring, double* gradient) {
  Totals totals;
  pass<false>(&totals, s, nodes, origin, spring, gradient);
  return sum_of(totals.volume) / 3;
}

GasSums measure(const GasArrays& s, const double* nodes, const double* origin, double* spring, double* gradient) {
  Totals totals;
  pass<true>(&totals, s, nodes, origin, spring, gradient);
  return {sum_of(totals.volume) / 3, sum_of(totals.compression), largest_of(totals.springs), largest_of(totals.edges)};
}

void move(const GasMove& how, double* nodes) {
  for (std::size_t i = 0; i < how.nodes; ++i) {
    double* const node = nodes + kNode * i;
    Lanes x, v, spring, gradient, a;
    load(&x, node);
    load(&v, node + kVector);
    load(&spring, how.spring + kVector * i);
    load(&gradient, how.gradient + kVector * i);
    load(&a, how.acceleration + kVector * i);
    const double inverse_mass = node[3];
    v += how.kick * (a + inverse_mass * (spring + how.excess * gradient));
    x += how.drift * v;
    store(node + kVector, v);
    store(node, x);
  }
}

}  // namespace pliant::gas::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
