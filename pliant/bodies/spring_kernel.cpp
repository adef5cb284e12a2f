#include "pliant/bodies/spring_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::springs {

void add_forces(const SpringArrays& springs, const double* x, const double* v, double* force) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::add_forces(springs, x, v, force);
#endif
  portable::add_forces(springs, x, v, force);
}

}  // namespace pliant::springs
