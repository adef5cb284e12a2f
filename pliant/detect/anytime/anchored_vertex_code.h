// The loop of anchored_vertex.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/anytime/anchored_vertex.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::anchored::PLIANT_SIMD_TARGET {

void put(const AnchoredVertices& vertices, double* x) {
  using simd::Double4;
  for (const AnchoredVertex* at = vertices.first; at != vertices.last; ++at, x += 3) {
    const std::uint32_t* const corners = vertices.tets + std::size_t{4} * at->tet;
    Double4 sum(0.0);
    for (int i = 0; i < 4; ++i)
      sum = sum + Double4(at->weights[i]) * simd::load_three(vertices.coarse + std::size_t{3} * corners[i]);
    simd::store_three(x, sum);
  }
}

}  // namespace pliant::anchored::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
