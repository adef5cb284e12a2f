// Potential, gradient and Hessian products of stable Neo-Hookean tetrahedra, eight tets at a time (fem_newton.h says
// what for). Plain pointers only: this header is compiled into AVX2 files (core/simd.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "pliant/bodies/fem_descent_kernel.h"

namespace pliant::fem {

// Blocks of eight tets: component c of lane l of block b stands at (b * components + c) * 8 + l. The last block is
// filled up with tets of no volume.
struct TetBlocks {
  std::size_t blocks;
  const std::uint32_t* rows;     // 1 per tet: of DescentStep::start_gradients, the first of the tet's
  const std::uint32_t* corners;  // 4 per tet: nodes
  const float* gradients;        // 9 per tet: of the shape functions of corners 1, 2, 3, 1/m
  const float* volumes;          // 1 per tet: at rest, m^3
};

// Floats per tet: F, the factor of the second derivative of J, and F at the start, in the order of lanes.
inline constexpr std::size_t kTangentSize = 19;

// At step.moved. Elastic and viscous energy, J, per lane: the caller adds lanes and blocks in one order.
void add_potential(const TetBlocks& tets, const DescentStep& step, double* energy);
// The elastic part alone: at the start of the step, and at step.moved.
void add_elastic_energies(const TetBlocks& tets, const DescentStep& step, double* start, double* end);
// Adds the gradient, N, to rows of four per node, and what add_potential() adds; keeps what products with the Hessian
// need.
void add_gradient(const TetBlocks& tets, const DescentStep& step, float* gradient, float* tangent, double* energy);
// Adds the product of a positive definite stand-in of the Hessian with `direction` (rows of four per node).
void add_product(const TetBlocks& tets, const DescentStep& step, const float* tangent, const float* direction,
                 float* product);

#define PLIANT_FEM_NEWTON_KERNEL                                                                                      \
  void add_potential(const TetBlocks& tets, const DescentStep& step, double* energy);                                 \
  void add_elastic_energies(const TetBlocks& tets, const DescentStep& step, double* start, double* end);              \
  void add_gradient(const TetBlocks& tets, const DescentStep& step, float* gradient, float* tangent, double* energy); \
  void add_product(const TetBlocks& tets, const DescentStep& step, const float* tangent, const float* direction,      \
                   float* product);
namespace portable {
PLIANT_FEM_NEWTON_KERNEL
}
namespace avx2 {
PLIANT_FEM_NEWTON_KERNEL
}
#undef PLIANT_FEM_NEWTON_KERNEL

}  // namespace pliant::fem
