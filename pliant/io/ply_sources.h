// The values of a PLY file's body, one after the other, from text and from bytes. Internal to io/.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pliant/io/byte_window.h"
#include "pliant/io/ply_header.h"
#include "pliant/io/text_scanner.h"

namespace pliant {

inline constexpr const char* kPlyTruncated = "the file is truncated or its header is damaged: copy or export it again";

// Both sources have the same members, so that the body is read by one template.
class PlyText {
 public:
  PlyText(std::string_view text, const PlyHeader& header, const std::string& file)
      : scan_(text.substr(header.size), file, header.line_count) {}

  double real(PlyType) {
    scan_.skip_space();
    return require(scan_.number(), "a number");
  }
  std::int64_t integer(PlyType) {
    scan_.skip_space();
    return require(scan_.integer(), "an integer");
  }
  void skip(PlyType) {
    scan_.skip_space();
    if (scan_.word().empty()) fail("the file ends inside an element", kPlyTruncated);
  }
  std::uint64_t most_values(PlyType) const { return scan_.remaining(); }
  // A value takes a character, and a blank before the next one.
  std::uint64_t most_elements(const PlyElement& element) const {
    return (scan_.remaining() + 1) / (2 * element.properties.size());
  }
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy, const std::string& element = {}) const {
    scan_.fail(problem, remedy, element);
  }

 private:
  template <class T>
  T require(std::optional<T> value, const char* what) {
    if (!value || !scan_.at_token_end())
      fail(std::string("expected ") + what + ", found " + scan_.found(), kPlyTruncated);
    return *value;
  }

  TextScanner scan_;
};

class PlyBytes {
 public:
  PlyBytes(ByteSource& source, const PlyHeader& header)
      : bytes_(source, header.size),
        order_(header.encoding == PlyEncoding::binary_big ? std::endian::big : std::endian::little) {}

  double real(PlyType type) {
    if (type == PlyType::float32) return bytes_.take<float>(order_, "an element");
    if (type == PlyType::float64) return bytes_.take<double>(order_, "an element");
    return static_cast<double>(integer(type));
  }
  std::int64_t integer(PlyType type) {
    switch (type) {
      case PlyType::int8:
        return bytes_.take<std::int8_t>(order_, "an element");
      case PlyType::uint8:
        return bytes_.take<std::uint8_t>(order_, "an element");
      case PlyType::int16:
        return bytes_.take<std::int16_t>(order_, "an element");
      case PlyType::uint16:
        return bytes_.take<std::uint16_t>(order_, "an element");
      case PlyType::int32:
        return bytes_.take<std::int32_t>(order_, "an element");
      case PlyType::uint32:
        return bytes_.take<std::uint32_t>(order_, "an element");
      default:
        fail("an index is not an integer", "export integer indices");
    }
  }
  void skip(PlyType type) { bytes_.take(size_of(type), "an element"); }
  std::uint64_t most_values(PlyType type) const { return bytes_.remaining() / size_of(type); }
  std::uint64_t most_elements(const PlyElement& element) const { return bytes_.remaining() / element.least_size(); }
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy, const std::string& element = {}) const {
    bytes_.fail(problem, remedy, element);
  }

  ByteWindow& bytes() { return bytes_; }
  std::endian order() const { return order_; }

 private:
  ByteWindow bytes_;
  std::endian order_;
};

}  // namespace pliant
