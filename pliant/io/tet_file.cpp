#include "pliant/io/tet_file.h"

#include "pliant/core/error.h"
#include "pliant/io/cells.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_format.h"

namespace pliant {

namespace {

constexpr const char* kTetFormats = "use .mesh, .msh, .vtk, .vtu or .node";

// NAME.node and NAME.ele from either, or from NAME.
TetgenFiles tetgen_paths(const std::string& path) {
  const std::string extension = extension_of(path);
  const bool has_extension = extension == ".node" || extension == ".ele";
  const std::string stem = has_extension ? path.substr(0, path.size() - extension.size()) : path;
  return {stem + ".node", stem + ".ele"};
}

}  // namespace

Cells parse_cells(std::string_view bytes, const std::string& name, MeshFormat format) {
  switch (format) {
    case MeshFormat::gmsh:
      return parse_gmsh(bytes, name);
    case MeshFormat::medit:
      return parse_medit(bytes, name);
    case MeshFormat::vtk:
      return parse_vtk(bytes, name);
    case MeshFormat::vtu:
    case MeshFormat::vtp:
      return parse_vtu(bytes, name);
    case MeshFormat::tetgen:
      throw Error(ErrorPlace{.file = name}, "a TetGen mesh is two files", "read it by the path of one of them");
    default:
      throw Error(ErrorPlace{.file = name}, "the format holds no tetrahedra", kTetFormats);
  }
}

Cells read_tetgen(const std::string& path) {
  const TetgenFiles paths = tetgen_paths(path);
  const FileBytes node = read_file(paths.node), ele = read_file(paths.ele);
  return parse_tetgen({node.view(), ele.view(), paths.node, paths.ele});
}

TetFile parse_tets(std::string_view bytes, const std::string& name, MeshFormat format) {
  if (bytes.empty()) throw Error(ErrorPlace{.file = name}, "the file is empty", "export it again");
  return parse_cells(bytes, name, choose_format(format, bytes, name)).build_tets(name);
}

TetFile read_tet_file(const std::string& path, MeshFormat format) {
  if (is_tetgen(format, path)) return read_tetgen(path).build_tets(path);
  return parse_tets(read_file(path).view(), path, format);
}

namespace {

GeometryFile of_surface(MeshFile file) {
  return {nullptr, std::move(file.mesh), std::move(file.dropped), std::move(file.warnings), file.animated};
}

GeometryFile of_cells(Cells cells, const std::string& path) {
  if (cells.tets.empty()) return of_surface(cells.build_surface(path));
  TetFile file = cells.build_tets(path);
  return {std::move(file.mesh), nullptr, std::move(file.dropped), {}};
}

}  // namespace

GeometryFile read_geometry(const std::string& path, const MeshReadOptions& options) {
  if (is_tetgen(options.format, path)) return of_cells(read_tetgen(path), path);
  const FileBytes bytes = read_file(path);
  const MeshFormat format =
      bytes.view().empty() ? MeshFormat::obj : choose_format(options.format, bytes.view(), path);  // refused below
  if (!holds_cells(format)) return of_surface(read_mesh_file(path, options));
  return of_cells(parse_cells(bytes.view(), path, format), path);
}

TetMeshPtr read_tets(const std::string& path, MeshFormat format) { return read_tet_file(path, format).mesh; }

std::string format_tets(const TetMesh& mesh, const TetWriteOptions& options) {
  switch (options.format) {
    case MeshFormat::gmsh:
      return format_gmsh(mesh, options.encoding, options.gmsh_version);
    case MeshFormat::medit:
      return format_medit(mesh);
    case MeshFormat::vtk:
      return format_vtk(mesh, options.encoding);
    case MeshFormat::vtu:
      return format_vtu(mesh.positions(), mesh.tets(), options.encoding);
    default:
      throw Error("tetrahedra are not written in this format", kTetFormats);
  }
}

void write_tets(const std::string& path, const TetMesh& mesh, const TetWriteOptions& options) {
  TetWriteOptions chosen = options;
  chosen.format = choose_format(options.format, path);
  if (chosen.format != MeshFormat::tetgen) return write_file(path, format_tets(mesh, chosen));
  const TetgenFiles paths = tetgen_paths(path), contents = format_tetgen(mesh);
  write_file(paths.node, contents.node);
  write_file(paths.ele, contents.ele);
}

}  // namespace pliant
