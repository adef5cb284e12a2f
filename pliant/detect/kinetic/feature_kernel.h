// Which features of one leaf may meet which of another at one and the same time: boxes at both ends of a segment,
// eight at a time, incident features left out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::kinetic {

// Features of one kind, structure of arrays; arrays have room for eight more behind their last feature. Plain pointers
// only: this header is compiled into AVX2 files (core/simd.h).
struct FeatureArrays {
  const float* lo[2][3];  // at the start and at the end of the segment
  const float* hi[2][3];
  const std::uint32_t* corner[3];  // vertices by identity; only as many as the kind has
};

struct FeatureRange {
  std::uint32_t first;
  std::uint32_t last;
};

// A feature of `a` against features of `b`.
struct FeatureInput {
  FeatureArrays a;
  FeatureArrays b;
  FeatureRange range_a;
  FeatureRange range_b;
  int corners_a;  // 1 (vertices against faces) or 2 (edges against edges)
  int corners_b;  // 3 or 2
  bool one_mesh;  // leave out features with a common vertex
  bool one_list;  // a and b are the same range: each two once
  // Boxes that hold all features of range_b.
  float b_lo[2][3];
  float b_hi[2][3];
};

// Writes the places (in a, in b) of pairs that no axis keeps apart during the whole segment; returns how many. There
// must be room for all pairs.
std::size_t meeting_features(const FeatureInput& input, std::uint32_t (*pairs)[2]);

namespace portable {
std::size_t meeting_features(const FeatureInput& input, std::uint32_t (*pairs)[2]);
}
namespace avx2 {
std::size_t meeting_features(const FeatureInput& input, std::uint32_t (*pairs)[2]);
}

}  // namespace pliant::kinetic
