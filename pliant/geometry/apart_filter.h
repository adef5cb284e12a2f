// Four pairs of triangles at a time: those that are apart for certain, before any of them is tested exactly.
#pragma once

#include <cstddef>

namespace pliant {

// Corners of four triangles: coordinate k of corner c of triangle i at [c][k][i].
struct alignas(32) FourTriangles {
  double x[3][3][4];

  // Three coordinates a corner.
  void set(std::size_t i, const double* a, const double* b, const double* c) {
    for (int k = 0; k < 3; ++k) {
      x[0][k][i] = a[k];
      x[1][k][i] = b[k];
      x[2][k][i] = c[k];
    }
  }
};

// Bit i: the i-th triangles have no point in common, since the plane of one has the other strictly on one side: the
// sign of every determinant is certified by the bound of geometry/predicates.h. A bit that is not set says nothing;
// triangles without area, coplanar ones and extreme coordinates never set it wrongly. Any thread.
using ApartFilter = unsigned (*)(const FourTriangles& a, const FourTriangles& b);
ApartFilter apart_filter();  // for this processor; the same bits from all

namespace apart {
namespace portable {
unsigned four_apart(const FourTriangles& a, const FourTriangles& b);
}
namespace avx2 {
unsigned four_apart(const FourTriangles& a, const FourTriangles& b);
}
}  // namespace apart

}  // namespace pliant
