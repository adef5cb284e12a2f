// VTK's XML files out: tags, and arrays as text or appended as raw little-endian numbers. Internal to io/.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/decimal.h"
#include "pliant/io/mesh_file.h"

namespace pliant {

// For values of attributes.
std::string escape_xml(std::string_view text);

class VtkXmlWriter {
 public:
  VtkXmlWriter(const std::string& type, Encoding encoding);

  // A tag with its attributes, as in open("Piece", "NumberOfPoints=\"3\""); close() ends the one opened last.
  void open(const std::string& tag, const std::string& attributes = {});
  void close();

  template <class T>
  void array(const std::string& name, std::size_t components, std::span<const T> values) {
    begin_array(type_name<T>(), name, components, values.size() * sizeof(T));
    for (const T value : values) number(value);
    end_array();
  }
  // The element <Points>. Throws Error when a coordinate is too large for the precision.
  void positions(std::span<const Vec3> points, Precision precision = Precision::float64);

  // Closes all tags. Call once.
  std::string finish();

 private:
  template <class T>
  static const char* type_name() {
    if constexpr (std::is_same_v<T, double>) return "Float64";
    else if constexpr (std::is_same_v<T, float>) return "Float32";
    else if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
    else if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
    else return "Int64";
  }
  template <class T>
  void number(T value) {
    if (!is_text_) return append_little(appended_, value);
    if constexpr (std::is_floating_point_v<T>) append_decimal(text_, value);
    else text_ += std::to_string(value);
    text_ += ' ';
  }
  void begin_array(const char* type, const std::string& name, std::size_t components, std::uint64_t bytes);
  void end_array();

  bool is_text_;
  std::string text_;
  std::string appended_;
  std::vector<std::string> open_;
};

}  // namespace pliant
