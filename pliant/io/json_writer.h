// JSON as a stream: nothing is kept but a small buffer, so that reports of millions of contacts need no memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pliant/core/vec3.h"

namespace pliant {

// Writes one JSON value, usually an object. Doubles are the shortest decimals that read back the same; those that are
// not finite become null. Keys and structure are the caller's to get right (asserted).
class JsonWriter {
 public:
  using Output = std::function<void(std::string_view)>;
  explicit JsonWriter(Output output) : output_(std::move(output)) {}
  ~JsonWriter();
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth) { return plain(truth ? "true" : "false"); }
  JsonWriter& value(double number);
  template <class Integer>
  requires std::is_integral_v<Integer> JsonWriter& value(Integer number) { return plain(std::to_string(number)); }
  JsonWriter& value(const Vec3& v);
  JsonWriter& null() { return plain("null"); }

  template <class T>
  JsonWriter& field(std::string_view name, const T& content) {
    key(name);
    return value(content);
  }

  // A line break, for people who look at the file.
  JsonWriter& new_line();
  void flush();

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& plain(std::string_view text);
  void separate();
  void append_quoted(std::string_view text);

  Output output_;
  std::string buffer_;
  std::vector<bool> filled_;  // per open bracket: something stands in it already
  bool after_key_ = false;
};

}  // namespace pliant
