#include "pliant/io/json_value.h"

#include <nlohmann/json.hpp>

namespace pliant {

// What nlohmann's reader calls for each token of the text. Its own values are not used: then only this file sees its
// header, which takes the compiler seven seconds.
class JsonParser {
 public:
  JsonValue whole(std::string_view text) {
    nlohmann::json::sax_parse(text.begin(), text.end(), this);
    return std::move(whole_);
  }

  bool null() { return add({}); }
  bool boolean(bool value) { return add(of(Kind::boolean, value ? 1 : 0, 0)); }
  bool number_integer(std::int64_t value) {
    // The reader gives what is written with a sign here.
    return add(of(Kind::negative, static_cast<double>(value), 0 - static_cast<std::uint64_t>(value)));
  }
  bool number_unsigned(std::uint64_t value) { return add(of(Kind::count, static_cast<double>(value), value)); }
  bool number_float(double value, const std::string&) { return add(of(Kind::real, value, 0)); }
  bool string(std::string& text) {
    JsonValue value = with_inside(Kind::text);
    value.inside_->text = std::move(text);
    return add(std::move(value));
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // not of this format

  bool start_array(std::size_t) { return open(Kind::array); }
  bool end_array() { return close(); }
  bool start_object(std::size_t) { return open(Kind::object); }
  bool end_object() { return close(); }
  bool key(std::string& name) {
    open_.back().inside_->names.push_back(std::move(name));
    return true;
  }

  // `at` counts the bytes up to the one that is wrong, that one included.
  [[noreturn]] bool parse_error(std::size_t at, const std::string&, const std::exception& error) {
    throw JsonError(error.what(), at > 0 ? at - 1 : 0);
  }

 private:
  using Kind = JsonValue::Kind;
  static constexpr std::size_t kDeepest = 256;

  static JsonValue of(Kind kind, double real, std::uint64_t bits) {
    JsonValue value;
    value.kind_ = kind;
    value.real_ = real;
    value.bits_ = bits;
    return value;
  }
  static JsonValue with_inside(Kind kind) {
    JsonValue value;
    value.kind_ = kind;
    value.inside_ = std::make_unique<JsonValue::Inside>();
    return value;
  }

  bool open(Kind kind) {
    if (open_.size() >= kDeepest) throw JsonError("nested too deeply", 0);
    open_.push_back(with_inside(kind));
    return true;
  }
  bool close() {
    JsonValue value = std::move(open_.back());
    open_.pop_back();
    return add(std::move(value));
  }
  bool add(JsonValue value) {
    (open_.empty() ? whole_ : open_.back().inside_->values.emplace_back()) = std::move(value);
    return true;
  }

  JsonValue whole_;
  std::vector<JsonValue> open_;  // arrays and objects that have not ended, outermost first
};

JsonValue JsonValue::parse(std::string_view text) { return JsonParser().whole(text); }

namespace {

[[noreturn]] void refuse(const char* wanted) { throw JsonError(std::string("a value is not ") + wanted); }

}  // namespace

bool JsonValue::boolean() const {
  if (!is_boolean()) refuse("true or false");
  return real_ != 0;
}

double JsonValue::real() const {
  if (!is_number()) refuse("a number");
  return real_;
}

std::uint64_t JsonValue::unsigned_integer(std::uint64_t most) const {
  if (kind_ != Kind::count || bits_ > most) refuse("a count in range");
  return bits_;
}

std::int64_t JsonValue::signed_integer(std::int64_t least, std::int64_t most) const {
  const bool fits = kind_ == Kind::count      ? bits_ <= static_cast<std::uint64_t>(most)
                    : kind_ == Kind::negative ? bits_ <= 0 - static_cast<std::uint64_t>(least)
                                              : false;
  if (!fits) refuse("an integer in range");
  return static_cast<std::int64_t>(kind_ == Kind::negative ? 0 - bits_ : bits_);
}

const std::string& JsonValue::text() const {
  if (!is_string()) refuse("a text");
  return inside_->text;
}

const std::vector<std::string>& JsonValue::names() const {
  if (!is_object()) refuse("an object");
  return inside_->names;
}

const JsonValue& JsonValue::at(std::size_t index) const {
  if (!is_array()) refuse("an array");
  if (index >= size()) throw JsonError("an array has " + std::to_string(size()) + " elements, too few");
  return inside_->values[index];
}

const JsonValue* JsonValue::find(std::string_view name) const {
  if (!is_object()) return nullptr;
  for (std::size_t i = size(); i-- > 0;)
    if (inside_->names[i] == name) return &inside_->values[i];
  return nullptr;
}

const JsonValue& JsonValue::at(std::string_view name) const {
  if (!is_object()) refuse("an object");
  if (const JsonValue* found = find(name)) return *found;
  throw JsonError("'" + std::string(name) + "' is missing");
}

}  // namespace pliant
