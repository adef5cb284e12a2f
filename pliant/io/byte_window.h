// A cursor over bytes that are read piece by piece: what is decoded is still in the cache, and the file is never in
// memory as a whole. Internal to io/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/byte_source.h"

namespace pliant {

// Reads forward only. The source must outlive it.
class ByteWindow {
 public:
  ByteWindow(ByteSource& source, std::uint64_t start)
      : source_(source), size_(source.size()), next_(std::min(start, size_)) {}

  std::uint64_t offset() const { return next_ - held(); }
  std::uint64_t remaining() const { return size_ - offset(); }

  // The next bytes, which stay valid up to the next call. Throws when fewer than `count` are left.
  const char* take(std::size_t count, const char* what) {
    if (held() < count) hold(count, what);
    const char* start = buffer_.data() + at_;
    at_ += count;
    return start;
  }
  template <class T>
  T take(std::endian order, const char* what) {
    return load<T>(take(sizeof(T), what), order);
  }

  // Whole records of a size that are at hand, at least one and at most so many; take() steps over them.
  struct Records {
    const char* data;
    std::size_t count;
  };
  Records peek_records(std::size_t size, std::uint64_t most, const char* what) {
    if (held() < size) hold(size, what);
    return {buffer_.data() + at_, static_cast<std::size_t>(std::min<std::uint64_t>(most, held() / size))};
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = {},
                         const std::string& element = {}) const {
    throw Error(ErrorPlace{.file = source_.name(), .byte = offset(), .element = element}, problem, remedy);
  }

 private:
  // Large enough that a read is not dominated by the call, small enough for the second-level cache.
  static constexpr std::size_t kSize = std::size_t{1} << 18;

  std::size_t held() const { return end_ - at_; }

  // Moves what is left to the front and reads on behind it.
  void hold(std::size_t count, const char* what) {
    if (count > remaining())
      fail("the file ends inside " + std::string(what), "it is truncated: copy or export it again");
    if (buffer_.size() < count)
      buffer_.resize(std::max(count, static_cast<std::size_t>(std::min<std::uint64_t>(kSize, remaining()))));
    std::memmove(buffer_.data(), buffer_.data() + at_, held());
    end_ = held();
    at_ = 0;
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size() - end_, size_ - next_));
    source_.read(next_, buffer_.data() + end_, more);
    end_ += more;
    next_ += more;
  }

  ByteSource& source_;
  std::uint64_t size_;
  std::uint64_t next_;  // what of the source is not yet in the buffer
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace pliant
