// Bytes at any place of something that may be larger than memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "pliant/core/error.h"

namespace pliant {

// A file (io/file.h) or bytes in memory. Not safe to use from two threads at once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual const std::string& name() const = 0;  // for errors
  virtual std::uint64_t size() const = 0;
  // Throws Error if the source does not hold all of them.
  virtual void read(std::uint64_t offset, char* to, std::size_t count) = 0;

  // The first bytes, as many as there are up to `most`.
  std::string opening(std::size_t most) {
    std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(most, size())), '\0');
    read(0, bytes.data(), bytes.size());
    return bytes;
  }
};

// Bytes that somebody else keeps.
class ViewSource : public ByteSource {
 public:
  ViewSource(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, char* to, std::size_t count) override {
    if (offset > bytes_.size() || count > bytes_.size() - offset)
      throw Error(ErrorPlace{.file = name_, .byte = offset}, "the data ends early");
    if (count > 0) std::memcpy(to, bytes_.data() + offset, count);
  }

 protected:
  void set_bytes(std::string_view bytes) { bytes_ = bytes; }

 private:
  std::string_view bytes_;
  std::string name_;
};

class MemorySource : public ViewSource {
 public:
  MemorySource(std::string bytes, std::string name) : ViewSource({}, std::move(name)), kept_(std::move(bytes)) {
    set_bytes(kept_);
  }
  MemorySource(const MemorySource&) = delete;
  MemorySource& operator=(const MemorySource&) = delete;

 private:
  std::string kept_;
};

}  // namespace pliant
