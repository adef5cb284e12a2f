// Candidate pairs of features on their way from the leaves of trees to the solver.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant {

// Plain pointers only: this header is compiled into AVX2 files (core/simd.h). Whoever appends must know that there is
// room.
struct PairBuffer {
  std::uint32_t (*corners)[4] = nullptr;   // by identity: v f0 f1 f2, or a0 a1 b0 b1
  std::uint32_t (*features)[2] = nullptr;  // ids of a and b
  std::size_t count = 0;
};

}  // namespace pliant
