#include "tests/fuzz/fuzz_motion.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return pliant::fuzz_motion(data, size, pliant::MotionFormat::npy);
}
