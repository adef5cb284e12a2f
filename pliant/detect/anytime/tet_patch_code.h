// The loops of tet_patch.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/anytime/tet_patch.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::tet_patch::PLIANT_SIMD_TARGET {

void bound(const TetPatch* first, const TetPatch* last, const CageView& cage, float* boxes) {
  using simd::Float8;
  const float infinity = __builtin_inff();
  Float8 lo[3] = {infinity, infinity, infinity}, hi[3] = {-infinity, -infinity, -infinity};
  for (const TetPatch* patch = first; patch != last; ++patch) {
    const std::uint32_t* const corners = cage.tets + std::size_t{4} * patch->tet;
    const float* const origin = cage.positions + std::size_t{4} * corners[0];
    const float* const q1 = cage.positions + std::size_t{4} * corners[1];
    const float* const q2 = cage.positions + std::size_t{4} * corners[2];
    const float* const q3 = cage.positions + std::size_t{4} * corners[3];
    const Float8 w1 = simd::load(patch->point[0]), w2 = simd::load(patch->point[1]), w3 = simd::load(patch->point[2]);
    const float margin = patch->margin * cage.largest;
    for (int k = 0; k < 3; ++k) {
      const float e1 = q1[k] - origin[k], e2 = q2[k] - origin[k], e3 = q3[k] - origin[k];
      const float through = e1 * patch->thick[0] + e2 * patch->thick[1] + e3 * patch->thick[2];
      const float out = __builtin_fabsf(through) + margin;
      const Float8 x = w1 * Float8(e1) + w2 * Float8(e2) + w3 * Float8(e3) + Float8(origin[k]);
      lo[k] = simd::min(lo[k], x - Float8(out));
      hi[k] = simd::max(hi[k], x + Float8(out));
    }
  }
  for (int k = 0; k < 3; ++k) {
    simd::store(boxes + 8 * k, lo[k]);
    simd::store(boxes + 24 + 8 * k, hi[k]);
  }
}

}  // namespace pliant::tet_patch::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
