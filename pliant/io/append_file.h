// Files that grow while something runs, and can be cut back to what they held before.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pliant/core/vec3.h"

namespace pliant {

// Buffered. Throws Error, naming the file and the reason (a full disk), for what cannot be written: at the latest by
// flush(). Not for use from several threads.
class AppendFile {
 public:
  enum class Open { create, go_on };  // create: an empty file, whatever stood there; go_on: after its present end
  AppendFile(const std::string& path, Open how);
  ~AppendFile();  // what was not flushed is lost
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;

  std::uint64_t size() const { return written_ + buffer_.size(); }
  void append(std::string_view bytes);
  // Overwrites what is there, at once.
  void write_at(std::uint64_t offset, std::string_view bytes);
  void flush();
  // Drops everything after `size`, in the buffer and in the file. Throws Error if the file is shorter.
  void cut(std::uint64_t size);

 private:
  void write(std::uint64_t offset, std::string_view bytes);
  [[noreturn]] void fail(int error) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t written_ = 0;
  std::string buffer_;
};

// A .npy array that grows row by row. The header counts the rows that were there at the last flush(), so that the file
// can be read at any time.
class NpyRows {
 public:
  // Rows of `vertex_count` x 3 doubles; 0: of one double.
  NpyRows(const std::string& path, std::size_t vertex_count, AppendFile::Open how);

  std::uint64_t rows() const { return (file_.size() - kHeader) / row_size(); }
  void add(std::span<const Vec3> positions);
  void add(double value);
  void flush();
  void cut(std::uint64_t rows);

 private:
  static constexpr std::uint64_t kHeader = 128;  // bytes
  std::uint64_t row_size() const { return vertex_count_ == 0 ? 8 : vertex_count_ * 24; }
  std::string header() const;

  std::size_t vertex_count_;
  AppendFile file_;
};

}  // namespace pliant
