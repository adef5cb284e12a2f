// Vertex block descent on stable Neo-Hookean tetrahedra, eight vertices at a time (fem_descent.h says what for). Plain
// pointers only: this header is compiled into AVX2 files (core/simd.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::fem {

inline constexpr std::size_t kVertexLanes = 8;

// Blocks of eight vertices, no two of one tetrahedron, lane after lane: component c of lane l of block b stands at
// (b * components + c) * 8 + l. A block has as many slots as the vertex with the most tetrahedra; slots that a vertex
// does not need have no volume. Lanes that are not needed move a node of their own, behind all others.
struct VertexBlocks {
  const std::uint32_t* nodes;       // 1 per vertex
  const float* masses;              // 1 per vertex: kg
  const std::uint32_t* first_slot;  // of each block, and one more
  // Of slots: a tetrahedron as one of its corners sees it.
  const std::uint32_t* rows;    // 1: of start_gradients, the first of the tetrahedron's
  const std::uint32_t* others;  // 3: nodes at the other corners
  const float* gradients;       // 9: of the shape functions of those, 1/m
  const float* volumes;         // 1: at rest, m^3
};

// One step of length h. Displacements are from the start of the step, so that rounding is relative to them.
struct DescentStep {
  const float* start_gradients;  // three rows of four per tet: F at the start
  const float* inertial;         // 4 per node: where nothing but inertia and outer forces would take it, m
  float* moved;                  // 4 per node: where it is, m
  float mu, stiffness;           // Pa: of |F|^2 / 2, and of (J - 1)^2 / 2
  float phi, psi;                // Pa: viscosities over h
  float per_square_second;       // 1/h^2
  // Collapsed tetrahedra, where there are some: the last number of the first row of start_gradients is w > 0, and
  // w mu/2 |F - pose|^2 is added. (Without it a tetrahedron that is nearly a point would stay one: F = 0 is a minimum.)
  bool recovering;
  float pose[9];  // a rotation, row by row
};

// Moves every vertex of blocks first ... last - 1, in this order or backward, to the minimum of the incremental
// potential as a function of it alone. `inverses` may be null; otherwise it receives the inverse of each vertex's
// Hessian, m/N: xx, xy, xz, yy, yz, zz, 6 per vertex, those of block `first` first.
void descend(const VertexBlocks& blocks, const DescentStep& step, std::size_t first, std::size_t last, bool backward,
             float* inverses);

namespace portable {
void descend(const VertexBlocks& blocks, const DescentStep& step, std::size_t first, std::size_t last, bool backward,
             float* inverses);
}
namespace avx2 {
void descend(const VertexBlocks& blocks, const DescentStep& step, std::size_t first, std::size_t last, bool backward,
             float* inverses);
}

}  // namespace pliant::fem
