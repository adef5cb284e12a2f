#include "pliant/io/json_value.h"

#include <fast_float/fast_float.h>

#include <cmath>
#include <optional>

#include "pliant/io/text_scanner.h"

namespace pliant {

// One pass over the text, without going back.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  JsonValue whole() {
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
    JsonValue value = any(0);
    skip_space();
    if (at_ != text_.size()) fail("something follows the value");
    return value;
  }

 private:
  using Kind = JsonValue::Kind;
  static constexpr int kDeepest = 256;

  [[noreturn]] void fail(const std::string& problem) const { throw JsonError(problem, at_); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  JsonValue any(int depth) {
    skip_space();
    if (depth > kDeepest) fail("nested too deeply");
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return text();
      case 't':
        return word("true", Kind::boolean, 1);
      case 'f':
        return word("false", Kind::boolean, 0);
      case 'n':
        return word("null", Kind::null, 0);
      default:
        return number();
    }
  }

  JsonValue word(std::string_view wanted, Kind kind, double real) {
    if (text_.substr(at_, wanted.size()) != wanted) fail("not a value");
    at_ += wanted.size();
    JsonValue value;
    value.kind_ = kind;
    value.real_ = real;
    return value;
  }

  static JsonValue with_inside(Kind kind) {
    JsonValue value;
    value.kind_ = kind;
    value.inside_ = std::make_unique<JsonValue::Inside>();
    return value;
  }

  JsonValue array(int depth) {
    JsonValue value = with_inside(Kind::array);
    ++at_;
    if (take(']')) return value;
    do {
      value.inside_->values.push_back(any(depth + 1));
    } while (take(','));
    if (!take(']')) fail("expected , or ]");
    return value;
  }

  JsonValue object(int depth) {
    JsonValue value = with_inside(Kind::object);
    ++at_;
    if (take('}')) return value;
    do {
      skip_space();
      if (peek() != '"') fail("expected the name of a member");
      value.inside_->names.push_back(characters());
      if (!take(':')) fail("expected :");
      value.inside_->values.push_back(any(depth + 1));
    } while (take(','));
    if (!take('}')) fail("expected , or }");
    return value;
  }

  JsonValue text() {
    JsonValue value = with_inside(Kind::text);
    value.inside_->text = characters();
    return value;
  }

  std::size_t skip_digits() {
    const std::size_t first = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ - first;
  }

  JsonValue number() {
    const std::size_t first = at_;
    const bool is_negative = peek() == '-';
    if (is_negative) ++at_;
    const bool leads_with_zero = peek() == '0';
    const std::size_t digits = skip_digits();
    if (digits == 0 || (leads_with_zero && digits > 1)) fail("not a value");
    bool is_whole = true;
    if (peek() == '.') {
      is_whole = false;
      ++at_;
      if (skip_digits() == 0) fail("a number ends with a point");
    }
    if (peek() == 'e' || peek() == 'E') {
      is_whole = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (skip_digits() == 0) fail("a number has an empty exponent");
    }
    return number_of(text_.substr(first, at_ - first), is_whole, is_negative);
  }

  JsonValue number_of(std::string_view digits, bool is_whole, bool is_negative) const {
    JsonValue value;
    value.kind_ = Kind::real;
    fast_float::from_chars(digits.data(), digits.data() + digits.size(), value.real_);
    if (!std::isfinite(value.real_)) fail("a number is too large");
    if (!is_whole) return value;
    if (const auto whole = integer_of(digits.substr(is_negative ? 1 : 0))) {
      value.kind_ = is_negative ? Kind::negative : Kind::count;
      value.bits_ = *whole;
    }
    return value;
  }

  // None: it has more than 64 bits.
  static std::optional<std::uint64_t> integer_of(std::string_view digits) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t value = 0;
    for (const char c : digits) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (value > (kMost - digit) / 10) return std::nullopt;
      value = 10 * value + digit;
    }
    return value;
  }

  std::string characters() {
    std::string result;
    ++at_;
    for (;;) {
      if (at_ == text_.size()) fail("a text does not end");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') break;
      if (c < 0x20) fail("a text holds a control character");
      if (c == '\\') escaped(result);
      else if (c < 0x80) result += text_[at_++];
      else multibyte(result);
    }
    ++at_;
    return result;
  }

  void escaped(std::string& result) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    ++at_;
    const std::size_t known = at_ < text_.size() ? kNames.find(text_[at_]) : std::string_view::npos;
    if (known != std::string_view::npos) {
      result += kMeant[known];
      ++at_;
      return;
    }
    if (peek() != 'u') fail("not an escape sequence");
    std::uint32_t code = four_digits();
    if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_, 2) == "\\u") {
      ++at_;
      const std::uint32_t low = four_digits();
      if (low < 0xdc00 || low > 0xdfff) fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xd800 && code <= 0xdfff) {
      fail("half of a surrogate pair");
    }
    append_utf8(result, code);
  }

  // After the u.
  std::uint32_t four_digits() {
    std::uint32_t code = 0;
    ++at_;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      if (c >= '0' && c <= '9') code = 16 * code + static_cast<std::uint32_t>(c - '0');
      else if (c >= 'a' && c <= 'f') code = 16 * code + static_cast<std::uint32_t>(c - 'a' + 10);
      else if (c >= 'A' && c <= 'F') code = 16 * code + static_cast<std::uint32_t>(c - 'A' + 10);
      else fail("\\u needs four hexadecimal digits");
    }
    return code;
  }

  static void append_utf8(std::string& result, std::uint32_t code) {
    const auto byte = [&](std::uint32_t bits) { result += static_cast<char>(bits); };
    if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xc0 | (code >> 6)), byte(0x80 | (code & 63));
    } else if (code < 0x10000) {
      byte(0xe0 | (code >> 12)), byte(0x80 | ((code >> 6) & 63)), byte(0x80 | (code & 63));
    } else {
      byte(0xf0 | (code >> 18)), byte(0x80 | ((code >> 12) & 63)), byte(0x80 | ((code >> 6) & 63));
      byte(0x80 | (code & 63));
    }
  }

  // One character of two to four bytes, in the shortest form and no surrogate.
  void multibyte(std::string& result) {
    const auto first = static_cast<unsigned char>(text_[at_]);
    const std::size_t size = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
    if (size == 0 || text_.size() - at_ < size) fail("a text is not UTF-8");
    std::uint32_t code = first & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
      const auto next = static_cast<unsigned char>(text_[at_ + i]);
      if ((next & 0xc0) != 0x80) fail("a text is not UTF-8");
      code = (code << 6) | (next & 63);
    }
    const bool is_short = size == 3 ? code < 0x800 : size == 4 && code < 0x10000;
    if (is_short || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) fail("a text is not UTF-8");
    result.append(text_.substr(at_, size));
    at_ += size;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

JsonValue JsonValue::parse(std::string_view text) { return JsonParser(text).whole(); }

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
