#include "pliant/io/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/point_cache.h"

namespace pliant {
namespace {

constexpr std::size_t kBuffer = 1 << 20;

}  // namespace

AppendFile::AppendFile(const std::string& path, Open how) : path_(path) {
  const int flags = O_RDWR | O_CLOEXEC | (how == Open::create ? O_CREAT | O_TRUNC : 0);
  descriptor_ = ::open(path.c_str(), flags, 0666);
  if (descriptor_ < 0) fail(errno);
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(errno);
  written_ = static_cast<std::uint64_t>(status.st_size);
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      written_(other.written_),
      buffer_(std::move(other.buffer_)) {}

void AppendFile::append(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBuffer) flush();
}

void AppendFile::write_at(std::uint64_t offset, std::string_view bytes) { write(offset, bytes); }

void AppendFile::flush() {
  write(written_, buffer_);
  written_ += buffer_.size();
  buffer_.clear();
}

void AppendFile::cut(std::uint64_t size) {
  if (size > this->size())
    throw Error(ErrorPlace{.file = path_}, "is shorter than the recording says", "it was changed: record anew");
  if (size >= written_) {
    buffer_.resize(static_cast<std::size_t>(size - written_));
    return;
  }
  buffer_.clear();
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(errno);
  written_ = size;
}

void AppendFile::write(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(count < 0 ? errno : ENOSPC);
    offset += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AppendFile::fail(int error) const {
  throw WriteError(ErrorPlace{.file = path_}, std::string("cannot be written: ") + std::strerror(error));
}

NpyRows::NpyRows(const std::string& path, std::size_t vertex_count, AppendFile::Open how)
    : vertex_count_(vertex_count), file_(path, how) {
  if (how == AppendFile::Open::create) file_.append(header());
}

std::string NpyRows::header() const {
  const std::uint64_t count = file_.size() < kHeader ? 0 : rows();
  return vertex_count_ == 0 ? format_npy_vector_header(count)
                            : format_npy_header(vertex_count_, count, Precision::float64);
}

void NpyRows::add(std::span<const Vec3> positions) {
  if constexpr (std::endian::native == std::endian::little) {
    file_.append({reinterpret_cast<const char*>(positions.data()), positions.size_bytes()});
  } else {
    std::string bytes;
    for (const Vec3& p : positions)
      for (int axis = 0; axis < 3; ++axis) append_little(bytes, p[axis]);
    file_.append(bytes);
  }
}

void NpyRows::add(double value) {
  std::string bytes;
  append_little(bytes, value);
  file_.append(bytes);
}

void NpyRows::flush() {
  file_.flush();
  file_.write_at(0, header());
}

void NpyRows::cut(std::uint64_t rows) {
  file_.cut(kHeader + rows * row_size());
  flush();
}

}  // namespace pliant
