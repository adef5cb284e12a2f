// Eight boxes in one piece of memory, for tests of one box against eight at once (bounds/wide_kernel.h).
#pragma once

#include <cstdint>

#include "pliant/bounds/aabb.h"

namespace pliant {

// Eight boxes, axis by axis. Lanes that are not used are empty boxes, which overlap nothing.
struct alignas(32) WideBoxes {
  static constexpr std::uint32_t kLanes = 8;
  float lo[3][kLanes];
  float hi[3][kLanes];

  Aabb box(std::uint32_t lane) const {
    return {{lo[0][lane], lo[1][lane], lo[2][lane]}, {hi[0][lane], hi[1][lane], hi[2][lane]}};
  }
  void set(std::uint32_t lane, const Aabb& box) {
    for (std::size_t i = 0; i < 3; ++i) {
      lo[i][lane] = box.lo[i];
      hi[i][lane] = box.hi[i];
    }
  }
  Aabb united() const;
};

}  // namespace pliant
