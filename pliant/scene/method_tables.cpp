#include "pliant/scene/method_tables.h"

#include "pliant/detect/registry.h"
#include "pliant/scene/table_reader.h"

namespace pliant {
namespace {

SettingValue value_of(const TomlValue& value) {
  if (const auto* flag = std::get_if<bool>(&value.content)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value.content)) return *whole;
  if (const auto* real = std::get_if<double>(&value.content)) return *real;
  throw Error("is neither a number nor true or false", "see `pliant methods NAME` for what a method lets one choose");
}

MethodSettings read_table(const TomlValue& value, const MethodInfo& method, const std::string& file) {
  const TableReader table(value, file, "method '" + std::string(method.name) + "'");
  MethodSettings chosen;
  for (const auto& entry : std::get<TomlValue::Table>(value.content))
    table.placed(entry.key, [&] {
      const MethodSettings one{{entry.key, value_of(entry.value)}};
      check_settings(method, one);
      chosen.set_all(one);
    });
  return chosen;
}

}  // namespace

MethodSettingsByName read_method_tables(const TomlValue& methods, const std::string& file) {
  const TableReader all(methods, file, "the methods");
  MethodSettingsByName chosen;
  for (const auto& entry : std::get<TomlValue::Table>(methods.content)) {
    const MethodInfo* method = all.placed(entry.key, [&] { return &method_info(entry.key); });
    chosen[entry.key] = read_table(entry.value, *method, file);
  }
  return chosen;
}

}  // namespace pliant
