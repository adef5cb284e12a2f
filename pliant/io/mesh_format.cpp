#include "pliant/io/mesh_format.h"

#include <array>

#include "pliant/core/error.h"
#include "pliant/io/stl_reader.h"
#include "pliant/io/text_scanner.h"

namespace pliant {
namespace {

struct Entry {
  std::string_view extension;
  MeshFormat format;
};
constexpr std::array<Entry, 13> kExtensions = {{{".obj", MeshFormat::obj},
                                                {".ply", MeshFormat::ply},
                                                {".stl", MeshFormat::stl},
                                                {".off", MeshFormat::off},
                                                {".mesh", MeshFormat::medit},
                                                {".msh", MeshFormat::gmsh},
                                                {".node", MeshFormat::tetgen},
                                                {".ele", MeshFormat::tetgen},
                                                {".vtk", MeshFormat::vtk},
                                                {".vtu", MeshFormat::vtu},
                                                {".vtp", MeshFormat::vtp},
                                                {".gltf", MeshFormat::gltf},
                                                {".glb", MeshFormat::gltf}}};

std::string known_extensions() {
  std::string text;
  for (const Entry& entry : kExtensions)
    text += (text.empty() ? "known formats are " : ", ") + std::string(entry.extension);
  return text;
}

// What to do about a file that is known for something else than a mesh that we read.
std::string remedy_for(const std::string& extension) {
  for (const char* motion : {".pc2", ".mdd", ".npy", ".pvd"})
    if (extension == motion) return "it holds a motion: name the mesh that it moves, and this file after --motion";
  for (const char* scene : {".abc", ".usd", ".usda", ".usdc", ".usdz", ".fbx", ".blend"})
    if (extension == scene) return "convert it with Blender: scripts/blender-to-pc2.py, see docs/files.md";
  return known_extensions();
}

bool looks_like_off(std::string_view bytes) {
  const std::string_view word = bytes.substr(0, bytes.substr(0, 12).find_first_of(" \t\r\n"));
  return word.size() >= 3 && word.size() <= 9 && word.substr(word.size() - 3) == "OFF" &&
         word.find_first_not_of("STCN4nOF") == std::string_view::npos;
}

bool begins_with(std::string_view bytes, std::string_view start) { return bytes.substr(0, start.size()) == start; }

}  // namespace

std::string extension_of(const std::string& name) {
  const std::size_t dot = name.find_last_of("./");
  if (dot == std::string::npos || name[dot] == '/') return "";
  std::string extension = name.substr(dot);
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return extension;
}

std::optional<MeshFormat> format_by_extension(const std::string& name) {
  const std::string extension = extension_of(name);
  for (const Entry& entry : kExtensions) {
    if (entry.extension == extension) return entry.format;
  }
  return std::nullopt;
}

std::optional<MeshFormat> format_by_content(std::string_view bytes) {
  const std::string_view text = without_byte_order_mark(bytes);
  if (begins_with(text, "ply\n") || begins_with(text, "ply\r")) return MeshFormat::ply;
  if (looks_like_off(text)) return MeshFormat::off;
  if (begins_with(text, "MeshVersionFormatted")) return MeshFormat::medit;
  if (begins_with(text, "$MeshFormat")) return MeshFormat::gmsh;
  if (begins_with(text, "# vtk DataFile")) return MeshFormat::vtk;
  if (begins_with(bytes, "glTF")) return MeshFormat::gltf;
  if (bytes.substr(0, 512).find("<VTKFile") != std::string_view::npos) return MeshFormat::vtu;
  if (sniff_stl(bytes) != StlKind::unknown) return MeshFormat::stl;
  return std::nullopt;
}

MeshFormat choose_format(MeshFormat asked, std::string_view bytes, const std::string& name) {
  if (asked != MeshFormat::automatic) return asked;
  if (const std::optional<MeshFormat> format = format_by_content(bytes)) return *format;
  if (const std::optional<MeshFormat> format = format_by_extension(name)) return *format;
  throw Error(ErrorPlace{.file = name}, "the format cannot be told from the name", remedy_for(extension_of(name)));
}

MeshFormat choose_format(MeshFormat asked, const std::string& name) {
  if (asked != MeshFormat::automatic) return asked;
  if (const std::optional<MeshFormat> format = format_by_extension(name)) return *format;
  throw Error(ErrorPlace{.file = name}, "the format cannot be told from the name", known_extensions());
}

bool holds_cells(MeshFormat format) {
  switch (format) {
    case MeshFormat::gmsh:
    case MeshFormat::medit:
    case MeshFormat::tetgen:
    case MeshFormat::vtk:
    case MeshFormat::vtu:
    case MeshFormat::vtp:
      return true;
    default:
      return false;
  }
}

bool is_tetgen(MeshFormat asked, const std::string& name) {
  return asked == MeshFormat::tetgen ||
         (asked == MeshFormat::automatic && format_by_extension(name) == MeshFormat::tetgen);
}

}  // namespace pliant
