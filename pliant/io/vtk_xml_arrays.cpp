#include "pliant/io/vtk_xml_arrays.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "pliant/io/base64.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/inflate.h"

namespace pliant {
namespace {

std::uint64_t encoded_size(std::uint64_t bytes) { return (bytes + 2) / 3 * 4; }

// Of one number, in bytes; 0 for a type that is not known.
std::uint64_t size_of(std::string_view type) {
  if (type == "Int8" || type == "UInt8") return 1;
  if (type == "Int16" || type == "UInt16") return 2;
  if (type == "Int32" || type == "UInt32" || type == "Float32") return 4;
  return type == "Int64" || type == "UInt64" || type == "Float64" ? 8 : 0;
}

// Of as many bytes of such numbers once they are doubles or 64-bit integers.
std::uint64_t memory_of(std::string_view type, std::uint64_t bytes) { return 8 * (bytes / size_of(type)); }

}  // namespace

template <class T>
std::vector<T> VtkXmlArrays::read(const VtkXmlArray& array, std::uint64_t most) {
  if (array.format == "ascii") return read_text<T>(array);
  const std::string bytes = read_bytes(array, most);
  if (array.type == "Float32") return convert<T, float>(bytes);
  if (array.type == "Float64") return convert<T, double>(bytes);
  if (array.type == "Int8") return convert<T, std::int8_t>(bytes);
  if (array.type == "UInt8") return convert<T, std::uint8_t>(bytes);
  if (array.type == "Int16") return convert<T, std::int16_t>(bytes);
  if (array.type == "UInt16") return convert<T, std::uint16_t>(bytes);
  if (array.type == "Int32") return convert<T, std::int32_t>(bytes);
  if (array.type == "UInt32") return convert<T, std::uint32_t>(bytes);
  return convert<T, std::int64_t>(bytes);  // Int64 and UInt64: read_bytes knows no other
}

template std::vector<double> VtkXmlArrays::read(const VtkXmlArray&, std::uint64_t);
template std::vector<std::int64_t> VtkXmlArrays::read(const VtkXmlArray&, std::uint64_t);

template <class T>
std::vector<T> VtkXmlArrays::read_text(const VtkXmlArray& array) const {
  std::vector<T> values;
  TextScanner numbers(array.text, "");
  for (numbers.skip_space(); !numbers.at_end(); numbers.skip_space()) {
    std::optional<T> value;
    if constexpr (std::is_same_v<T, double>) value = numbers.number();
    else value = numbers.integer();
    if (!value || !numbers.at_token_end()) fail(array, "expected a number, found " + numbers.found());
    values.push_back(*value);
  }
  return values;
}

template <class T, class Stored>
std::vector<T> VtkXmlArrays::convert(std::string_view bytes) const {
  std::vector<T> values(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto stored = load<Stored>(bytes.data() + i * sizeof(Stored), encoding_.order);
    if constexpr (std::is_integral_v<T> && !std::is_integral_v<Stored>) values[i] = -1;
    else values[i] = static_cast<T>(stored);  // NOLINT(bugprone-signed-char-misuse): Int8 has a sign
  }
  return values;
}

// What the array stands for, without its header.
std::string VtkXmlArrays::read_bytes(const VtkXmlArray& array, std::uint64_t most) {
  const bool is_appended = array.format == "appended";
  if (!is_appended && array.format != "binary") fail(array, "an array has an unknown format");
  if (size_of(array.type) == 0) fail(array, "an array has an unknown type");
  if (is_appended && array.offset > appended_.size())
    fail(array, "an array stands behind the end of the appended data");
  const std::string_view stored = is_appended ? appended_.substr(static_cast<std::size_t>(array.offset)) : array.text;
  std::string result;
  if (is_appended && !appended_is_base64_) {
    result = unpack(array, stored, most);
  } else {
    const auto decoded = decode_base64(is_appended ? whole_groups(array, stored) : stored);
    if (!decoded) fail(array, "an array is not proper base64");
    result = unpack(array, *decoded, most);
  }
  // Arrays that name the same bytes again and again would otherwise grow without bound.
  decoded_ += encoding_.is_compressed ? memory_of(array.type, result.size()) : result.size();
  if (!encoding_.is_compressed && decoded_ > file_size_) fail(array, "the arrays claim more data than the file holds");
  return result;
}

std::uint64_t VtkXmlArrays::header_word(std::string_view bytes, std::uint64_t index) const {
  const char* at = bytes.data() + index * header_size();
  return encoding_.long_headers ? load<std::uint64_t>(at, encoding_.order) : load<std::uint32_t>(at, encoding_.order);
}

// The encoded characters of one array among appended ones. Uncompressed, size and data are one run of base64;
// compressed, the header is a run of its own.
std::string_view VtkXmlArrays::whole_groups(const VtkXmlArray& array, std::string_view encoded) const {
  const auto head = [&](std::uint64_t words) {
    const std::uint64_t size = words * header_size();
    const auto bytes = decode_base64(encoded.substr(0, static_cast<std::size_t>(encoded_size(size))));
    if (!bytes || bytes->size() < size) fail(array, "an array has no header");
    return *bytes;
  };
  const std::uint64_t first = header_word(head(1), 0);
  if (first > encoded.size()) fail(array, "an array claims more data than the file holds");
  if (!encoding_.is_compressed) return encoded.substr(0, static_cast<std::size_t>(encoded_size(header_size() + first)));
  const std::uint64_t words = 3 + first;
  if (encoded_size(words * header_size()) > encoded.size())
    fail(array, "an array claims more data than the file holds");
  const std::string header = head(words);
  std::uint64_t size = 0;
  for (std::uint64_t block = 0; block < first; ++block)
    size += std::min<std::uint64_t>(header_word(header, 3 + block), encoded.size());
  return encoded.substr(0, static_cast<std::size_t>(encoded_size(words * header_size()) + encoded_size(size)));
}

std::string VtkXmlArrays::unpack(const VtkXmlArray& array, std::string_view bytes, std::uint64_t most) const {
  if (bytes.size() < header_size()) fail(array, "an array has no header");
  if (encoding_.is_compressed) return unpack_blocks(array, bytes, most);
  const std::uint64_t size = header_word(bytes, 0);
  if (size > bytes.size() - header_size()) fail(array, "an array claims more data than the file holds");
  return std::string(bytes.substr(header_size(), static_cast<std::size_t>(size)));
}

// What compressed data would grow to, against what the piece needs and what the file may take.
void VtkXmlArrays::require_size(const VtkXmlArray& array, std::uint64_t bytes, std::uint64_t most) const {
  const std::uint64_t values = bytes / size_of(array.type);
  if (values > most)
    fail(array, "an array claims " + std::to_string(values) + " numbers, where its piece has a use for " +
                    std::to_string(most));
  const std::uint64_t allowed = kAlwaysAllowed + kMostGrowth * file_size_;
  if (memory_of(array.type, bytes) > allowed - std::min(allowed, decoded_))
    fail(array, "the arrays claim more than " + std::to_string(kMostGrowth) + " times the size of the file",
         "if that is no mistake, export it without compression");
}

// Count of blocks, size of a block, size of the last one if it is shorter, compressed size of each; then the blocks.
std::string VtkXmlArrays::unpack_blocks(const VtkXmlArray& array, std::string_view bytes, std::uint64_t most) const {
  const std::uint64_t words = bytes.size() / header_size(), count = header_word(bytes, 0);
  if (count == 0) return {};
  if (words < 3 || count > words - 3) fail(array, "an array claims more blocks than the file holds");
  const std::uint64_t block_size = header_word(bytes, 1), short_size = header_word(bytes, 2);
  const std::uint64_t last_size = short_size != 0 ? short_size : block_size;
  if (std::max(block_size, last_size) > (std::uint64_t{1} << 62) / count)
    fail(array, "an array claims more data than there can be");
  require_size(array, (count - 1) * block_size + last_size, most);
  auto at = static_cast<std::size_t>((3 + count) * header_size());
  std::string result;
  for (std::uint64_t block = 0; block < count; ++block) {
    const std::uint64_t size = header_word(bytes, 3 + block);
    if (size > bytes.size() - at) fail(array, "an array claims more data than the file holds");
    const std::uint64_t expected = block + 1 == count ? last_size : block_size;
    const auto content =
        inflate_zlib(bytes.substr(at, static_cast<std::size_t>(size)), static_cast<std::size_t>(expected));
    if (!content || content->size() != expected) fail(array, "compressed data is damaged");
    result += *content;
    at += static_cast<std::size_t>(size);
  }
  return result;
}

}  // namespace pliant
