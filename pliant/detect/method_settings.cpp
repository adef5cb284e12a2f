#include "pliant/detect/method_settings.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/core/suggest.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/setting_table.h"
#include "pliant/detect/settings_by_name.h"

namespace pliant {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

std::string quoted(std::string_view text) {
  std::string result = "'";
  return result.append(text).append("'");
}

// The shortest decimal that is this number.
std::string shortest_decimal(double value) {
#if defined(__cpp_lib_to_chars)
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value);
  return {text, end.ptr};
#else
  // Emscripten's C++ library has no to_chars of doubles. Seventeen digits are always enough.
  char text[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
#endif
}

[[noreturn]] void refuse_value(const SettingInfo& setting, const std::string& problem) {
  throw Error(quoted(setting.name) + " is " + problem,
              "give " + range_of(setting) + "; by default " + to_string(setting.standard));
}

double number(const SettingValue& value) {
  return std::visit([](auto given) { return static_cast<double>(given); }, value);
}

SettingType type_of(const SettingValue& value) { return static_cast<SettingType>(value.index()); }

void check(const SettingInfo& setting, const SettingValue& value) {
  const SettingType given = type_of(value);
  const bool fits = given == setting.type || (setting.type == SettingType::real && given == SettingType::whole);
  if (!fits)
    refuse_value(setting, to_string(value) + ", a " + std::string(to_string(given)) + " where a " +
                              std::string(to_string(setting.type)) + " is wanted");
  if (setting.type == SettingType::flag) return;
  const double x = number(value);
  if (!(x >= setting.least && x <= setting.most)) refuse_value(setting, to_string(value) + ", which is out of range");
}

}  // namespace

MethodSettings::MethodSettings(std::initializer_list<Entry> entries) {
  for (const auto& [name, value] : entries) set(name, value);
}

void MethodSettings::set(std::string_view name, const SettingValue& value) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.first == name; });
  if (known != entries_.end()) known->second = value;
  else entries_.emplace_back(name, value);
}

void MethodSettings::set_all(const MethodSettings& others) {
  for (const auto& [name, value] : others.entries_) set(name, value);
}

const SettingInfo* find_setting(const MethodInfo& method, std::string_view name) {
  const auto found = std::find_if(method.settings.begin(), method.settings.end(),
                                  [&](const SettingInfo& setting) { return setting.name == name; });
  return found == method.settings.end() ? nullptr : &*found;
}

const SettingInfo& setting_of(const MethodInfo& method, std::string_view name) {
  if (const SettingInfo* found = find_setting(method, name)) return *found;
  if (method.settings.empty())
    throw Error("method " + quoted(method.name) + " has no settings, so no " + quoted(name),
                "see `pliant methods` for those that have");
  std::vector<std::string_view> names;
  for (const SettingInfo& setting : method.settings) names.push_back(setting.name);
  throw Error("method " + quoted(method.name) + " has no setting " + quoted(name), suggestion(name, names));
}

void check_settings(const MethodInfo& method, const MethodSettings& chosen) {
  for (const auto& [name, value] : chosen.entries()) check(setting_of(method, name), value);
}

void detail::put_settings(const MethodInfo& method, const MethodSettings& chosen, void* settings) {
  check_settings(method, chosen);
  for (const auto& [name, value] : chosen.entries()) setting_of(method, name).put(settings, value);
}

namespace {

bool parse_all(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}
bool parse_all(std::string_view text, double& number) {
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

SettingValue parsed(const SettingInfo& setting, std::string_view text) {
  if (text == "default") return setting.standard;
  std::int64_t whole = 0;
  double real = 0;
  if (setting.type == SettingType::flag && (text == "true" || text == "false")) return text == "true";
  if (setting.type == SettingType::whole && parse_all(text, whole)) return whole;
  if (setting.type == SettingType::real && parse_all(text, real)) return real;
  refuse_value(setting, quoted(text) + ", which is not a " + std::string(to_string(setting.type)));
}

}  // namespace

SettingValue parse_setting(const SettingInfo& setting, std::string_view text) {
  const SettingValue value = parsed(setting, text);
  check(setting, value);
  return value;
}

namespace {

// For an Error about several methods: one of them has its own words.
void require_known(std::string_view name, std::span<const MethodInfo* const> methods) {
  if (methods.size() == 1) setting_of(*methods[0], name);
  std::string list;
  std::vector<std::string_view> names;
  for (const MethodInfo* method : methods) {
    if (find_setting(*method, name)) return;
    list += (list.empty() ? "" : ", ") + std::string(method->name);
    for (const SettingInfo& setting : method->settings) names.push_back(setting.name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  throw Error("none of the methods " + list + " has a setting " + quoted(name), suggestion(name, names));
}

}  // namespace

MethodSettingsByName parse_settings(std::span<const std::string> texts, std::span<const MethodInfo* const> methods) {
  MethodSettingsByName chosen;
  for (const std::string_view text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos)
      throw Error(quoted(text) + " sets nothing", "write NAME=VALUE, as in leaf_size=8");
    const std::string_view name = text.substr(0, equals);
    require_known(name, methods);
    for (const MethodInfo* method : methods)
      if (const SettingInfo* setting = find_setting(*method, name))
        chosen[std::string(method->name)].set(name, parse_setting(*setting, text.substr(equals + 1)));
  }
  return chosen;
}

std::string to_string(const SettingValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  return shortest_decimal(std::get<double>(value));
}

std::string_view to_string(SettingType type) {
  constexpr std::string_view kNames[]{"flag", "whole number", "number"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string range_of(const SettingInfo& setting) {
  if (setting.type == SettingType::flag) return "true or false";
  if (setting.most >= kLargest) return "at least " + shortest_decimal(setting.least);
  return shortest_decimal(setting.least) + " to " + shortest_decimal(setting.most);
}

}  // namespace pliant
