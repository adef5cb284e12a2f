#include "pliant/detect/moving/leaf_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::swept {

void append_overlapping(const LeafPair& leaves) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::append_overlapping(leaves);
#endif
  portable::append_overlapping(leaves);
}

}  // namespace pliant::swept
