#include "pliant/scene/toml_value.h"

#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>

#include "pliant/core/error.h"

namespace pliant {
namespace {

TomlValue converted(const toml::node& node, const std::string& file);

TomlValue::Table converted(const toml::table& table, const std::string& file) {
  TomlValue::Table entries;
  for (const auto& [key, node] : table)
    entries.push_back({std::string(key.str()), key.source().begin.line, converted(node, file)});
  // The parser sorts by name.
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  return entries;
}

TomlValue::Array converted(const toml::array& array, const std::string& file) {
  TomlValue::Array values;
  for (const toml::node& node : array) values.push_back(converted(node, file));
  return values;
}

TomlValue converted(const toml::node& node, const std::string& file) {
  TomlValue value{.line = node.source().begin.line};
  if (const auto* table = node.as_table()) value.content = converted(*table, file);
  else if (const auto* array = node.as_array()) value.content = converted(*array, file);
  else if (const auto* text = node.as_string()) value.content = text->get();
  else if (const auto* integer = node.as_integer()) value.content = integer->get();
  else if (const auto* real = node.as_floating_point()) value.content = real->get();
  else if (const auto* truth = node.as_boolean()) value.content = truth->get();
  else throw Error(ErrorPlace{.file = file, .line = value.line}, "a date or time has no meaning in a scene");
  return value;
}

}  // namespace

TomlValue parse_toml(std::string_view text, const std::string& name) {
  try {
    return converted(static_cast<const toml::node&>(toml::parse(text)), name);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorPlace{.file = name, .line = error.source().begin.line},
                "not TOML: " + std::string(error.description()), "https://toml.io describes the format");
  }
}

}  // namespace pliant
