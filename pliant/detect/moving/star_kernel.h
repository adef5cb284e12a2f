// The arithmetic of star_shape.h, four faces at a time. Plain pointers only: this header is compiled into AVX2 files
// (core/simd.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::star {

inline constexpr std::size_t kLanes = 4;
// Doubles of a vertex, seen from the centre: at the start of the segment, one unused, at its end, one unused.
inline constexpr std::size_t kVertex = 8;

struct StarArrays {
  const std::uint32_t* corners;  // by block: four first corners of its faces, four second ones, four third ones
  std::size_t blocks;
  const double* vertices;
  const double* ray;  // a direction through the middle of one face at the start
  double noise;       // most that a triple product of vertices, or of two and the ray, may err by
};

// Certified over the whole segment.
struct StarBounds {
  bool is_star = false;  // every face turns its outer side away from the centre, and the ray meets only one of them
  double radius_sq = 0;  // no point of a face is nearer to the centre
  double sine_sq = 0;    // as seen from the centre, of the angle between a corner and the line through the other two
};
StarBounds bound_star(const StarArrays& arrays);

namespace portable {
StarBounds bound_star(const StarArrays& arrays);
}
namespace avx2 {
StarBounds bound_star(const StarArrays& arrays);
}

}  // namespace pliant::star
