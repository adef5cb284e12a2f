#include "pliant/bodies/fem_descent_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::fem {

void descend(const VertexBlocks& blocks, const DescentStep& step, std::size_t first, std::size_t last, bool backward,
             float* inverses) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::descend(blocks, step, first, last, backward, inverses);
#endif
  portable::descend(blocks, step, first, last, backward, inverses);
}

}  // namespace pliant::fem
