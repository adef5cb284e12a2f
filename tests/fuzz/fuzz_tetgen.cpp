#include "pliant/io/cells.h"
#include "tests/fuzz/fuzz_mesh.h"

// The two files, with a zero byte between them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t split = std::min(bytes.find('\0'), size);
  const auto parse = [&] {
    return pliant::parse_tetgen(
        {bytes.substr(0, split), bytes.substr(std::min(split + 1, size)), "fuzz.node", "fuzz.ele"});
  };
  try {
    const pliant::TetMeshPtr mesh = parse().build_tets("fuzz").mesh;
    const pliant::TetgenFiles files = pliant::format_tetgen(*mesh);
    const pliant::TetMeshPtr back =
        pliant::parse_tetgen({files.node, files.ele, "back", "back"}).build_tets("back").mesh;
    pliant::require(back->tet_count() == mesh->tet_count() && back->vertex_count() == mesh->vertex_count());
  } catch (const pliant::Error&) {
  }
  return pliant::fuzz_mesh(data, size,
                           [&](std::string_view, const std::string& name) { return parse().build_surface(name); });
}
