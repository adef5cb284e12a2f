#include "pliant/io/mesh_file.h"

#include <algorithm>
#include <array>
#include <optional>

#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_writers.h"
#include "pliant/io/stl_reader.h"

namespace pliant {
namespace {

constexpr const char* kKnownFormats = "known formats are .obj, .ply, .stl and .off";

std::optional<MeshFormat> format_by_extension(const std::string& name) {
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string::npos) return std::nullopt;
  std::string extension = name.substr(dot + 1);
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (extension == "obj") return MeshFormat::obj;
  if (extension == "ply") return MeshFormat::ply;
  if (extension == "stl") return MeshFormat::stl;
  if (extension == "off") return MeshFormat::off;
  return std::nullopt;
}

bool looks_like_off(std::string_view bytes) {
  const std::string_view word = bytes.substr(0, bytes.substr(0, 12).find_first_of(" \t\r\n"));
  return word.size() >= 3 && word.size() <= 9 && word.substr(word.size() - 3) == "OFF" &&
         word.find_first_not_of("STCN4nOF") == std::string_view::npos;
}

// Files that tell what they are. OBJ does not, and a truncated binary STL neither.
std::optional<MeshFormat> format_by_content(std::string_view bytes) {
  if (bytes.substr(0, 4) == "ply\n" || bytes.substr(0, 4) == "ply\r") return MeshFormat::ply;
  if (looks_like_off(bytes)) return MeshFormat::off;
  if (sniff_stl(bytes) != StlKind::unknown) return MeshFormat::stl;
  return std::nullopt;
}

MeshFormat require_format(std::optional<MeshFormat> format, const std::string& name) {
  if (format) return *format;
  throw Error(ErrorPlace{.file = name}, "the format can not be told from the name", kKnownFormats);
}

}  // namespace

MeshFile parse_mesh(std::string_view bytes, const std::string& name, const MeshReadOptions& options) {
  if (bytes.empty()) throw Error(ErrorPlace{.file = name}, "the file is empty", "export it again");
  MeshFormat format = options.format;
  if (format == MeshFormat::automatic) {
    const std::optional<MeshFormat> by_content = format_by_content(bytes);
    format = by_content ? *by_content : require_format(format_by_extension(name), name);
  }
  switch (format) {
    case MeshFormat::ply:
      return parse_ply(bytes, name);
    case MeshFormat::stl:
      return parse_stl(bytes, name, options.weld_tolerance);
    case MeshFormat::off:
      return parse_off(bytes, name);
    default:
      return parse_obj(bytes, name);
  }
}

MeshFile read_mesh_file(const std::string& path, const MeshReadOptions& options) {
  return parse_mesh(read_file(path).view(), path, options);
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
    case MeshFormat::automatic:
      break;
  }
  throw Error("no mesh format is given", kKnownFormats);
}

std::vector<std::string> write_mesh(const std::string& path, const TriangleMesh& mesh,
                                    const MeshWriteOptions& options) {
  MeshWriteOptions chosen = options;
  if (chosen.format == MeshFormat::automatic) chosen.format = require_format(format_by_extension(path), path);
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
