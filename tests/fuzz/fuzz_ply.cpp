#include "tests/fuzz/fuzz_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return pliant::fuzz_mesh(
      data, size, [](std::string_view text, const std::string& name) { return pliant::parse_ply(text, name); });
}
