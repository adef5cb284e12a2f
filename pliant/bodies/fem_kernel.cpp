#include "pliant/bodies/fem_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::fem {

Stiffness add_forces(const ElementArrays& elements, const double* x, const double* v, double* force) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::add_forces(elements, x, v, force);
#endif
  return portable::add_forces(elements, x, v, force);
}

}  // namespace pliant::fem
