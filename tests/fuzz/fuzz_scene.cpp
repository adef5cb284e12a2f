#include "pliant/scene/scene_file.h"
#include "tests/fuzz/fuzz_mesh.h"

// Either an Error, or a scene with bodies. Only the text is read: building the bodies would open files.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  try {
    require(!parse_scene({reinterpret_cast<const char*>(data), size}, "fuzz").bodies.empty());
  } catch (const Error&) {
  }
  return 0;
}
