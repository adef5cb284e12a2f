// Forces of tetrahedra, four at a time. Plain pointers only: this header is compiled into AVX2 files (core/simd.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::fem {

inline constexpr std::size_t kLanes = 4;

// Blocks of four tets, lane after lane: component c of lane l of block b stands at (b * components + c) * kLanes + l.
// The last block is filled up with tets of no volume.
struct ElementArrays {
  const double* inverse;         // 9 a tet: inverse of the edge matrix at rest, row by row
  const double* volume;          // 1 a tet: at rest, m^3
  const double* gradient_sq;     // 1 a tet: sum over corners of 1 / altitude^2 at rest, 1/m^2
  const std::uint32_t* corners;  // 4 a tet: node indices
  std::size_t blocks;
  double lambda, mu;  // Pa
  double phi, psi;    // Pa s
};

// Bounds on what an explicit step must resolve: for all tets, the largest of gradient_sq times ...
struct Stiffness {
  double elastic = 0;     // ... (s^2 (lambda + 2 mu) + largest tension), 1/m^2 Pa; s: largest principal stretch
  double stretch_sq = 0;  // ... s^2, 1/m^2
};

// x, v, force: three doubles a node. Adds to force.
Stiffness add_forces(const ElementArrays& elements, const double* x, const double* v, double* force);

struct SizeRange {
  double least = 0, largest = 0;  // of |F|^2, which is 3 at rest
};
// F of every tet, rounded: three rows of four per tet, the last number of each 0. There must be room for whole blocks.
SizeRange store_gradients(const ElementArrays& elements, const double* x, float* rows);
// Tets whose volume is not positive; those that fill up the last block count too.
std::size_t count_inverted(const ElementArrays& elements, const double* x);

namespace portable {
Stiffness add_forces(const ElementArrays& elements, const double* x, const double* v, double* force);
SizeRange store_gradients(const ElementArrays& elements, const double* x, float* rows);
std::size_t count_inverted(const ElementArrays& elements, const double* x);
}  // namespace portable
namespace avx2 {
Stiffness add_forces(const ElementArrays& elements, const double* x, const double* v, double* force);
SizeRange store_gradients(const ElementArrays& elements, const double* x, float* rows);
std::size_t count_inverted(const ElementArrays& elements, const double* x);
}  // namespace avx2

}  // namespace pliant::fem
