// NumPy's .npy: a magic, a version, and a Python dictionary that names type, order and shape.
// Format: numpy/lib/format.py, "NumPy Format Version 1.0" to 3.0.
#include <limits>
#include <optional>

#include "pliant/io/byte_reader.h"
#include "pliant/io/point_cache.h"
#include "pliant/io/text_scanner.h"

namespace pliant {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMostHeader = 1 << 16;  // arrays of plain numbers need about a hundred bytes
constexpr const char* kHowTo = "save it as numpy.save(path, numpy.ascontiguousarray(a, dtype='<f8'))";

struct Array {
  std::uint64_t data_offset = 0;
  std::string type;  // "<f8"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

// The dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 3), }
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, const std::string& file) : scan_(text, file) {}

  Array read() {
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      read_value(key);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (seen_ != 3) fail();
    return std::move(array_);
  }

 private:
  void read_value(const std::string& key) {
    ++seen_;
    if (key == "descr") array_.type = quoted();
    else if (key == "fortran_order") array_.fortran_order = boolean();
    else if (key == "shape") array_.shape = tuple();
    else fail();
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      scan_.skip_space();
      const std::optional<std::int64_t> value = scan_.integer();
      if (!value || *value < 0) fail();
      values.push_back(static_cast<std::uint64_t>(*value));
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  bool boolean() {
    for (const std::string_view word : {"True", "False"}) {
      TextScanner ahead = scan_;
      ahead.skip_space();
      bool same = true;
      for (const char c : word) {
        same = same && !ahead.at_end() && ahead.peek() == c;
        ahead.advance(1);
      }
      if (!same) continue;
      scan_ = ahead;
      return word == "True";
    }
    fail();
  }

  std::string quoted() {
    scan_.skip_space();
    const char quote = scan_.peek();
    if (quote != '\'' && quote != '"') fail();
    std::string text;
    for (scan_.advance(1); scan_.peek() != quote; scan_.advance(1)) {
      if (scan_.at_end()) fail();
      text += scan_.peek();
    }
    scan_.advance(1);
    return text;
  }

  bool accept(char c) {
    scan_.skip_space();
    if (scan_.at_end() || scan_.peek() != c) return false;
    scan_.advance(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  [[noreturn]] void fail() {
    scan_.fail("the header is not that of an array of plain numbers, at " + scan_.found(), kHowTo);
  }

  TextScanner scan_;
  Array array_;
  int seen_ = 0;
};

Array read_array(ByteSource& source) {
  const std::string opening = source.opening(12);
  ByteReader reader(opening, source.name());
  if (!looks_like_npy(opening)) reader.fail("not a NumPy .npy file", kHowTo);
  reader.take(kMagic.size(), "the header");
  const auto major = reader.take<std::uint8_t>(std::endian::little, "the header");
  reader.take(1, "the header");
  if (major < 1 || major > 3) reader.fail("version " + std::to_string(major) + " of .npy is not known", kHowTo);
  const std::uint64_t size = major == 1 ? reader.take<std::uint16_t>(std::endian::little, "the header")
                                        : reader.take<std::uint32_t>(std::endian::little, "the header");
  const std::uint64_t start = reader.offset();
  if (size > kMostHeader || size > source.size() - start)
    reader.fail("the header claims " + std::to_string(size) + " bytes for its description", "the file is damaged");
  std::string text(static_cast<std::size_t>(size), '\0');
  source.read(start, text.data(), text.size());
  Array array = DictionaryReader(text, source.name()).read();
  array.data_offset = start + size;
  return array;
}

PointCacheLayout number_layout(const Array& array, const std::string& file) {
  PointCacheLayout layout{.data_offset = array.data_offset};
  const std::string& type = array.type;
  if (type.size() != 3 || (type[0] != '<' && type[0] != '>') || type[1] != 'f' || (type[2] != '4' && type[2] != '8'))
    throw Error(ErrorPlace{.file = file}, "the numbers are of type '" + type + "', not float32 or float64", kHowTo);
  layout.order = type[0] == '<' ? std::endian::little : std::endian::big;
  layout.precision = type[2] == '4' ? Precision::float32 : Precision::float64;
  return layout;
}

std::string shape_text(const Array& array) {
  std::string text;
  for (const std::uint64_t extent : array.shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + ")";
}

}  // namespace

bool looks_like_npy(std::string_view opening) { return opening.substr(0, kMagic.size()) == kMagic; }

PointCacheLayout read_npy_header(ByteSource& source) {
  const Array array = read_array(source);
  const ErrorPlace place{.file = source.name()};
  PointCacheLayout layout = number_layout(array, source.name());
  if (array.shape.size() != 3 || array.shape[2] != 3)
    throw Error(place, "the array has the shape " + shape_text(array), "a motion is an array of frames x vertices x 3");
  if (array.fortran_order) throw Error(place, "the array is in Fortran order", kHowTo);
  layout.frame_count = array.shape[0];
  layout.vertex_count = array.shape[1];
  if (layout.frame_count == 0 || layout.vertex_count == 0)
    throw Error(place, "the array is empty: its shape is " + shape_text(array), kHowTo);
  // Divisions first, so that no claimed count can overflow.
  const std::uint64_t room = source.size() - layout.data_offset;
  if (layout.vertex_count > room || layout.frame_count > room / layout.frame_size())
    throw Error(place, "the file is too short for an array of the shape " + shape_text(array),
                "it is truncated: save it again");
  return layout;
}

std::vector<double> read_npy_vector(ByteSource& source) {
  const Array array = read_array(source);
  const PointCacheLayout layout = number_layout(array, source.name());
  const ErrorPlace place{.file = source.name()};
  if (array.shape.size() != 1)
    throw Error(place, "the array has the shape " + shape_text(array), "times are one row of numbers");
  const std::size_t size = layout.precision == Precision::float32 ? 4 : 8;
  if (array.shape[0] > (source.size() - layout.data_offset) / size)
    throw Error(place, "the file is too short for an array of the shape " + shape_text(array),
                "it is truncated: save it again");
  std::vector<double> values(static_cast<std::size_t>(array.shape[0]));
  std::string bytes(values.size() * size, '\0');
  source.read(layout.data_offset, bytes.data(), bytes.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const char* at = bytes.data() + i * size;
    values[i] = size == 4 ? load<float>(at, layout.order) : load<double>(at, layout.order);
    if (!std::isfinite(values[i]))
      throw Error(ErrorPlace{.file = source.name(), .element = "value " + std::to_string(i)}, "is not a finite number");
  }
  return values;
}

namespace {

std::string format_header(const char* type, const std::string& shape) {
  constexpr std::size_t kSize = 128;  // of all of it: a multiple of 64, with room for the largest counts
  std::string bytes(kMagic);
  bytes += std::string("\1\0", 2);
  append_little(bytes, static_cast<std::uint16_t>(kSize - kMagic.size() - 4));
  bytes += std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  bytes.resize(kSize - 1, ' ');
  return bytes + '\n';
}

}  // namespace

std::string format_npy_header(std::uint64_t vertex_count, std::uint64_t frame_count, Precision precision) {
  return format_header(precision == Precision::float32 ? "<f4" : "<f8",
                       std::to_string(frame_count) + ", " + std::to_string(vertex_count) + ", 3");
}

std::string format_npy_vector_header(std::uint64_t count) { return format_header("<f8", std::to_string(count) + ","); }

}  // namespace pliant
