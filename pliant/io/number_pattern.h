// The place of a frame's number in a file name. Internal to io/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pliant {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "walk." + %04d + ".obj".
struct NumberPattern {
  std::string before;
  std::size_t width = 0;  // least number of digits, filled with zeros
  std::string after;

  std::string name(std::uint64_t number) const;
  // Nothing if the file is none of the pattern's, or the number is not written as name() would.
  std::optional<std::uint64_t> number_in(const std::string& file_name) const;
};

// The first of %d and %04d (as in C), #### (one # a digit; as in Nuke, Maya and Blender) and $F4 (as in Houdini). A
// single # counts only between '.', '_' or '-'.
std::optional<NumberPattern> find_pattern(const std::string& file_name);

}  // namespace pliant
