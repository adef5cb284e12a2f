#include "pliant/bodies/fem_newton_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::fem {

// Calls the kernel for this processor.
#if defined(PLIANT_AVX2)
#define PLIANT_FEM_CALL(call) return use_avx2() ? avx2::call : portable::call
#else
#define PLIANT_FEM_CALL(call) return portable::call
#endif

void add_potential(const TetBlocks& tets, const DescentStep& step, double* energy) {
  PLIANT_FEM_CALL(add_potential(tets, step, energy));
}
void add_elastic_energies(const TetBlocks& tets, const DescentStep& step, double* start, double* end) {
  PLIANT_FEM_CALL(add_elastic_energies(tets, step, start, end));
}
void add_gradient(const TetBlocks& tets, const DescentStep& step, float* gradient, float* tangent, double* energy) {
  PLIANT_FEM_CALL(add_gradient(tets, step, gradient, tangent, energy));
}
void add_product(const TetBlocks& tets, const DescentStep& step, const float* tangent, const float* direction,
                 float* product) {
  PLIANT_FEM_CALL(add_product(tets, step, tangent, direction, product));
}

}  // namespace pliant::fem
