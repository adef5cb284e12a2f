// Four pairs of triangles at a time: those whose relation is certain, before any of them is tested exactly.
#pragma once

#include <cstddef>

namespace pliant {

// Where the corners of four triangles lie, three coordinates each: corner c of triangle i at [c][i]. They are not
// copied: vectors that are read from memory just written lane by lane would have to wait for it.
struct FourCorners {
  const double* x[3][4];

  void set(std::size_t i, const double* a, const double* b, const double* c) {
    x[0][i] = a;
    x[1][i] = b;
    x[2][i] = c;
  }
};

// Bit i of `apart`: the i-th triangles have no point in common; of `crossing`: they cross (Relation::crossing). The
// sign of every determinant is certified by the bound of geometry/predicates.h. In neither: must be tested; triangles
// without area, coplanar ones and extreme coordinates are never in either wrongly. Any thread.
struct FourDecided {
  unsigned apart = 0;
  unsigned crossing = 0;
};
using DecidedFilter = FourDecided (*)(const FourCorners& a, const FourCorners& b);
DecidedFilter decided_filter();  // for this processor; the same bits from all

namespace apart {
namespace portable {
FourDecided four_decided(const FourCorners& a, const FourCorners& b);
}
namespace avx2 {
FourDecided four_decided(const FourCorners& a, const FourCorners& b);
}
}  // namespace apart

}  // namespace pliant
