// How a method makes its table of settings out of a struct, and the struct out of what was chosen.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "pliant/detect/method_settings.h"

namespace pliant {

namespace detail {

template <class Struct, class Value>
Struct struct_of(Value Struct::*);

template <class T>
constexpr SettingType type_of() {
  if constexpr (std::same_as<T, bool>) return SettingType::flag;
  else return std::integral<T> ? SettingType::whole : SettingType::real;
}

template <class T>
constexpr SettingValue value_of(T value) {
  if constexpr (std::same_as<T, bool>) return value;
  else if constexpr (std::integral<T>) return static_cast<std::int64_t>(value);
  else return static_cast<double>(value);
}

}  // namespace detail

// The row of a member; `info` has what the member does not say.
template <auto kMember>
constexpr SettingInfo setting(SettingInfo info) {
  using Struct = decltype(detail::struct_of(kMember));
  using Value = std::remove_reference_t<decltype(std::declval<Struct&>().*kMember)>;
  info.type = detail::type_of<Value>();
  info.standard = detail::value_of(Struct{}.*kMember);
  info.put = [](void* settings, const SettingValue& value) {
    static_cast<Struct*>(settings)->*kMember = std::visit([](auto given) { return static_cast<Value>(given); }, value);
  };
  return info;
}

namespace detail {
void put_settings(const MethodInfo& method, const MethodSettings& chosen, void* settings);
}  // namespace detail

// The method's struct with what was chosen, checked. `Struct` is the one that the method's table was made from.
template <class Struct>
Struct read_settings(const MethodInfo& method, const MethodSettings& chosen) {
  Struct settings;
  detail::put_settings(method, chosen, &settings);
  return settings;
}

}  // namespace pliant
