#include "tests/fuzz/fuzz_cells.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return pliant::fuzz_cells(data, size, pliant::MeshFormat::vtu);
}
