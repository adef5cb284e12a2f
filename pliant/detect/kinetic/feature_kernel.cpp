#include "pliant/detect/kinetic/feature_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::kinetic {

std::size_t meeting_features(const FeatureInput& input, std::uint32_t (*pairs)[2]) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::meeting_features(input, pairs);
#endif
  return portable::meeting_features(input, pairs);
}

}  // namespace pliant::kinetic
