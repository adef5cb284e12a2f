// RFC 1951, "DEFLATE Compressed Data Format Specification", and RFC 1950 around it.
#include "pliant/io/inflate.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant {
namespace {

struct Damaged {};  // thrown and caught within this file

// Bits from the low end of each byte.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  // The next bits without taking them; zeros past the end.
  std::uint32_t peek(int count) {
    while (held_ < count) {
      const std::uint64_t byte = at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_]) : 0;
      ++at_;
      bits_ |= byte << held_;
      held_ += 8;
    }
    return static_cast<std::uint32_t>(bits_ & ((std::uint64_t{1} << count) - 1));
  }
  void drop(int count) {
    bits_ >>= count;
    held_ -= count;
    if (at_ - static_cast<std::size_t>(held_ / 8) > bytes_.size()) throw Damaged();  // bits past the end were used
  }
  std::uint32_t take(int count) {
    const std::uint32_t value = peek(count);
    drop(count);
    return value;
  }
  // To a byte boundary; then so many bytes.
  std::string_view take_bytes(std::size_t count) {
    drop(held_ % 8);
    at_ -= static_cast<std::size_t>(held_ / 8);
    bits_ = 0;
    held_ = 0;
    if (count > bytes_.size() - at_) throw Damaged();
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t bits_ = 0;
  int held_ = 0;
};

// Canonical Huffman codes of up to 15 bits, as a table over the next 15 bits of the stream.
class HuffmanTable {
 public:
  explicit HuffmanTable(std::span<const std::uint8_t> lengths) : entries_(std::size_t{1} << kMostBits) {
    std::array<std::uint32_t, kMostBits + 1> counts{};
    for (const std::uint8_t length : lengths) ++counts[length];
    counts[0] = 0;
    std::array<std::uint32_t, kMostBits + 2> next{};
    for (std::size_t bits = 1; bits <= kMostBits; ++bits) {
      next[bits + 1] = (next[bits] + counts[bits]) << 1;
      if (next[bits] + counts[bits] > (std::uint32_t{1} << bits)) throw Damaged();  // more codes than there are
    }
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != 0) fill(next[lengths[symbol]]++, lengths[symbol], static_cast<std::uint16_t>(symbol));
    }
  }

  std::uint32_t decode(BitReader& bits) const {
    const Entry entry = entries_[bits.peek(kMostBits)];
    if (entry.length == 0) throw Damaged();
    bits.drop(entry.length);
    return entry.symbol;
  }

 private:
  static constexpr int kMostBits = 15;
  struct Entry {
    std::uint16_t symbol = 0;
    std::uint8_t length = 0;  // 0: no code
  };

  // Codes are sent from their high end: they stand reversed in the stream's low bits.
  void fill(std::uint32_t code, int length, std::uint16_t symbol) {
    std::uint32_t reversed = 0;
    for (int i = 0; i < length; ++i) reversed |= ((code >> i) & 1) << (length - 1 - i);
    for (std::uint32_t i = reversed; i < entries_.size(); i += std::uint32_t{1} << length)
      entries_[i] = {symbol, static_cast<std::uint8_t>(length)};
  }

  std::vector<Entry> entries_;
};

class Inflater {
 public:
  Inflater(std::string_view stream, std::size_t most) : bits_(stream), most_(most) {}

  std::string run() {
    bool is_last = false;
    while (!is_last) {
      is_last = bits_.take(1) == 1;
      const std::uint32_t kind = bits_.take(2);
      if (kind == 0) copy_stored();
      else if (kind == 1) decode(fixed_literals(), fixed_distances());
      else if (kind == 2) decode_dynamic();
      else throw Damaged();
    }
    return std::move(out_);
  }
  std::string_view take_bytes(std::size_t count) { return bits_.take_bytes(count); }

 private:
  void require_room(std::size_t count) const {
    if (count > most_ - out_.size()) throw Damaged();
  }

  void copy_stored() {
    const std::string_view header = bits_.take_bytes(4);
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(header[i])); };
    const std::uint32_t length = byte(0) | byte(1) << 8;
    if ((length ^ 0xffff) != (byte(2) | byte(3) << 8)) throw Damaged();
    require_room(length);
    out_ += bits_.take_bytes(length);
  }

  static const HuffmanTable& fixed_literals() {
    static const HuffmanTable table = [] {
      std::array<std::uint8_t, 288> lengths;
      for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
      return HuffmanTable(lengths);
    }();
    return table;
  }
  static const HuffmanTable& fixed_distances() {
    static const HuffmanTable table = [] {
      std::array<std::uint8_t, 30> lengths;
      lengths.fill(5);
      return HuffmanTable(lengths);
    }();
    return table;
  }

  // The code lengths of both tables, themselves coded.
  void decode_dynamic() {
    const std::size_t literal_count = 257 + bits_.take(5), distance_count = 1 + bits_.take(5),
                      length_count = 4 + bits_.take(4);
    constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 19> code_lengths{};
    for (std::size_t i = 0; i < length_count; ++i) code_lengths[kOrder[i]] = static_cast<std::uint8_t>(bits_.take(3));
    const HuffmanTable codes(code_lengths);
    std::vector<std::uint8_t> lengths;
    while (lengths.size() < literal_count + distance_count) {
      const std::uint32_t symbol = codes.decode(bits_);
      if (symbol < 16) {
        lengths.push_back(static_cast<std::uint8_t>(symbol));
        continue;
      }
      if (symbol == 16 && lengths.empty()) throw Damaged();
      const std::size_t repeat = symbol == 16   ? 3 + bits_.take(2)
                                 : symbol == 17 ? 3 + bits_.take(3)
                                                : 11 + bits_.take(7);
      lengths.insert(lengths.end(), repeat, symbol == 16 ? lengths.back() : std::uint8_t{0});
    }
    if (lengths.size() > literal_count + distance_count) throw Damaged();
    const std::span<const std::uint8_t> all(lengths);
    decode(HuffmanTable(all.first(literal_count)), HuffmanTable(all.subspan(literal_count)));
  }

  void decode(const HuffmanTable& literals, const HuffmanTable& distances) {
    for (;;) {
      const std::uint32_t symbol = literals.decode(bits_);
      if (symbol == 256) return;
      if (symbol < 256) {
        require_room(1);
        out_ += static_cast<char>(symbol);
      } else {
        const std::size_t length = copy_length(symbol);
        copy(length, copy_distance(distances.decode(bits_)));
      }
    }
  }

  std::size_t copy_length(std::uint32_t symbol) {
    constexpr std::array<std::uint16_t, 29> kBase = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    const std::uint32_t code = symbol - 257;
    if (code >= kBase.size()) throw Damaged();
    const int extra = code < 8 || code == 28 ? 0 : static_cast<int>(code / 4 - 1);
    return kBase[code] + bits_.take(extra);
  }

  std::size_t copy_distance(std::uint32_t code) {
    if (code >= 30) throw Damaged();
    if (code < 4) return code + 1;
    const int extra = static_cast<int>(code / 2 - 1);
    return ((2 + code % 2) << extra) + 1 + bits_.take(extra);
  }

  // The source may overlap what is being written: then it repeats.
  void copy(std::size_t length, std::size_t distance) {
    if (distance > out_.size()) throw Damaged();
    require_room(length);
    for (std::size_t i = 0; i < length; ++i) out_ += out_[out_.size() - distance];
  }

  BitReader bits_;
  std::size_t most_;
  std::string out_;
};

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

}  // namespace

std::optional<std::string> inflate_zlib(std::string_view stream, std::size_t most) {
  if (stream.size() < 6) return std::nullopt;
  const auto byte = [](char c) { return static_cast<std::uint32_t>(static_cast<unsigned char>(c)); };
  const std::uint32_t header = byte(stream[0]) << 8 | byte(stream[1]);
  const bool has_dictionary = (header & 0x20) != 0;
  if ((header >> 8 & 0xf) != 8 || header % 31 != 0 || has_dictionary) return std::nullopt;
  try {
    Inflater inflater(stream.substr(2), most);
    std::string content = inflater.run();
    std::uint32_t checksum = 0;
    for (const char c : inflater.take_bytes(4)) checksum = checksum << 8 | byte(c);
    if (checksum != adler32(content)) return std::nullopt;
    return content;
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

}  // namespace pliant
