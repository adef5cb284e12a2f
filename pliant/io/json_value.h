// JSON (RFC 8259) as values to look into, read by nlohmann-json behind this door: its header takes the compiler seven
// seconds in every file that sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pliant {

// What is wrong with a text, or with a value that is not what was asked for. Callers know the file and the element.
class JsonError : public std::runtime_error {
 public:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  explicit JsonError(const std::string& problem, std::size_t at_byte = kNowhere)
      : std::runtime_error(problem), byte(at_byte) {}
  std::size_t byte;  // of the text, counted from 0; kNowhere: the text is well formed
};

// Null, a truth value, a number, a text, an array, or an object, which keeps the order of its members. Of members with
// the same name the last counts. Functions that ask for what is not there throw JsonError.
class JsonValue {
 public:
  // The whole text must be one value. Nested at most 256 deep; numbers beyond the range of double are refused.
  static JsonValue parse(std::string_view text);

  JsonValue() = default;  // null
  JsonValue(JsonValue&&) noexcept = default;
  JsonValue& operator=(JsonValue&&) noexcept = default;

  bool is_null() const { return kind_ == Kind::null; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  bool is_number() const { return kind_ == Kind::real || kind_ == Kind::count || kind_ == Kind::negative; }
  // Written without sign, point and exponent, and below 2^64.
  bool is_number_unsigned() const { return kind_ == Kind::count; }
  bool is_string() const { return kind_ == Kind::text; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }

  // bool, std::string, double, or an integer type, which must hold the number.
  template <class T>
  T get() const;
  template <class T>
  requires((std::is_arithmetic_v<T> && !std::is_same_v<T, char>) || std::is_same_v<T, std::string>) operator T()
      const {  // NOLINT(google-explicit-constructor): fields are read by assignment
    return get<T>();
  }
  const std::string& text() const;

  // Of an array or object: its elements, or the values of its members. Everything else has none.
  std::size_t size() const { return inside_ ? inside_->values.size() : 0; }
  bool empty() const { return size() == 0; }
  const JsonValue* begin() const { return inside_ ? inside_->values.data() : nullptr; }
  const JsonValue* end() const { return begin() + size(); }
  const JsonValue& at(std::size_t index) const;
  // The names of an object's members, in the order of begin() ... end().
  const std::vector<std::string>& names() const;

  // Of an object; null if there is no such member, or this is no object.
  const JsonValue* find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  const JsonValue& at(std::string_view name) const;
  // What the member is, or `otherwise` if there is none.
  template <class T>
  T value(std::string_view name, T otherwise) const {
    const JsonValue* found = find(name);
    return found ? found->get<T>() : otherwise;
  }

 private:
  friend class JsonParser;
  enum class Kind : std::uint8_t { null, boolean, real, count, negative, text, array, object };
  // Apart, so that the many values that are numbers stay small.
  struct Inside {
    std::string text;
    std::vector<JsonValue> values;
    std::vector<std::string> names;
  };

  bool boolean() const;
  double real() const;
  std::int64_t signed_integer(std::int64_t least, std::int64_t most) const;
  std::uint64_t unsigned_integer(std::uint64_t most) const;

  Kind kind_ = Kind::null;
  double real_ = 0;         // boolean: 0 or 1
  std::uint64_t bits_ = 0;  // count, and what a negative integer is without its sign
  std::unique_ptr<Inside> inside_;
};

template <class T>
T JsonValue::get() const {
  if constexpr (std::is_same_v<T, bool>) return boolean();
  else if constexpr (std::is_same_v<T, std::string>) return text();
  else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(real());
  else if constexpr (std::is_unsigned_v<T>) return static_cast<T>(unsigned_integer(std::numeric_limits<T>::max()));
  else return static_cast<T>(signed_integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

}  // namespace pliant
