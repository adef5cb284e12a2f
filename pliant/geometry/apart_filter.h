// Four pairs of triangles at a time: those whose relation is certain, before any of them is tested exactly.
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

// The same four where they lie: corner c of triangle i, three coordinates each, at [c][i]. Vectors that are read from
// memory just written lane by lane would have to wait for it.
struct FourCorners {
  const double* x[3][4];

  void set(std::size_t i, const double* a, const double* b, const double* c) {
    x[0][i] = a;
    x[1][i] = b;
    x[2][i] = c;
  }
};

// The same, and further: which i-th triangles cross (Relation::crossing), and of those that reach each other's planes
// which miss each other there. In neither: must be tested.
struct FourDecided {
  unsigned apart = 0;
  unsigned crossing = 0;
};
using DecidedFilter = FourDecided (*)(const FourCorners& a, const FourCorners& b);
DecidedFilter decided_filter();

namespace apart {
namespace portable {
unsigned four_apart(const FourTriangles& a, const FourTriangles& b);
FourDecided four_decided(const FourCorners& a, const FourCorners& b);
}  // namespace portable
namespace avx2 {
unsigned four_apart(const FourTriangles& a, const FourTriangles& b);
FourDecided four_decided(const FourCorners& a, const FourCorners& b);
}  // namespace avx2
}  // namespace apart

}  // namespace pliant
