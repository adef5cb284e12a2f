#include "pliant/io/json_writer.h"

#include <cassert>
#include <cmath>

#include "pliant/io/decimal.h"

namespace pliant {

constexpr std::size_t kBuffer = 1 << 16;

JsonWriter::~JsonWriter() {
  // An output that fails here has failed before; errors are the business of flush().
  try {
    flush();
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
}

void JsonWriter::flush() {
  if (buffer_.empty()) return;
  const std::string full = std::move(buffer_);
  buffer_.clear();
  output_(full);
}

void JsonWriter::separate() {
  if (buffer_.size() >= kBuffer) flush();
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (filled_.empty()) return;
  if (filled_.back()) buffer_ += ',';
  filled_.back() = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  buffer_ += bracket;
  filled_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  assert(!filled_.empty() && !after_key_);
  filled_.pop_back();
  buffer_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!after_key_);
  separate();
  append_quoted(name);
  buffer_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::plain(std::string_view text) {
  separate();
  buffer_ += text;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_quoted(text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  append_decimal(buffer_, number);
  return *this;
}

JsonWriter& JsonWriter::value(const Vec3& v) {
  begin_array();
  for (int i = 0; i < 3; ++i) value(v[i]);
  return end_array();
}

JsonWriter& JsonWriter::new_line() {
  buffer_ += '\n';
  return *this;
}

void JsonWriter::append_quoted(std::string_view text) {
  buffer_ += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') buffer_ += '\\', buffer_ += c;
    else if (code < 0x20) (buffer_ += "\\u00") += hexadecimal(code).substr(14);
    else buffer_ += c;
  }
  buffer_ += '"';
}

}  // namespace pliant
