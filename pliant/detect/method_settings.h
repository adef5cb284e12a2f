// What a method lets one choose, described once: checks, `--set`, scene files, `pliant methods NAME` and other front
// ends are made from the description.
//
// A method has a struct of its own for its settings, with defaults in place, and a table with a row for each of them:
//
//   struct BvhSettings { double rebuild_growth = 2; };
//   constexpr SettingInfo kSettings[]{setting<&BvhSettings::rebuild_growth>({.name = "rebuild_growth", ...})};
//
// The default, the type and where a value goes come from the struct itself (detect/setting_table.h). Code that runs
// often reads the struct.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pliant {

enum class SettingType : std::uint8_t { flag, whole, real };

// Of the type that the alternative says.
using SettingValue = std::variant<bool, std::int64_t, double>;

struct SettingInfo {
  std::string_view name;    // letters, digits and _; as in `--set name=value`
  std::string_view unit;    // "": none
  std::string_view effect;  // one line
  double least = 0;         // of numbers; both ends are allowed
  double most = 0;

  // Filled in by setting<>().
  SettingType type = SettingType::real;
  SettingValue standard;  // the default
  void (*put)(void* settings, const SettingValue& value) = nullptr;
};

// Settings that were chosen, by name; others keep their defaults. They are checked when a method is made with them.
class MethodSettings {
 public:
  using Entry = std::pair<std::string, SettingValue>;

  MethodSettings() = default;
  MethodSettings(std::initializer_list<Entry> entries);

  void set(std::string_view name, const SettingValue& value);  // in place of what it was set to before
  void set_all(const MethodSettings& others);
  bool empty() const { return entries_.empty(); }
  std::span<const Entry> entries() const { return entries_; }  // in the order in which they were first set
  bool operator==(const MethodSettings&) const = default;

 private:
  std::vector<Entry> entries_;
};

struct MethodInfo;

// Null if the method has no such setting.
const SettingInfo* find_setting(const MethodInfo& method, std::string_view name);
// Throw Error, with what to do, for a setting that the method does not have (naming the nearest), and for a value of
// the wrong type or out of range. A whole number will do for a real one.
const SettingInfo& setting_of(const MethodInfo& method, std::string_view name);
void check_settings(const MethodInfo& method, const MethodSettings& chosen);
// From text, as on a command line: "8", "1.5", "true" or "false", "default".
SettingValue parse_setting(const SettingInfo& setting, std::string_view text);

std::string to_string(const SettingValue& value);
std::string_view to_string(SettingType type);      // "flag", "whole number", "number"
std::string range_of(const SettingInfo& setting);  // "1 to 16", "at least 0", "true or false"

}  // namespace pliant
