// What holds for every mesh reader, whatever bytes it is given.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pliant/core/error.h"
#include "pliant/io/mesh_file.h"

namespace pliant {

inline void require(bool condition) {
  if (!condition) std::abort();
}

// Either an Error, or a mesh that is sound and reads back the same after it is written.
template <class Parse>
int fuzz_mesh(const std::uint8_t* data, std::size_t size, Parse&& parse) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const MeshPtr mesh = parse(bytes, "fuzz").mesh;
    require(mesh->face_count() > 0);
    require(mesh->origin().polygon_of_face.empty() || mesh->origin().polygon_of_face.size() == mesh->face_count());
    std::size_t next_face = 0;
    for (const MeshPart& part : mesh->origin().parts) {
      require(part.first_face >= next_face && part.face_count > 0);
      next_face = std::size_t{part.first_face} + part.face_count;
    }
    require(next_face <= mesh->face_count());
    const MeshPtr back = parse_obj(format_mesh(*mesh, {.format = MeshFormat::obj}), "back").mesh;
    require(back->vertex_count() == mesh->vertex_count() && back->face_count() == mesh->face_count());
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace pliant
