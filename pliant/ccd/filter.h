// SIMD filters: which of many pairs are certainly apart? In float, eight at a time. They only ever reject what is
// proved to be apart; both targets and any grouping into eights reject exactly the same pairs, because every pair is
// computed with the same operations from its own vertices alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::ccd {

// A vertex in half a cache line: positions at both ends of the motion rounded to float, and a bound on how far that
// moved any coordinate (0 where positions are floats). Made by float_vertex (batch.h).
struct alignas(32) FloatVertex {
  float x_t0[3];
  float error;
  float x_t1[3];
  float unused;
};

// Plain pointers only: this header is compiled into AVX2 files (core/simd.h).
struct FilterInput {
  bool vertex_face = true;
  const FloatVertex* vertices[4] = {};  // for each of the four points of a pair
  const std::uint32_t (*pairs)[4] = nullptr;
  std::size_t count = 0;  // at most kFilterBlock
  // Part of the motion: begin and end for every pair, `interval_stride` numbers after those of the one before; or the
  // same for all if null.
  const double* intervals = nullptr;
  std::size_t interval_stride = 2;
  double begin = 0, end = 1;
  double min_separation = 0;
};

inline constexpr std::size_t kFilterBlock = 2048;

// Writes the indices of the pairs that may touch (come within min_separation), ascending; returns how many.
std::size_t filter(const FilterInput& input, std::uint32_t* survivors);

namespace portable {
std::size_t filter(const FilterInput& input, std::uint32_t* survivors);
}
namespace avx2 {
std::size_t filter(const FilterInput& input, std::uint32_t* survivors);
}

}  // namespace pliant::ccd
