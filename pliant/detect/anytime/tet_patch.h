// What a node of a tree has in one tetrahedron of the cage that its surface follows, and the boxes of that.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant {

// Vertices in one tetrahedron q: inside of the hull of these points, which are weights w of its corners 1 to 3 and
// stand for q0 + sum_i w_i (q_i - q0), and of what is less than `thick`, a difference of weights, away from it on
// either side. However the tetrahedron deforms, they stay there: a thin patch of surface has a thin box for ever. Few
// vertices are their own points; around more there is an octagon along them.
struct alignas(64) TetPatch {
  static constexpr std::size_t kPoints = 8;
  float point[3][kPoints];  // axis by axis
  float thick[3];
  float margin;  // times the largest coarse coordinate: more than all rounding, here and where it is used
  std::uint32_t tet;
};

// Where a cage is, as the loops below want it.
struct CageView {
  const std::uint32_t* tets;  // four corners each
  const float* positions;     // four numbers each, of which the last is 0
  float largest;              // coordinate, or more
};

// Eight boxes, as in WideBoxes, that hold the patches together.
namespace tet_patch {
namespace portable {
void bound(const TetPatch* first, const TetPatch* last, const CageView& cage, float* boxes);
}
namespace avx2 {
void bound(const TetPatch* first, const TetPatch* last, const CageView& cage, float* boxes);
}
}  // namespace tet_patch

}  // namespace pliant
