#include "pliant/detect/swept_bvh/leaf_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::swept {

std::size_t overlapping_features(const LeafInput& input, std::uint32_t (*pairs)[2]) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::overlapping_features(input, pairs);
#endif
  return portable::overlapping_features(input, pairs);
}

}  // namespace pliant::swept
