#include "web/wasm/settings.h"

#include "pliant/detect/detector.h"
#include "pliant/io/decimal.h"

namespace pliant::web {
namespace {

std::string in_words(const JsonValue& value) {
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  std::string text;
  append_decimal(text, value.get<double>());
  return text;
}

}  // namespace

std::vector<std::string> settings_in_words(const JsonValue& chosen) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    words.push_back(chosen.names()[i] + "=" + in_words(chosen.begin()[i]));
  return words;
}

MethodSettings settings_of(const JsonValue& chosen, const MethodInfo& method) {
  MethodSettings settings;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::string& name = chosen.names()[i];
    settings.set(name, parse_setting(setting_of(method, name), in_words(chosen.begin()[i])));
  }
  return settings;
}

}  // namespace pliant::web
