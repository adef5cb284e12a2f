// The header of a PLY file: which elements follow, and how each is laid out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
std::size_t size_of(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;  // of a list: of its items
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  // lists only
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;  // as claimed: not to be trusted before it is compared with the size of the file
  std::vector<PlyProperty> properties;

  int find(std::string_view property) const;  // -1 if it has none of that name
  bool has_lists() const;
  // Of one element in a binary file; a list counts as empty, so with lists this is the least that it can take.
  std::size_t least_size() const;
};

enum class PlyEncoding { text, binary_little, binary_big };

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::text;
  std::vector<PlyElement> elements;
  std::size_t size = 0;          // bytes of the header
  std::uint64_t line_count = 0;  // lines of the header

  const PlyElement* find(std::string_view element) const;
};

// Throws Error with the line. Property names may repeat; the first of a name counts.
PlyHeader parse_ply_header(std::string_view bytes, const std::string& file);

}  // namespace pliant
