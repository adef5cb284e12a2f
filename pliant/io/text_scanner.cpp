#include "pliant/io/text_scanner.h"

#include <fast_float/fast_float.h>

#include <algorithm>

#include "pliant/core/error.h"

namespace pliant {

std::optional<double> TextScanner::number() {
  const char* start = at_;
  if (start != end_ && *start == '+') ++start;  // fast_float, like from_chars, leaves the plus to its caller
  double value = 0;
  const auto [stop, status] = fast_float::from_chars(start, end_, value);
  if (status == std::errc::invalid_argument || stop == start) return std::nullopt;
  if (start != at_ && *start == '-') return std::nullopt;
  if (stop != end_ && !ends_token(*stop)) return std::nullopt;
  at_ = stop;
  return value;
}

std::string_view TextScanner::word() {
  const char* start = at_;
  while (at_ != end_ && !is_blank(*at_) && *at_ != '\n') ++at_;
  return {start, static_cast<std::size_t>(at_ - start)};
}

std::string_view TextScanner::rest_of_line() {
  while (at_ != end_ && is_blank(*at_)) ++at_;
  const char* start = at_;
  const void* newline = std::memchr(at_, '\n', remaining());
  at_ = newline ? static_cast<const char*>(newline) : end_;
  const char* stop = at_;
  while (stop != start && is_blank(stop[-1])) --stop;
  return {start, static_cast<std::size_t>(stop - start)};
}

bool TextScanner::skip_continuation() {
  const char* p = at_ + 1;
  if (p != end_ && *p == '\r') ++p;
  if (p != end_ && *p != '\n') return false;
  at_ = p == end_ ? p : p + 1;
  return true;
}

void TextScanner::skip_continued_lines() {
  for (;;) {
    const std::string_view line = rest_of_line();
    if (at_ == end_ || line.empty() || line.back() != '\\') return;
    ++at_;
  }
}

std::string TextScanner::found() const {
  if (at_ == end_) return "the end of the file";
  if (*at_ == '\n' || *at_ == '\r') return "the end of the line";
  constexpr std::size_t kMost = 24;
  std::string text;
  for (const char* p = at_; p != end_ && !is_blank(*p) && *p != '\n' && text.size() < kMost; ++p) {
    text += static_cast<unsigned char>(*p - 0x20) < 0x5f ? *p : '?';
  }
  return "'" + text + "'";
}

std::uint64_t TextScanner::line_at(std::size_t offset) const {
  return line_before_ + 1 + static_cast<std::uint64_t>(std::count(begin_, begin_ + offset, '\n'));
}

void TextScanner::fail_at(std::size_t offset, const std::string& problem, const std::string& remedy,
                          const std::string& element) const {
  throw Error(ErrorPlace{.file = std::string(file_), .line = line_at(offset), .element = element}, problem, remedy);
}

}  // namespace pliant
