// A cursor over text in memory: numbers, words and lines, without allocation, with errors that name the line.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace pliant {

// The bytes with which some programs, on Windows above all, begin a text file in UTF-8. They mean nothing here.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
inline std::string_view without_byte_order_mark(std::string_view text) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  return text;
}

// Reads forward only. The text and the file name must outlive the scanner. Nothing is read past the end of the text.
// Line numbers are counted only when an error is raised, so that ordinary lines cost nothing extra.
class TextScanner {
 public:
  // Begins after a byte order mark, if the text has one; offset() counts it. `line_before`: lines of the file that
  // precede this text.
  TextScanner(std::string_view text, std::string_view file, std::uint64_t line_before = 0)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), file_(file), line_before_(line_before) {
    skip_byte_order_mark();
  }

  bool at_end() const { return at_ == end_; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  const char* here() const { return at_; }
  std::string_view rest() const { return {at_, remaining()}; }
  char peek() const { return at_ == end_ ? '\n' : *at_; }
  bool at_token_end() const { return at_ == end_ || ends_token(*at_); }
  bool next_is(char first, char second) const { return end_ - at_ >= 2 && at_[0] == first && at_[1] == second; }
  void advance(std::size_t bytes) { at_ += bytes < remaining() ? bytes : remaining(); }

  // Blanks within a line; a backslash at the end of a line continues it, and counts as a blank.
  void skip_blanks() {
    while (at_ != end_) {
      if (is_blank(*at_)) ++at_;
      else if (*at_ != '\\' || !skip_continuation()) return;
    }
  }
  // Blanks and line ends; with a comment mark, also everything from that mark to the end of its line.
  void skip_space(char comment = '\0') {
    for (;;) {
      while (at_ != end_ && (is_blank(*at_) || *at_ == '\n')) ++at_;
      if (comment == '\0' || at_ == end_ || *at_ != comment) return;
      skip_line();
    }
  }
  // After blanks: is the line over (by its end, a comment or the end of the text)?
  bool at_line_end(char comment = '#') {
    skip_blanks();
    return at_ == end_ || *at_ == '\n' || *at_ == comment;
  }
  // To the start of the next line.
  void skip_line() {
    const void* newline = std::memchr(at_, '\n', remaining());
    at_ = newline ? static_cast<const char*>(newline) + 1 : end_;
  }
  // Is there a mark at the cursor (of a file that was put together from several)? Then goes past it.
  bool skip_byte_order_mark() {
    const std::size_t before = remaining();
    at_ = end_ - without_byte_order_mark(rest()).size();
    return remaining() != before;
  }
  // To the last of the lines that a backslash joins to this one.
  void skip_continued_lines();

  // Both start right at the cursor and move only on success; a number must also end as a token does. Decimals are
  // correctly rounded; one too large for a double, like "inf" and "nan", gives a value that is not finite.
  std::optional<double> number();
  std::optional<std::int64_t> integer();

  std::string_view word();          // up to a blank or line end; may be empty
  std::string_view rest_of_line();  // without blanks at either end; leaves the cursor at the line end

  // Throws an Error that names the file and the line of the cursor (or of an earlier offset()).
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = {},
                         const std::string& element = {}) const {
    fail_at(offset(), problem, remedy, element);
  }
  [[noreturn]] void fail_at(std::size_t offset, const std::string& problem, const std::string& remedy = {},
                            const std::string& element = {}) const;
  std::uint64_t line_at(std::size_t offset) const;  // of the file, counted from 1
  // What stands at the cursor, in quotes, for an error message.
  std::string found() const;

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
  static bool ends_token(char c) { return is_blank(c) || c == '\n' || c == '#' || c == '\\'; }
  bool skip_continuation();

  const char* begin_;
  const char* at_;
  const char* end_;
  std::string_view file_;
  std::uint64_t line_before_;
};

inline std::optional<std::int64_t> TextScanner::integer() {
  const char* p = at_;
  const bool negative = p != end_ && *p == '-';
  if (p != end_ && (*p == '-' || *p == '+')) ++p;
  const char* const digits = p;
  std::uint64_t value = 0;  // may wrap around; the count of digits decides
  while (p != end_ && static_cast<unsigned char>(*p - '0') < 10) value = value * 10 + static_cast<unsigned>(*p++ - '0');
  // 18 digits always fit, and no index or count needs more.
  if (p == digits || p - digits > 18) return std::nullopt;
  at_ = p;
  const auto magnitude = static_cast<std::int64_t>(value);
  return negative ? -magnitude : magnitude;
}

}  // namespace pliant
