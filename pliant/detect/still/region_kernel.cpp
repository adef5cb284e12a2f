#include "pliant/detect/still/region_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::region_kernel {

Kernels kernels() {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return {avx2::fit_faces, avx2::reach, avx2::clip, avx2::cross, avx2::cross_few};
#endif
  return {portable::fit_faces, portable::reach, portable::clip, portable::cross, portable::cross_few};
}

}  // namespace pliant::region_kernel
