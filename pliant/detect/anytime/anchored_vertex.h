// Dense vertices where a cage of tetrahedra puts them, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant {

// As BarycentricEmbedding has it.
struct AnchoredVertex {
  double weights[4];
  std::uint32_t tet;
};

struct AnchoredVertices {
  const AnchoredVertex* first;
  const AnchoredVertex* last;  // behind the last one
  const std::uint32_t* tets;   // four corners each
  const double* coarse;        // three coordinates each
};

// Puts three coordinates each to `x`, with the bits of BarycentricEmbedding::position.
namespace anchored {
namespace portable {
void put(const AnchoredVertices& vertices, double* x);
}
namespace avx2 {
void put(const AnchoredVertices& vertices, double* x);
}
}  // namespace anchored

}  // namespace pliant
