#include "pliant/asset/checksum.h"

#include <array>
#include <cstddef>

#include "pliant/io/byte_reader.h"

namespace pliant {
namespace {

// table[k][b]: the checksum of byte b followed by k zero bytes, so that eight bytes take eight independent look-ups.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t c = b;
    for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1) != 0 ? 0xEDB88320U : 0U);
    tables[0][b] = c;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xFF];
  return tables;
}
constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t c = 0xFFFFFFFFU;
  std::size_t at = 0;
  for (; bytes.size() - at >= 8; at += 8) {
    const std::uint64_t word = load_little<std::uint64_t>(bytes.data() + at) ^ c;
    c = 0;
    for (std::size_t k = 0; k < 8; ++k) c ^= kTables[7 - k][(word >> (8 * k)) & 0xFF];
  }
  for (; at < bytes.size(); ++at) c = (c >> 8) ^ kTables[0][(c ^ static_cast<unsigned char>(bytes[at])) & 0xFF];
  return ~c;
}

}  // namespace pliant
