#include "pliant/scene/toml_text.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "pliant/core/error.h"

namespace pliant {
namespace {

constexpr std::size_t kMaxKeyParts = 64;  // tables nest as deep as keys are long, and are walked by recursion

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_bare(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }
bool is_word(char c) { return is_bare(c) || c == '+' || c == '.' || c == ':'; }

unsigned char byte(char c) { return static_cast<unsigned char>(c); }

// How many bytes the UTF-8 letter at `at` has; nothing if there is none.
std::optional<std::size_t> letter_length(std::string_view text, std::size_t at) {
  const unsigned char first = byte(text[at]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return {};
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(text[at + i]) & 0xc0) != 0x80) return {};
  const unsigned char second = byte(text[at + 1]);
  const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_letter = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);  // surrogates, too large
  if (too_long || no_letter) return {};
  return length;
}

void append_utf8(std::string& text, std::uint32_t letter) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((letter >> shift) & 0x3f)); };
  if (letter < 0x80) {
    text += static_cast<char>(letter);
  } else if (letter < 0x800) {
    text += static_cast<char>(0xc0 | (letter >> 6));
    tail(0);
  } else if (letter < 0x10000) {
    text += static_cast<char>(0xe0 | (letter >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0 | (letter >> 18));
    tail(12), tail(6), tail(0);
  }
}

// The digits without the underscores that may stand between two of them; nothing if one stands elsewhere.
std::optional<std::string> without_underscores(std::string_view word, bool (*is_figure)(char)) {
  std::string digits;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '_') digits += word[i];
    else if (i == 0 || i + 1 == word.size() || !is_figure(word[i - 1]) || !is_figure(word[i + 1])) return {};
  }
  return digits;
}

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

// digits [. digits] [e [sign] digits], without a leading zero, as TOML has it.
bool is_decimal(std::string_view word) {
  const std::size_t exponent = word.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    std::string_view power = word.substr(exponent + 1);
    if (!power.empty() && (power[0] == '+' || power[0] == '-')) power.remove_prefix(1);
    if (!all_digits(power)) return false;
    word = word.substr(0, exponent);
  }
  const std::size_t point = word.find('.');
  if (point != std::string_view::npos) {
    if (!all_digits(word.substr(point + 1))) return false;
    word = word.substr(0, point);
  }
  return all_digits(word) && (word.size() == 1 || word[0] != '0');
}

bool is_date_or_time(std::string_view word) {
  const auto digits_then = [&](std::size_t count, char mark) {
    return word.size() > count && all_digits(word.substr(0, count)) && word[count] == mark;
  };
  return digits_then(4, '-') || digits_then(2, ':');
}

std::optional<std::int64_t> integer(std::string_view digits, int base) {
  std::int64_t value = 0;
  const auto [stop, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (status != std::errc() || stop != digits.data() + digits.size()) return {};
  return value;
}

// The base that a word names (0x, 0o, 0b), or 10.
int base_of(std::string_view word) {
  const std::string_view prefix = word.substr(0, 2);
  return prefix == "0x" ? 16 : prefix == "0o" ? 8 : prefix == "0b" ? 2 : 10;
}

std::optional<std::int64_t> based_integer(std::string_view word) {
  const auto digits = without_underscores(word.substr(2), [](char c) { return is_digit(c) || is_letter(c); });
  if (!digits || digits->empty() || (*digits)[0] == '-') return {};
  return integer(*digits, base_of(word));
}

}  // namespace

TomlText::TomlText(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  for (std::size_t at = 0; at < text.size();) {
    const auto length = letter_length(text, at);
    if (!length) fail("bytes that are not UTF-8", "save the file as UTF-8");
    const char c = text[at];
    const bool line_end = c == '\n' || (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
    if (!line_end && c != '\t' && (byte(c) < 0x20 || c == 0x7f)) fail("a control character");
    if (c == '\n') ++line_;
    at += *length;
  }
  line_ = 1;
  accept("\xef\xbb\xbf");  // a byte order mark
}

void TomlText::fail(const std::string& problem, const std::string& remedy) const {
  throw Error(ErrorPlace{.file = file_, .line = line_}, "not TOML: " + problem,
              remedy.empty() ? "https://toml.io describes the format" : remedy);
}

bool TomlText::accept(std::string_view mark) {
  if (text_.substr(next_, mark.size()) != mark) return false;
  next_ += mark.size();
  return true;
}

bool TomlText::at_line_end() const { return peek() == '\n' || (peek() == '\r' && text_.substr(next_, 2) == "\r\n"); }

void TomlText::take_line_end() {
  next_ += peek() == '\r' ? 2 : 1;
  ++line_;
}

void TomlText::skip_blanks() {
  while (peek() == ' ' || peek() == '\t') ++next_;
}

void TomlText::skip_comment() {
  if (peek() != '#') return;
  while (!at_end() && !at_line_end()) ++next_;
}

void TomlText::skip_blank_lines() {
  for (;;) {
    skip_blanks();
    skip_comment();
    if (!at_line_end()) return;
    take_line_end();
  }
}

void TomlText::end_line() {
  skip_blanks();
  skip_comment();
  if (at_end()) return;
  if (!at_line_end()) fail("more text where the line should end", "one key per line; texts stand in quotes");
  take_line_end();
}

TomlText::Key TomlText::key() {
  Key parts;
  do {
    skip_blanks();
    parts.push_back(key_part());
    skip_blanks();
    if (parts.size() > kMaxKeyParts) fail("a key of more than 64 parts");
  } while (accept("."));
  return parts;
}

std::string TomlText::key_part() {
  if (peek() == '"' || peek() == '\'') {
    if (text_.substr(next_, 3) == "\"\"\"" || text_.substr(next_, 3) == "'''") fail("a key of several lines");
    return string();
  }
  const std::size_t start = next_;
  while (is_bare(peek())) ++next_;
  if (next_ == start) fail("a key is missing here", "keys are letters, digits, '_' and '-'; others stand in quotes");
  return std::string(text_.substr(start, next_ - start));
}

TomlText::Scalar TomlText::scalar() {
  if (peek() == '"' || peek() == '\'') return string();
  const std::string_view value = word();
  if (value == "true") return true;
  if (value == "false") return false;
  return number(value);
}

std::string TomlText::string() {
  const char quote = peek();
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  if (accept(three)) return multi_line_string(quote);
  ++next_;
  std::string text;
  while (peek() != quote || at_end()) {
    if (at_end() || at_line_end()) fail("a text without its closing quote");
    if (quote == '"' && peek() == '\\') append_escape(text);
    else text += text_[next_++];
  }
  ++next_;
  return text;
}

std::string TomlText::multi_line_string(char quote) {
  const std::string three(3, quote);
  if (at_line_end()) take_line_end();  // the first line's end is not part of the text
  std::string text;
  while (!accept(three)) {
    if (at_end()) fail("a text without its closing quotes");
    if (quote == '"' && peek() == '\\') {
      if (!take_folded_lines()) append_escape(text);
    } else if (at_line_end()) {
      take_line_end();
      text += '\n';
    } else {
      text += text_[next_++];
    }
  }
  for (int i = 0; i < 2 && peek() == quote; ++i) text += text_[next_++];  // quotes right before the closing ones
  return text;
}

// A backslash at the end of a line, and all white space after it.
bool TomlText::take_folded_lines() {
  std::size_t end = next_ + 1;
  while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
  if (end == text_.size() || (text_[end] != '\n' && text_[end] != '\r')) return false;
  next_ = end;
  while (at_line_end()) {
    take_line_end();
    skip_blanks();
  }
  return true;
}

void TomlText::append_escape(std::string& text) {
  static constexpr std::string_view kNames = "btnfr\"\\", kLetters = "\b\t\n\f\r\"\\";
  ++next_;
  const char name = peek();
  const std::size_t known = at_end() ? std::string_view::npos : kNames.find(name);
  if (known != std::string_view::npos) {
    text += kLetters[known];
    ++next_;
    return;
  }
  if (name != 'u' && name != 'U')
    fail("'\\' begins no known letter here", "write '\\\\', or the text in single quotes, where '\\' is itself");
  const std::size_t count = name == 'u' ? 4 : 8;
  const std::string_view digits = text_.substr(next_ + 1, count);
  std::uint32_t letter = 0;
  const auto [stop, status] = std::from_chars(digits.data(), digits.data() + digits.size(), letter, 16);
  const bool whole = digits.size() == count && stop == digits.data() + count && status == std::errc();
  if (!whole || letter > 0x10ffff || (letter >= 0xd800 && letter <= 0xdfff))
    fail("'\\u' without the hexadecimal number of a letter");
  append_utf8(text, letter);
  next_ += 1 + count;
}

std::string_view TomlText::word() {
  const std::size_t start = next_;
  while (is_word(peek())) ++next_;
  if (next_ == start) fail("a value is missing here", "texts stand in quotes");
  return text_.substr(start, next_ - start);
}

TomlText::Scalar TomlText::number(std::string_view word) const {
  if (is_date_or_time(word)) fail("a date or time has no meaning here");
  std::string quoted = "'";
  quoted.append(word).append("'");
  const auto unknown = [&]() { fail(quoted + " is neither a number nor true or false", "texts stand in quotes"); };
  if (base_of(word) != 10) {
    const auto value = based_integer(word);
    if (!value) unknown();
    return *value;
  }
  const bool negative = word[0] == '-';
  const std::string_view size = negative || word[0] == '+' ? word.substr(1) : word;
  using Limits = std::numeric_limits<double>;
  if (size == "inf") return negative ? -Limits::infinity() : Limits::infinity();
  if (size == "nan") return Limits::quiet_NaN();
  const auto digits = without_underscores(size, is_digit);
  if (!digits || !is_decimal(*digits)) unknown();
  if (digits->find_first_of(".eE") == std::string::npos) {
    const auto value = integer(negative ? '-' + *digits : *digits, 10);
    if (!value) fail(quoted + " has more than 64 bits");
    return *value;
  }
  double value = 0;
  fast_float::from_chars(digits->data(), digits->data() + digits->size(), value);
  return negative ? -value : value;
}

}  // namespace pliant
