#include "pliant/geometry/contact_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant {

CrossingKernel crossing_kernel() {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return crossing::avx2::four_crossings;
#endif
  return crossing::portable::four_crossings;
}

}  // namespace pliant
