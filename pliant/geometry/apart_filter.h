// Four pairs of triangles at a time: those that are apart for certain, before any of them is tested exactly.
#pragma once

#include <cstddef>

namespace pliant {

// Where the corners of four triangles are, three coordinates each: corner c of triangle i at [c][i]. They are not
// copied: numbers written one by one and read four at a time would have to be waited for.
struct FourTriangles {
  const double* corner[3][4];

  void set(std::size_t i, const double* a, const double* b, const double* c) {
    corner[0][i] = a;
    corner[1][i] = b;
    corner[2][i] = c;
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
