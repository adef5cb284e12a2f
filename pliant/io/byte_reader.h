// Numbers of either byte order in memory: loads, stores, and a bounds-checked cursor with errors that name the byte.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "pliant/core/bit_cast.h"
#include "pliant/core/error.h"

namespace pliant {

static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big);

// The bits of a number of 1, 2, 4 or 8 bytes, in reverse byte order if it is not the native one.
template <class T>
auto ordered_bits(T value, std::endian order) {
  if constexpr (sizeof(T) == 1) {
    return pliant::bit_cast<std::uint8_t>(value);
  } else if constexpr (sizeof(T) == 2) {
    const auto bits = pliant::bit_cast<std::uint16_t>(value);
    return order == std::endian::native ? bits : __builtin_bswap16(bits);
  } else if constexpr (sizeof(T) == 4) {
    const auto bits = pliant::bit_cast<std::uint32_t>(value);
    return order == std::endian::native ? bits : __builtin_bswap32(bits);
  } else {
    const auto bits = pliant::bit_cast<std::uint64_t>(value);
    return order == std::endian::native ? bits : __builtin_bswap64(bits);
  }
}

// Loads need no alignment.
template <class T>
T load(const char* from, std::endian order) {
  decltype(ordered_bits(T{}, order)) bits;
  std::memcpy(&bits, from, sizeof bits);
  return pliant::bit_cast<T>(ordered_bits(bits, order));
}

template <class T>
T load_little(const char* from) {
  return load<T>(from, std::endian::little);
}

// Appends the bytes of a number to a buffer.
template <class T>
void append(std::string& buffer, T value, std::endian order) {
  const auto bits = ordered_bits(value, order);
  buffer.append(reinterpret_cast<const char*>(&bits), sizeof bits);
}

template <class T>
void append_little(std::string& buffer, T value) {
  append(buffer, value, std::endian::little);
}

// A cursor over bytes in memory. The bytes and the file name must outlive it.
class ByteReader {
 public:
  // `offset_before`: bytes of the file that precede these.
  ByteReader(std::string_view bytes, std::string_view file, std::uint64_t offset_before = 0)
      : bytes_(bytes), file_(file), offset_before_(offset_before) {}

  std::size_t remaining() const { return bytes_.size() - at_; }
  const char* here() const { return bytes_.data() + at_; }
  std::size_t offset() const { return at_; }

  // Throws when fewer than `count` bytes are left.
  const char* take(std::size_t count, const char* what) {
    if (count > remaining())
      fail("the file ends inside " + std::string(what), "it is truncated: copy or export it again");
    const char* start = here();
    at_ += count;
    return start;
  }
  template <class T>
  T take(std::endian order, const char* what) {
    return load<T>(take(sizeof(T), what), order);
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = {},
                         const std::string& element = {}) const {
    fail_at(at_, problem, remedy, element);
  }
  [[noreturn]] void fail_at(std::size_t offset, const std::string& problem, const std::string& remedy = {},
                            const std::string& element = {}) const {
    throw Error(ErrorPlace{.file = std::string(file_), .byte = offset_before_ + offset, .element = element}, problem,
                remedy);
  }

 private:
  std::string_view bytes_;
  std::string_view file_;
  std::uint64_t offset_before_;
  std::size_t at_ = 0;
};

}  // namespace pliant
