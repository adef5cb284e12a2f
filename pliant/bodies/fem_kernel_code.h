// The kernel of fem_kernel.h, compiled for each target. Arrays of lanes are passed by pointer, never by value: how the
// latter would be done depends on the instruction set.
#pragma once

#include "pliant/bodies/fem_kernel.h"
#include "pliant/core/simd.h"

namespace pliant::fem::PLIANT_SIMD_TARGET {
namespace {

using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// 3 x 3, row by row.
struct Matrix {
  Lanes m[9];
};
// xx, yy, zz, yz, xz, xy.
struct Symmetric {
  Lanes m[6];
};

PLIANT_SIMD_INLINE void load(Lanes* lanes, const double* p) { __builtin_memcpy(lanes, p, sizeof(Lanes)); }

// Edge vectors from corner 0 as columns.
PLIANT_SIMD_INLINE void load_edges(Matrix* edges, const double* nodes, const std::uint32_t* corners) {
  for (std::size_t row = 0; row < 3; ++row) {
    Lanes corner[4];
    for (std::size_t c = 0; c < 4; ++c) {
      const std::uint32_t* node = corners + c * kLanes;
      corner[c] = Lanes{nodes[3 * std::size_t{node[0]} + row], nodes[3 * std::size_t{node[1]} + row],
                        nodes[3 * std::size_t{node[2]} + row], nodes[3 * std::size_t{node[3]} + row]};
    }
    for (std::size_t c = 0; c < 3; ++c) edges->m[3 * row + c] = corner[c + 1] - corner[0];
  }
}

PLIANT_SIMD_INLINE void multiply(Matrix* result, const Matrix& a, const Matrix& b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      result->m[3 * i + j] = a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
}

PLIANT_SIMD_INLINE void multiply(Matrix* result, const Matrix& a, const Symmetric& s) {
  for (int i = 0; i < 3; ++i) {
    const Lanes *r = a.m + 3 * i, *t = s.m;
    result->m[3 * i] = r[0] * t[0] + r[1] * t[5] + r[2] * t[4];
    result->m[3 * i + 1] = r[0] * t[5] + r[1] * t[1] + r[2] * t[3];
    result->m[3 * i + 2] = r[0] * t[4] + r[1] * t[3] + r[2] * t[2];
  }
}

// a^T b + b^T a, of columns i and j.
PLIANT_SIMD_INLINE void symmetric_product(Symmetric* result, const Matrix& a, const Matrix& b) {
  constexpr int kColumns[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  for (int k = 0; k < 6; ++k) {
    const int i = kColumns[k][0], j = kColumns[k][1];
    const Lanes ab = a.m[i] * b.m[j] + a.m[3 + i] * b.m[3 + j] + a.m[6 + i] * b.m[6 + j];
    const Lanes ba = a.m[j] * b.m[i] + a.m[3 + j] * b.m[3 + i] + a.m[6 + j] * b.m[6 + i];
    result->m[k] = ab + ba;
  }
}

PLIANT_SIMD_INLINE void take_abs(Lanes* a) { *a = *a < 0.0 ? -*a : *a; }
PLIANT_SIMD_INLINE void take_max(Lanes* a, const Lanes& b) { *a = *a > b ? *a : b; }

// Gershgorin: no eigenvalue of a symmetric matrix is above this. Exact at rest.
PLIANT_SIMD_INLINE void bound_eigenvalue(Lanes* bound, const Symmetric& s) {
  Lanes yz = s.m[3], xz = s.m[4], xy = s.m[5];
  take_abs(&yz);
  take_abs(&xz);
  take_abs(&xy);
  *bound = s.m[0] + xz + xy;
  take_max(bound, s.m[1] + yz + xy);
  take_max(bound, s.m[2] + yz + xz);
}

struct Bounds {
  Lanes elastic;
  Lanes stretch_sq;
};

// Green strain, its rate, and the stress of both (2nd Piola-Kirchhoff); twice_c is F^T F + F^T F.
PLIANT_SIMD_INLINE void find_stress(Symmetric* stress, const ElementArrays& e, const Symmetric& twice_c,
                                    const Symmetric& twice_rate) {
  Symmetric strain;
  for (int k = 0; k < 6; ++k) strain.m[k] = 0.25 * twice_c.m[k] - (k < 3 ? 0.5 : 0.0);
  const Lanes trace = strain.m[0] + strain.m[1] + strain.m[2];
  const Lanes rate_trace = 0.5 * (twice_rate.m[0] + twice_rate.m[1] + twice_rate.m[2]);
  const Lanes diagonal = e.lambda * trace + e.phi * rate_trace;
  for (int k = 0; k < 6; ++k) {
    stress->m[k] = (2 * e.mu) * strain.m[k] + e.psi * twice_rate.m[k];
    if (k < 3) stress->m[k] += diagonal;
  }
}

PLIANT_SIMD_INLINE void raise_bounds(Bounds* bounds, const ElementArrays& e, const Symmetric& twice_c,
                                     const double* gradient_sq) {
  Lanes weight, stretch_sq;
  load(&weight, gradient_sq);
  bound_eigenvalue(&stretch_sq, twice_c);
  stretch_sq *= 0.5;
  const Lanes trace = 0.25 * (twice_c.m[0] + twice_c.m[1] + twice_c.m[2]) - 1.5;
  Lanes tension = e.lambda * trace + e.mu * (stretch_sq - 1.0);
  take_max(&tension, Lanes{});
  take_max(&bounds->elastic, weight * (stretch_sq * (e.lambda + 2 * e.mu) + tension));
  take_max(&bounds->stretch_sq, weight * stretch_sq);
}

// Corner i + 1 gets minus row i of (inverse (V F S)^T), corner 0 what balances them.
PLIANT_SIMD_INLINE void scatter(double* force, const std::uint32_t* corners, const Matrix& inverse, const Matrix& p) {
  for (std::size_t row = 0; row < 3; ++row) {
    Lanes f[4];
    for (std::size_t c = 0; c < 3; ++c)
      f[c + 1] = -(p.m[3 * row] * inverse.m[3 * c] + p.m[3 * row + 1] * inverse.m[3 * c + 1] +
                   p.m[3 * row + 2] * inverse.m[3 * c + 2]);
    f[0] = -(f[1] + f[2] + f[3]);
    for (std::size_t l = 0; l < kLanes; ++l)
      for (std::size_t c = 0; c < 4; ++c) force[3 * std::size_t{corners[c * kLanes + l]} + row] += f[c][l];
  }
}

PLIANT_SIMD_INLINE double largest(const Lanes& a) {
  double result = a[0];
  for (std::size_t l = 1; l < kLanes; ++l) result = a[l] > result ? a[l] : result;
  return result;
}

}  // namespace

// NOLINTNEXTLINE(misc-definitions-in-headers): included by one file of each target
Stiffness add_forces(const ElementArrays& e, const double* x, const double* v, double* force) {
  Bounds bounds{};
  for (std::size_t block = 0; block < e.blocks; ++block) {
    const std::uint32_t* corners = e.corners + block * 4 * kLanes;
    Matrix inverse, edges, gradient, rate, piola;
    for (std::size_t k = 0; k < 9; ++k) load(&inverse.m[k], e.inverse + (block * 9 + k) * kLanes);
    load_edges(&edges, x, corners);
    multiply(&gradient, edges, inverse);
    load_edges(&edges, v, corners);
    multiply(&rate, edges, inverse);
    Symmetric twice_c, twice_rate, stress;
    symmetric_product(&twice_c, gradient, gradient);
    symmetric_product(&twice_rate, gradient, rate);
    find_stress(&stress, e, twice_c, twice_rate);
    raise_bounds(&bounds, e, twice_c, e.gradient_sq + block * kLanes);
    Lanes volume;
    load(&volume, e.volume + block * kLanes);
    for (Lanes& s : stress.m) s *= volume;
    multiply(&piola, gradient, stress);
    scatter(force, corners, inverse, piola);
  }
  return {largest(bounds.elastic), largest(bounds.stretch_sq)};
}

// NOLINTNEXTLINE(misc-definitions-in-headers)
SizeRange store_gradients(const ElementArrays& e, const double* x, float* rows) {
  Lanes least_sq = Lanes{} + 1e300, largest_sq{};
  for (std::size_t block = 0; block < e.blocks; ++block) {
    Matrix inverse, edges, gradient;
    for (std::size_t k = 0; k < 9; ++k) load(&inverse.m[k], e.inverse + (block * 9 + k) * kLanes);
    load_edges(&edges, x, e.corners + block * 4 * kLanes);
    multiply(&gradient, edges, inverse);
    Lanes size_sq{};
    for (const Lanes& entry : gradient.m) size_sq += entry * entry;
    for (std::size_t l = 0; l < kLanes; ++l) {
      if (!(e.volume[block * kLanes + l] > 0)) continue;
      if (size_sq[l] < least_sq[l]) least_sq[l] = size_sq[l];
      if (size_sq[l] > largest_sq[l]) largest_sq[l] = size_sq[l];
    }
    for (std::size_t l = 0; l < kLanes; ++l, rows += 12)
      for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t c = 0; c < 3; ++c) rows[4 * row + c] = static_cast<float>(gradient.m[3 * row + c][l]);
        rows[4 * row + 3] = 0;
      }
  }
  double least = least_sq[0];
  for (std::size_t l = 1; l < kLanes; ++l) least = least_sq[l] < least ? least_sq[l] : least;
  return {least, largest(largest_sq)};
}

// NOLINTNEXTLINE(misc-definitions-in-headers)
std::size_t count_inverted(const ElementArrays& e, const double* x) {
  std::size_t count = 0;
  for (std::size_t block = 0; block < e.blocks; ++block) {
    Matrix m;
    load_edges(&m, x, e.corners + block * 4 * kLanes);
    const Lanes volume = m.m[0] * (m.m[4] * m.m[8] - m.m[5] * m.m[7]) - m.m[1] * (m.m[3] * m.m[8] - m.m[5] * m.m[6]) +
                         m.m[2] * (m.m[3] * m.m[7] - m.m[4] * m.m[6]);
    for (std::size_t l = 0; l < kLanes; ++l) count += volume[l] > 0 ? 0 : 1;
  }
  return count;
}

}  // namespace pliant::fem::PLIANT_SIMD_TARGET
