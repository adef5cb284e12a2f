#include "tests/fuzz/fuzz_mesh.h"

// Both welds: the exact one, and one with a tolerance.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parse_with = [](double tolerance) {
    return [tolerance](std::string_view bytes, const std::string& name) {
      return pliant::parse_stl(bytes, name, tolerance);
    };
  };
  pliant::fuzz_mesh(data, size, parse_with(0));
  return pliant::fuzz_mesh(data, size, parse_with(0.01));
}
