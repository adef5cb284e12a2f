#include "pliant/bodies/gas_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::gas {

double evaluate(const GasArrays& gas, const double* nodes, const double* origin, double* spring, double* gradient) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::evaluate(gas, nodes, origin, spring, gradient);
#endif
  return portable::evaluate(gas, nodes, origin, spring, gradient);
}

GasSums measure(const GasArrays& gas, const double* nodes, const double* origin, double* spring, double* gradient) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::measure(gas, nodes, origin, spring, gradient);
#endif
  return portable::measure(gas, nodes, origin, spring, gradient);
}

void move(const GasMove& how, double* nodes) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::move(how, nodes);
#endif
  portable::move(how, nodes);
}

}  // namespace pliant::gas
