// What the choice of a reader needs to know of STL; the reader itself is parse_stl (io/mesh_file.h).
#pragma once

#include <string_view>

namespace pliant {

enum class StlKind { unknown, text, binary };

// By content alone. A truncated binary file is `unknown`.
StlKind sniff_stl(std::string_view bytes);

}  // namespace pliant
