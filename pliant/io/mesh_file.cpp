#include "pliant/io/mesh_file.h"

#include "pliant/core/error.h"
#include "pliant/io/cells.h"
#include "pliant/io/file.h"
#include "pliant/io/frame_sink.h"
#include "pliant/io/gltf_reader.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/mesh_writers.h"
#include "pliant/io/ply_reader.h"
#include "pliant/io/text_scanner.h"

namespace pliant {

namespace {

MeshFile parse_as(MeshFormat format, std::string_view bytes, const std::string& name, const MeshReadOptions& options) {
  switch (format) {
    case MeshFormat::obj:
      return parse_obj(bytes, name, options.faces);
    case MeshFormat::ply:
      return parse_ply(bytes, name, options.faces);
    case MeshFormat::stl:
      return parse_stl(bytes, name, options.weld_tolerance);
    case MeshFormat::off:
      return parse_off(bytes, name, options.faces);
    case MeshFormat::gltf:
      return parse_gltf(bytes, name, no_resolver(name));
    default:
      return parse_cells(bytes, name, format).build_surface(name);
  }
}

MeshFormat require_format(std::string_view bytes, const std::string& name, const MeshReadOptions& options) {
  if (bytes.empty()) throw Error(ErrorPlace{.file = name}, "the file is empty", "export it again");
  return choose_format(options.format, bytes, name);
}

// PLY tells what it is by its first bytes, so that it need not be in memory for the choice.
bool choose_ply(ByteSource& source, const MeshReadOptions& options) {
  if (options.format != MeshFormat::automatic) return options.format == MeshFormat::ply && source.size() > 0;
  return format_by_content(source.opening(kByteOrderMark.size() + 4)) == MeshFormat::ply;
}

// One frame of a motion that has no other.
std::vector<std::string> write_gltf(const std::string& path, const TriangleMesh& mesh) {
  const MeshPtr not_owned(MeshPtr(), &mesh);
  const std::unique_ptr<FrameSink> sink = make_gltf_sink(path, {.mesh = not_owned, .frame_count = 1});
  sink->add(mesh.positions());
  sink->finish();
  return sink->dropped();
}

}  // namespace

MeshFile parse_mesh(std::string_view bytes, const std::string& name, const MeshReadOptions& options) {
  return parse_as(require_format(bytes, name, options), bytes, name, options);
}

MeshFile read_mesh_file(const std::string& path, const MeshReadOptions& options) {
  if (is_tetgen(options.format, path)) return read_tetgen(path).build_surface(path);
  InputFile file(path);
  if (choose_ply(file, options)) return read_ply(file, options.faces);
  const FileBytes bytes = read_file(path);
  const MeshFormat format = require_format(bytes.view(), path, options);
  if (format == MeshFormat::gltf) return parse_gltf(bytes.view(), path, resolver_beside(path));
  return parse_as(format, bytes.view(), path, options);
}

MeshPtr read_mesh(const std::string& path, const MeshReadOptions& options) {
  return read_mesh_file(path, options).mesh;
}

std::string format_mesh(const TriangleMesh& mesh, const MeshWriteOptions& options) {
  switch (options.format) {
    case MeshFormat::obj:
      return format_obj(mesh);
    case MeshFormat::ply:
      return format_ply(mesh, options.encoding, options.precision);
    case MeshFormat::stl:
      return format_stl(mesh, options.encoding);
    case MeshFormat::off:
      return format_off(mesh);
    case MeshFormat::vtp:
      return format_vtp({mesh.positions(), mesh.triangles()}, options.encoding, options.precision);
    case MeshFormat::vtu:
      return format_vtu({mesh.positions(), mesh.triangles()}, options.encoding, options.precision);
    default:
      throw Error("surfaces are not written in this format", "write .obj, .ply, .stl, .off, .glb, .gltf, .vtp or .vtu");
  }
}

std::vector<std::string> write_mesh(const std::string& path, const TriangleMesh& mesh,
                                    const MeshWriteOptions& options) {
  MeshWriteOptions chosen = options;
  chosen.format = choose_format(options.format, path);
  if (chosen.format == MeshFormat::gltf) return write_gltf(path, mesh);
  try {
    write_file(path, format_mesh(mesh, chosen));
  } catch (const Error& error) {
    if (!error.place().file.empty()) throw;
    throw Error(ErrorPlace{.file = path}, error.problem(), error.remedy());
  }
  const bool is_stl = chosen.format == MeshFormat::stl;
  std::vector<std::string> dropped;
  if (!mesh.origin().polygon_of_face.empty()) dropped.emplace_back("polygons (written as triangles)");
  if (!mesh.origin().parts.empty() && chosen.format != MeshFormat::obj &&
      !(is_stl && chosen.encoding == Encoding::text))
    dropped.emplace_back("names of parts");
  if (is_stl) dropped.emplace_back("shared vertices and their order");
  return dropped;
}

}  // namespace pliant
