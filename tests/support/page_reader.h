// What a page holds, read back as the browser reads it.
#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/io/base64.h"
#include "tests/support/temporary_folder.h"

namespace pliant::testing {

// A page as it is built, as far as its slot goes.
inline constexpr const char* kEmptyPage = "<html><!--pliant:data--><script>page()</script></html>";

class PageReader {
 public:
  explicit PageReader(const std::string& path) : text_(read_text(path)) {
    header = nlohmann::json::parse(element("id=\"pliant-page\">"));
    document = nlohmann::json::parse(element("id=\"pliant-document\">"));
    const std::string start = "class=\"pliant-block\">";
    for (std::size_t at = text_.find(start); at != std::string::npos; at = text_.find(start, at + 1)) {
      const std::size_t first = at + start.size();
      block_ += decode_base64(text_.substr(first, text_.find('<', first) - first)).value();
    }
  }

  const std::string& text() const { return text_; }

  template <class T>
  std::vector<T> array(const std::string& name) const {
    const auto& place = header.at("arrays").at(name);
    return numbers<T>(place.at("at"), place.at("count"));
  }
  std::vector<std::uint32_t> triangles(std::size_t body) const {
    const auto& place = header.at("bodies").at(body);
    return numbers<std::uint32_t>(place.at("indices_at"), 3 * place.at("triangles").get<std::size_t>());
  }
  std::vector<Vec3> positions(std::size_t body, std::size_t row) const {
    const auto& place = header.at("bodies").at(body);
    const std::size_t count = place.at("vertices");
    const auto steps = numbers<std::uint16_t>(place.at("positions_at").get<std::size_t>() + 6 * count * row, 3 * count);
    std::vector<Vec3> result;
    for (std::size_t v = 0; v < count; ++v) {
      Vec3 x;
      for (int axis = 0; axis < 3; ++axis)
        x[axis] = place["low"][axis].get<double>() + step(body)[axis] * steps[3 * v + static_cast<std::size_t>(axis)];
      result.push_back(x);
    }
    return result;
  }
  Vec3 step(std::size_t body) const {
    const auto& place = header.at("bodies").at(body);
    Vec3 size;
    for (int axis = 0; axis < 3; ++axis)
      size[axis] = (place["high"][axis].get<double>() - place["low"][axis].get<double>()) / 65535;
    return size;
  }

  nlohmann::json header, document;

 private:
  template <class T>
  std::vector<T> numbers(std::size_t at, std::size_t count) const {
    std::vector<T> result(count);
    if (at % sizeof(T) != 0 || at + count * sizeof(T) > block_.size()) throw std::out_of_range("beyond the block");
    if (count > 0) std::memcpy(result.data(), block_.data() + at, count * sizeof(T));
    return result;
  }
  std::string element(const std::string& start) const {
    const std::size_t at = text_.find(start) + start.size();
    return text_.substr(at, text_.find("</script>", at) - at);
  }

  std::string text_;
  std::string block_;
};

}  // namespace pliant::testing
