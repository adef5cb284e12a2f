#include "tests/fuzz/fuzz_mesh.h"
#include "tests/fuzz/fuzz_motion.h"

// As a mesh, and as a motion: its first frames.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto source = pliant::open_motion_bytes(std::string(bytes), "fuzz", {.format = pliant::MotionFormat::gltf});
    for (std::size_t k = 0; k < std::min<std::size_t>(source->frame_count(), 3); ++k) {
      const pliant::Frame frame = source->frame(k);
      for (const pliant::Vec3& p : frame.positions()) pliant::require(p.allFinite());
    }
  } catch (const pliant::Error&) {
  }
  return pliant::fuzz_mesh(data, size, [](std::string_view text, const std::string& name) {
    return pliant::parse_mesh(text, name, {.format = pliant::MeshFormat::gltf});
  });
}
