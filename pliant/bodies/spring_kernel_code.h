// The kernel of spring_kernel.h, compiled for each target.
#pragma once

#include "pliant/bodies/spring_kernel.h"
#include "pliant/core/simd.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::springs::PLIANT_SIMD_TARGET {
namespace {

using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// Of the length at rest: shorter ones have no direction to push in.
constexpr double kCollapsed = 1e-12;

PLIANT_SIMD_INLINE void load(Lanes* lanes, const double* p) { __builtin_memcpy(lanes, p, sizeof(Lanes)); }

PLIANT_SIMD_INLINE void load_differences(Lanes* d, const double* nodes, const std::uint32_t* a,
                                         const std::uint32_t* b) {
  const double* from[kLanes] = {nodes + 3 * std::size_t{a[0]}, nodes + 3 * std::size_t{a[1]},
                                nodes + 3 * std::size_t{a[2]}, nodes + 3 * std::size_t{a[3]}};
  const double* to[kLanes] = {nodes + 3 * std::size_t{b[0]}, nodes + 3 * std::size_t{b[1]},
                              nodes + 3 * std::size_t{b[2]}, nodes + 3 * std::size_t{b[3]}};
  for (std::size_t i = 0; i < 3; ++i)
    d[i] = Lanes{to[0][i], to[1][i], to[2][i], to[3][i]} - Lanes{from[0][i], from[1][i], from[2][i], from[3][i]};
}

PLIANT_SIMD_INLINE void take_sqrt(Lanes* a) {
#if defined(__AVX2__)
  *a = (Lanes)_mm256_sqrt_pd((__m256d)*a);
#else
  *a = Lanes{__builtin_sqrt((*a)[0]), __builtin_sqrt((*a)[1]), __builtin_sqrt((*a)[2]), __builtin_sqrt((*a)[3])};
#endif
}

}  // namespace

// NOLINTNEXTLINE(misc-definitions-in-headers): included by one file of each target
void add_forces(const SpringArrays& s, const double* x, const double* v, double* force) {
  for (std::size_t first = 0; first < s.blocks * kLanes; first += kLanes) {
    const std::uint32_t *a = s.a + first, *b = s.b + first;
    Lanes d[3], rate[3], rest, stiffness;
    load_differences(d, x, a, b);
    load_differences(rate, v, a, b);
    load(&rest, s.length + first);
    load(&stiffness, s.stiffness + first);
    const Lanes length_sq = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    Lanes length = length_sq;
    take_sqrt(&length);
    const auto collapsed = length < kCollapsed * rest;
    const Lanes divisor = collapsed ? rest : length;
    const Lanes speed = rate[0] * d[0] + rate[1] * d[1] + rate[2] * d[2];
    // (k (l - L) + c rate . d / l) / l
    const Lanes inverse = 1.0 / divisor;
    const Lanes pull = (stiffness * (length - rest) + s.damping * (speed * inverse)) * inverse;
    const Lanes kept = collapsed ? Lanes{} : pull;
    for (Lanes& component : d) component *= kept;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double *at_a = force + 3 * std::size_t{a[lane]}, *at_b = force + 3 * std::size_t{b[lane]};
      for (std::size_t i = 0; i < 3; ++i) {
        at_a[i] += d[i][lane];
        at_b[i] -= d[i][lane];
      }
    }
  }
}

}  // namespace pliant::springs::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
