// What holds for every reader of cells, whatever bytes it is given.
#pragma once

#include <cstdint>
#include <string_view>

#include "pliant/core/error.h"
#include "pliant/io/tet_file.h"
#include "tests/fuzz/fuzz_mesh.h"

namespace pliant {

// Either an Error, or tetrahedra that are sound and read back the same after they are written; and the same as a
// surface.
inline int fuzz_cells(const std::uint8_t* data, std::size_t size, MeshFormat format) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const TetMeshPtr mesh = parse_tets(bytes, "fuzz", format).mesh;
    const TetMeshPtr back = parse_tets(format_tets(*mesh, {.format = format}), "back", format).mesh;
    require(mesh->tet_count() > 0 && back->tet_count() == mesh->tet_count());
    require(back->vertex_count() == mesh->vertex_count());
  } catch (const Error&) {
  }
  return fuzz_mesh(data, size, [format](std::string_view text, const std::string& name) {
    return parse_mesh(text, name, {.format = format});
  });
}

}  // namespace pliant
