#include "pliant/world/world_state.h"
#include "tests/fuzz/fuzz_mesh.h"

// Either an Error, or a world that reads back the same after it is written. The checksum is not looked at: the fuzzer
// would never get past it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  try {
    const WorldState state = parse_state({reinterpret_cast<const char*>(data), size}, "fuzz", {.checksum = false});
    const std::string bytes = format_state(state);
    require(format_state(parse_state(bytes, "back")) == bytes);
  } catch (const Error&) {
  }
  return 0;
}
