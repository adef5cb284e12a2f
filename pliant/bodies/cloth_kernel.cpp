#include "pliant/bodies/cloth_kernel.h"

#include "pliant/bodies/cloth_motion.h"
#include "pliant/core/cpu.h"

namespace pliant::sheet {

// clang-format off
#if defined(PLIANT_AVX2)
#define PLIANT_SHEET_CALL(call) return use_avx2() ? avx2::call : portable::call
#else
#define PLIANT_SHEET_CALL(call) return portable::call
#endif
// clang-format on

void export_motion(const MotionArrays& motion, std::size_t blocks, float* rows, float* v) {
  PLIANT_SHEET_CALL(export_motion(motion, blocks, rows, v));
}
void begin_step(const MotionArrays& motion, std::size_t blocks, const FreeMotion& free, float* y, float* rows) {
  PLIANT_SHEET_CALL(begin_step(motion, blocks, free, y, rows));
}
Moments find_moments(const MotionArrays& motion, std::size_t blocks, const float* y, const float* rows) {
  PLIANT_SHEET_CALL(find_moments(motion, blocks, y, rows));
}
void end_step(const MotionArrays& motion, std::size_t blocks, double seconds, const float* y, const float* rows,
              const RigidChange& less) {
  PLIANT_SHEET_CALL(end_step(motion, blocks, seconds, y, rows, less));
}
void sweep(const SheetArrays& sheet, const StepArrays& step, BlockRange range) {
  PLIANT_SHEET_CALL(sweep(sheet, step, range));
}
void sweep_block(const SheetArrays& sheet, const StepArrays& step, std::size_t block, float* inverse) {
  PLIANT_SHEET_CALL(sweep_block(sheet, step, block, inverse));
}
void find_gradient(const SheetArrays& sheet, const StepArrays& step, BlockRange range, float* gradient) {
  PLIANT_SHEET_CALL(find_gradient(sheet, step, range, gradient));
}
void guess_start(const SheetArrays& sheet, const StepArrays& step) { PLIANT_SHEET_CALL(guess_start(sheet, step)); }
void find_rest(const SheetArrays& sheet, const float* x, float fraction, const RestLengths& rest) {
  PLIANT_SHEET_CALL(find_rest(sheet, x, fraction, rest));
}
double find_energy(const SheetArrays& sheet, const float* x) { PLIANT_SHEET_CALL(find_energy(sheet, x)); }
void find_air(const SheetArrays& sheet, const AirArrays& air) { PLIANT_SHEET_CALL(find_air(sheet, air)); }

#undef PLIANT_SHEET_CALL

}  // namespace pliant::sheet
