#include "pliant/scene/table_reader.h"

#include <algorithm>
#include <cmath>

#include "pliant/core/suggest.h"

namespace pliant {
namespace {

const char* type_name(const TomlValue& value) {
  constexpr const char* kNames[] = {"true or false", "a whole number", "a number", "a text", "a list", "a table"};
  return kNames[value.content.index()];
}

}  // namespace

TableReader::TableReader(const TomlValue& value, std::string file, std::string what)
    : entries_(std::get_if<TomlValue::Table>(&value.content)),
      line_(value.line),
      file_(std::move(file)),
      what_(std::move(what)) {
  if (!entries_)
    throw Error(ErrorPlace{.file = file_, .line = line_}, what_ + " is " + type_name(value) + ", not a table");
}

ErrorPlace TableReader::place_of(std::string_view key, std::uint64_t line) const {
  return {.file = file_, .line = line, .element = "key '" + std::string(key) + "' of " + what_};
}

void TableReader::fail(std::string_view key, const std::string& problem, const std::string& remedy) const {
  const TomlValue* value = look_up(key);
  throw Error(place_of(key, value ? value->line : line_), problem, remedy);
}

const TomlValue* TableReader::look_up(std::string_view key) const {
  const auto found =
      std::find_if(entries_->begin(), entries_->end(), [&](const auto& entry) { return entry.key == key; });
  return found == entries_->end() ? nullptr : &found->value;
}

const TomlValue* TableReader::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return look_up(key);
}

double TableReader::number_of(std::string_view key, const TomlValue& value, const Quantity& quantity) const {
  double number = 0;
  if (const auto* real = std::get_if<double>(&value.content)) number = *real;
  else if (const auto* integer = std::get_if<std::int64_t>(&value.content)) number = static_cast<double>(*integer);
  else if (const auto* text = std::get_if<std::string>(&value.content))
    number = placed(key, [&] { return parse_quantity(*text, quantity); });
  else fail(key, std::string("is ") + type_name(value) + ", not " + std::string(quantity.name));
  if (!std::isfinite(number)) fail(key, "is not a finite number");
  return number;
}

double TableReader::number(std::string_view key, double fallback, const Quantity& quantity) {
  const TomlValue* value = find(key);
  return value ? number_of(key, *value, quantity) : fallback;
}

double TableReader::positive(std::string_view key, double fallback, const Quantity& quantity) {
  const double value = number(key, fallback, quantity);
  if (has(key) && !(value > 0)) fail(key, "is not above zero");
  return value;
}

double TableReader::not_negative(std::string_view key, double fallback, const Quantity& quantity) {
  const double value = number(key, fallback, quantity);
  if (has(key) && !(value >= 0)) fail(key, "is below zero");
  return value;
}

int TableReader::integer(std::string_view key, int fallback, int least) {
  const TomlValue* value = find(key);
  if (!value) return fallback;
  const auto* integer = std::get_if<std::int64_t>(&value->content);
  if (!integer) fail(key, std::string("is ") + type_name(*value) + ", not a whole number");
  constexpr std::int64_t kMost = 1'000'000'000;
  if (*integer < least || *integer > kMost)
    fail(key, "is " + std::to_string(*integer),
         "give " + std::to_string(least) + " or more, up to " + std::to_string(kMost));
  return static_cast<int>(*integer);
}

bool TableReader::boolean(std::string_view key, bool fallback) {
  const TomlValue* value = find(key);
  if (!value) return fallback;
  const auto* truth = std::get_if<bool>(&value->content);
  if (!truth) fail(key, std::string("is ") + type_name(*value) + ", not true or false");
  return *truth;
}

std::string TableReader::text(std::string_view key, std::string fallback) {
  const TomlValue* value = find(key);
  if (!value) return fallback;
  const auto* text = std::get_if<std::string>(&value->content);
  if (!text) fail(key, std::string("is ") + type_name(*value) + ", not a text in quotes");
  return *text;
}

std::string TableReader::choice(std::string_view key, std::string fallback,
                                const std::vector<std::string_view>& choices) {
  std::string chosen = text(key, std::move(fallback));
  if (!has(key) || std::find(choices.begin(), choices.end(), chosen) != choices.end()) return chosen;
  fail(key, "'" + chosen + "' is not known here", suggestion(chosen, choices));
}

Vec3 TableReader::vector_of(std::string_view key, const TomlValue& value, const Quantity& quantity) const {
  const auto* list = std::get_if<TomlValue::Array>(&value.content);
  if (!list || list->size() != 3) fail(key, "is not three numbers", "write [x, y, z]");
  Vec3 v;
  for (std::size_t i = 0; i < 3; ++i) v[static_cast<int>(i)] = number_of(key, (*list)[i], quantity);
  return v;
}

Vec3 TableReader::vector(std::string_view key, const Vec3& fallback, const Quantity& quantity) {
  const TomlValue* value = find(key);
  return value ? vector_of(key, *value, quantity) : fallback;
}

std::vector<Vec3> TableReader::vectors(std::string_view key, const Quantity& quantity) {
  std::vector<Vec3> result;
  for (const TomlValue& value : array(key)) result.push_back(vector_of(key, value, quantity));
  return result;
}

const TomlValue::Array& TableReader::array(std::string_view key) {
  static const TomlValue::Array kNothing;
  const TomlValue* value = find(key);
  if (!value) return kNothing;
  const auto* list = std::get_if<TomlValue::Array>(&value->content);
  if (!list) fail(key, std::string("is ") + type_name(*value) + ", not a list");
  return *list;
}

void TableReader::finish() const {
  for (const auto& entry : *entries_) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    const std::vector<std::string_view> names(known_.begin(), known_.end());
    throw Error(place_of(entry.key, entry.line), "is not known here", suggestion(entry.key, names));
  }
}

}  // namespace pliant
