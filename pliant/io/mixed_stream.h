// Numbers of a file whose keywords are text, and whose data are text or binary (Gmsh .msh, legacy .vtk). Internal to
// io/.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/text_scanner.h"

namespace pliant {

// Errors name the line of a text file and the byte of a binary one.
class MixedStream {
 public:
  MixedStream(std::string_view bytes, const std::string& file) : file_(file), text_(bytes, file) {}

  void set_binary(std::endian order) {
    is_binary_ = true;
    order_ = order;
  }
  bool is_binary() const { return is_binary_; }
  TextScanner& text() { return text_; }
  std::size_t remaining() const { return text_.remaining(); }

  // The next number, of the type that it has in a binary file; decimals in a text file may have any size.
  template <class T>
  T next(const char* what) {
    if (is_binary_) {
      if (text_.remaining() < sizeof(T)) fail(std::string("the file ends inside ") + what, kDamaged);
      const T value = load<T>(text_.here(), order_);
      text_.advance(sizeof(T));
      return value;
    }
    text_.skip_space();
    if constexpr (std::is_integral_v<T>) {
      const std::optional<std::int64_t> value = text_.integer();
      if (!value || !text_.at_token_end() || !std::in_range<T>(*value)) fail_token(what);
      return static_cast<T>(*value);
    } else {
      const std::optional<double> value = text_.number();
      if (!value) fail_token(what);
      return static_cast<T>(*value);
    }
  }
  void skip(std::size_t bytes, const char* what) {
    if (text_.remaining() < bytes) fail(std::string("the file ends inside ") + what, kDamaged);
    text_.advance(bytes);
  }

  // The most items that the rest of the file can hold, given their size in binary and their count of numbers in text:
  // each takes a character, and a blank before the next one.
  std::uint64_t room_for(std::size_t binary_size, std::size_t numbers) const {
    return is_binary_ ? text_.remaining() / binary_size : (text_.remaining() + 1) / (2 * numbers);
  }
  void require_room(std::uint64_t count, std::uint64_t room, const char* what) const {
    if (count > room)
      fail("the file claims " + std::to_string(count) + " " + what + ", but has room for at most " +
               std::to_string(room),
           kDamaged);
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy, const std::string& element = {}) const {
    if (!is_binary_) text_.fail(problem, remedy, element);
    throw Error(ErrorPlace{.file = file_, .byte = text_.offset(), .element = element}, problem, remedy);
  }

  static constexpr const char* kDamaged = "the file is truncated or damaged: export it again";

 private:
  [[noreturn]] void fail_token(const char* what) const {
    fail(std::string("expected ") + what + ", found " + text_.found(), kDamaged);
  }

  const std::string& file_;
  TextScanner text_;
  bool is_binary_ = false;
  std::endian order_ = std::endian::little;
};

}  // namespace pliant
