// Which format a file is in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pliant/io/mesh_file.h"

namespace pliant {

// The extension in lower case, with its dot; "" without one.
std::string extension_of(const std::string& name);

std::optional<MeshFormat> format_by_extension(const std::string& name);
// Of files that tell what they are. OBJ and TetGen do not, and a truncated binary STL neither.
std::optional<MeshFormat> format_by_content(std::string_view bytes);

// The format asked for, if it is not `automatic`; else by content, else by name. Throws Error if neither tells.
MeshFormat choose_format(MeshFormat asked, std::string_view bytes, const std::string& name);
// The same for a file that is yet to be written.
MeshFormat choose_format(MeshFormat asked, const std::string& name);

// Formats of vertices and cells, which may be tetrahedra.
bool holds_cells(MeshFormat format);

// TetGen's pair of files is told by name alone, before anything is read.
bool is_tetgen(MeshFormat asked, const std::string& name);

}  // namespace pliant
