#include "pliant/bodies/cloth_kernel.h"

#include "pliant/core/cpu.h"

namespace pliant::sheet {

#if defined(PLIANT_AVX2)
#define PLIANT_SHEET_CALL(call) \
  if (use_avx2()) avx2::call;   \
  else portable::call
#else
#define PLIANT_SHEET_CALL(call) portable::call
#endif

void sweep(const SheetArrays& sheet, const StepArrays& step, bool backward) {
  PLIANT_SHEET_CALL(sweep(sheet, step, backward));
}
void find_gradient(const SheetArrays& sheet, const StepArrays& step, float* gradient) {
  PLIANT_SHEET_CALL(find_gradient(sheet, step, gradient));
}
void find_rest(const SheetArrays& sheet, const float* x, float share, const RestLengths& rest) {
  PLIANT_SHEET_CALL(find_rest(sheet, x, share, rest));
}
void find_air(const SheetArrays& sheet, const AirArrays& air) { PLIANT_SHEET_CALL(find_air(sheet, air)); }

#undef PLIANT_SHEET_CALL

}  // namespace pliant::sheet
