#include "tests/fuzz/fuzz_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return pliant::fuzz_mesh(data, size, pliant::parse_obj);
}
