// Whole files in, and files out that are never left half-written.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "pliant/io/byte_source.h"

namespace pliant {

// The content of a file in memory.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(std::unique_ptr<char[]> data, std::size_t size) : data_(std::move(data)), size_(size) {}
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

// A file open for reading at any place. Not safe to use from two threads at once.
//
// Throws Error, on opening, when the path is missing, a folder, not a regular file (a pipe could be endless) or not
// readable; on reading, when the file ends early (it shrank) or the device fails.
class InputFile : public ByteSource {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile() override;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const override { return path_; }
  std::uint64_t size() const override { return size_; }  // when it was opened
  void read(std::uint64_t offset, char* to, std::size_t count) override;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// Reads the file at once. Memory mapping would save the copy, but a file cut short by another program while it is
// mapped ends the process with a signal instead of an error.
FileBytes read_file(const std::string& path);

// Writes to a temporary file beside `path`; commit() puts it in place in one step. Without commit() (an error on the
// way) the temporary file is removed and whatever stood at `path` is untouched. Symbolic links are followed: the file
// that they lead to is replaced, not the link.
//
// A path that leads to something other than a regular file (a pipe, a device) is written straight into, and stays what
// it is; then there is no way back, and write_at() throws where the thing cannot be gone back in. A folder is refused.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  // Overwrites bytes written before: for a count that is known only at the end.
  void write_at(std::uint64_t offset, std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const std::string& problem);

  std::string path_;       // as it was given
  std::string target_;     // links followed
  std::string temporary_;  // empty: written straight into
  std::FILE* file_ = nullptr;
};

void write_file(const std::string& path, std::string_view bytes);

}  // namespace pliant
