// Where four pairs of triangles cross, four at a time: what detectors make contacts of.
#pragma once

#include "pliant/geometry/apart_filter.h"

namespace pliant {

// By pair: the middle of the common segment, its weights in both triangles, and their parting (geometry/parting.h).
// Bit i of `known`: what is said of pair i has the bits that triangle_triangle_contact, closest_points and parting give
// one by one. The others (not crossing, nearly degenerate, extreme coordinates) are to be asked about there.
struct alignas(32) FourCrossings {
  double point[3][4];
  double weights_a[3][4];
  double weights_b[3][4];
  double normal[3][4];
  double depth[4];
  unsigned known;
};

using CrossingKernel = void (*)(const FourCorners& a, const FourCorners& b, FourCrossings& found);
CrossingKernel crossing_kernel();  // for this processor; the same bits from all. Any thread.

namespace crossing {
namespace portable {
void four_crossings(const FourCorners& a, const FourCorners& b, FourCrossings& found);
}
namespace avx2 {
void four_crossings(const FourCorners& a, const FourCorners& b, FourCrossings& found);
}
}  // namespace crossing

}  // namespace pliant
