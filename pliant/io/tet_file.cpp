#include "pliant/io/tet_file.h"

#include "pliant/core/error.h"
#include "pliant/io/cells.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_format.h"

namespace pliant {

Cells parse_cells(std::string_view bytes, const std::string& name, MeshFormat format) {
  if (format == MeshFormat::medit) return parse_medit(bytes, name);
  throw Error(ErrorPlace{.file = name}, "the format holds no tetrahedra", "use .mesh");
}

TetFile parse_tets(std::string_view bytes, const std::string& name, MeshFormat format) {
  if (bytes.empty()) throw Error(ErrorPlace{.file = name}, "the file is empty", "export it again");
  return parse_cells(bytes, name, choose_format(format, bytes, name)).build_tets(name);
}

TetFile read_tet_file(const std::string& path, MeshFormat format) {
  return parse_tets(read_file(path).view(), path, format);
}

TetMeshPtr read_tets(const std::string& path, MeshFormat format) { return read_tet_file(path, format).mesh; }

std::string format_tets(const TetMesh& mesh, const TetWriteOptions& options) {
  if (options.format == MeshFormat::medit) return format_medit(mesh);
  throw Error("tetrahedra are not written in this format", "write .mesh");
}

void write_tets(const std::string& path, const TetMesh& mesh, const TetWriteOptions& options) {
  TetWriteOptions chosen = options;
  chosen.format = choose_format(options.format, path);
  write_file(path, format_tets(mesh, chosen));
}

}  // namespace pliant
