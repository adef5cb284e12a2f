#include "pliant/bodies/fem_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::fem {

Stiffness add_forces(const ElementArrays& elements, const double* x, const double* v, double* force) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::add_forces(elements, x, v, force);
#endif
  return portable::add_forces(elements, x, v, force);
}

SizeRange store_gradients(const ElementArrays& elements, const double* x, float* rows) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::store_gradients(elements, x, rows);
#endif
  return portable::store_gradients(elements, x, rows);
}

std::size_t count_inverted(const ElementArrays& elements, const double* x) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::count_inverted(elements, x);
#endif
  return portable::count_inverted(elements, x);
}

}  // namespace pliant::fem
