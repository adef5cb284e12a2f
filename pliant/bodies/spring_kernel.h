// Forces of springs, four at a time. Plain pointers only: this header is compiled into AVX2 files (core/simd.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::springs {

inline constexpr std::size_t kLanes = 4;

// Spring i of block b stands at b * kLanes + i. The last block is filled up with springs from a vertex to itself, which
// do nothing.
struct SpringArrays {
  const std::uint32_t* a;
  const std::uint32_t* b;
  const double* length;     // at rest, m; 1 for fillers
  const double* stiffness;  // N/m
  std::size_t blocks;
  double damping;  // N s/m
};

// x, v, force: three doubles a vertex. Adds to force. The same bits with and without AVX2.
void add_forces(const SpringArrays& springs, const double* x, const double* v, double* force);

namespace portable {
void add_forces(const SpringArrays& springs, const double* x, const double* v, double* force);
}
namespace avx2 {
void add_forces(const SpringArrays& springs, const double* x, const double* v, double* force);
}

}  // namespace pliant::springs
