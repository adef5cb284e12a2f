// An answer for the page: JSON, and arrays of numbers beside it, which the page copies out of the module's memory.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/io/json_writer.h"

namespace pliant::web {

// In the order of `ArrayType` of the page (web/src/engine/module.ts).
using Numbers =
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint32_t>, std::vector<std::uint8_t>>;

class Reply {
 public:
  Reply() : json_([this](std::string_view text) { text_.append(text); }) {}

  JsonWriter& json() { return json_; }
  // As {"$array": number}: the page puts the array in its place.
  void array(std::string_view key, Numbers numbers) {
    json_.key(key);
    array(std::move(numbers));
  }
  void array(Numbers numbers) {
    json_.begin_object().field("$array", arrays_.size()).end_object();
    arrays_.push_back(std::move(numbers));
  }
  void strings(std::string_view key, std::span<const std::string> texts) {
    json_.key(key).begin_array();
    for (const std::string& text : texts) json_.value(text);
    json_.end_array();
  }

  // After the last call of json().
  const std::string& text() {
    json_.flush();
    return text_;
  }
  const std::vector<Numbers>& arrays() const { return arrays_; }

 private:
  std::string text_;
  JsonWriter json_;
  std::vector<Numbers> arrays_;
};

inline void add_point(std::vector<float>& to, const Vec3& p) {
  for (int axis = 0; axis < 3; ++axis) to.push_back(static_cast<float>(p[axis]));
}
inline std::vector<float> as_floats(std::span<const Vec3> points) {
  std::vector<float> result;
  result.reserve(3 * points.size());
  for (const Vec3& p : points) add_point(result, p);
  return result;
}

}  // namespace pliant::web
