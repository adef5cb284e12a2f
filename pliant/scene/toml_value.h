// TOML 1.0 as a tree of plain values that know their lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pliant {

struct TomlValue {
  struct Entry;
  using Array = std::vector<TomlValue>;
  using Table = std::vector<Entry>;  // in the order of the file

  std::variant<bool, std::int64_t, double, std::string, Array, Table> content;
  std::uint64_t line = 0;  // 1-based
};

struct TomlValue::Entry {
  std::string key;
  std::uint64_t line = 0;
  TomlValue value;
};

// Throws Error, naming `name` and the line, for what is not TOML, and for dates and times, which scenes have no use
// for.
TomlValue parse_toml(std::string_view text, const std::string& name);

}  // namespace pliant
