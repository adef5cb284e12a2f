// Boxes of the leaves of a node from where a cage of tetrahedra is, in float.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pliant/detect/anytime/tet_patch.h"

namespace pliant {

// Of a node: its vertices, tetrahedron by tetrahedron, and which of them each leaf has.
struct LeafOutlines {
  static constexpr std::size_t kMostVertices = 192;  // of eight leaves of eight faces
  struct Run {
    std::uint32_t tet;
    std::uint32_t count;
  };
  const Run* first_run;
  const Run* last_run;           // behind the last one
  const float* weights;          // three a vertex, of corners 1 to 3, as in TetPatch
  const std::uint8_t* vertices;  // of the first leaf; those of the next come behind them
  const std::uint8_t* counts;    // of them, leaf by leaf
  const std::uint8_t* lanes;     // of the leaves
  std::uint32_t leaf_count;
  float margin;  // as in TetPatch
};

// To the lanes of `boxes`, as in WideBoxes, of the leaves; others stay.
namespace leaf_outline {
namespace portable {
void bound(const LeafOutlines& leaves, const CageView& cage, float* boxes);
}
namespace avx2 {
void bound(const LeafOutlines& leaves, const CageView& cage, float* boxes);
}
}  // namespace leaf_outline

}  // namespace pliant
