#include "pliant/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>

#include "pliant/core/error.h"
#include "pliant/io/large_memory.h"

namespace pliant {
namespace {

[[noreturn]] void fail_loop(const std::string& path) {
  throw Error(ErrorPlace{.file = path}, "symbolic links lead in a circle", "remove one of them");
}

[[noreturn]] void fail_irregular(const std::string& path) {
  throw Error(ErrorPlace{.file = path}, "is not a regular file", "save pipes and devices to a file first");
}

[[noreturn]] void fail_open(const std::string& path, int error) {
  const ErrorPlace place{.file = path};
  if (error == ENOENT || error == ENOTDIR) throw Error(place, "no such file", "check the path");
  if (error == EACCES || error == EPERM)
    throw Error(place, "cannot be read", "check its permissions and those of its folders");
  if (error == ELOOP) fail_loop(path);
  if (error == ENAMETOOLONG) throw Error(place, "the name is too long for a file", "shorten it");
  if (error == ENXIO || error == ENODEV) fail_irregular(path);
  if (error == EMFILE || error == ENFILE)
    throw Error(place, "cannot be opened: too many files are open", "raise the limit: ulimit -n 4096");
  throw Error(place, std::string("cannot be opened: ") + std::strerror(error), "check the file, or copy it elsewhere");
}

void require_regular_file(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) throw Error(ErrorPlace{.file = path}, "is a folder", "name a file");
  if (!S_ISREG(status.st_mode)) fail_irregular(path);
}

// Where symbolic links lead: to a file that need not exist yet.
std::string behind_links(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as many as Linux follows
  fs::path at = path;
  std::error_code error;
  for (int i = 0; fs::is_symlink(fs::symlink_status(at, error)); ++i) {
    if (i == kMostLinks) fail_loop(path);
    const fs::path next = fs::read_symlink(at, error);
    if (error)
      throw Error(ErrorPlace{.file = path}, "the symbolic link cannot be read: " + error.message(),
                  "check the permissions of its folder");
    at = at.parent_path() / next;  // just `next` if that is absolute
  }
  return at.string();
}

// Neither creates nor empties anything.
std::FILE* open_straight(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
}

// Beside the target, so that the final rename stays within one file system.
std::string temporary_name(const std::string& path) {
  static std::atomic<int> counter = 0;
  return path + ".part" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

}  // namespace

InputFile::InputFile(const std::string& path) : path_(path) {
  // Without O_NONBLOCK the opening of a pipe would wait for a writer.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) fail_open(path, errno);
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    const int error = errno;
    ::close(descriptor_);
    fail_open(path, error);
  }
  try {
    require_regular_file(path, status);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::uint64_t offset, char* to, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw Error(ErrorPlace{.file = path_, .byte = offset}, std::string("cannot be read: ") + std::strerror(errno),
                  "check the device, or copy the file elsewhere");
    if (got == 0)
      throw Error(ErrorPlace{.file = path_, .byte = offset}, "the file became shorter while it was read",
                  "wait until the program that writes it is done");
    to += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

FileBytes read_file(const std::string& path) {
  InputFile file(path);
  const std::size_t size = static_cast<std::size_t>(file.size());
  std::unique_ptr<char[]> data;
  try {
    data.reset(new char[size]);  // left uninitialised: it is overwritten at once
    prefer_large_pages(data.get(), size);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorPlace{.file = path}, "the file does not fit in memory", "split it");
  }
  file.read(0, data.get(), size);
  return FileBytes(std::move(data), size);
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw Error(ErrorPlace{.file = path}, "is a folder", "name a file");
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = open_straight(path);
  } else {
    target_ = behind_links(path);
    temporary_ = temporary_name(target_);
    file_ = std::fopen(temporary_.c_str(), "wbx");
  }
  if (!file_) {
    const int error = errno;
    if (error == ELOOP) fail_loop(path);
    const char* remedy = error == ENOENT || error == ENOTDIR ? "create its folder first"
                         : error == ENAMETOOLONG             ? "shorten the name"
                         : error == ENOSPC                   ? "make room on the disk"
                         : error == EROFS                    ? "write to another disk: this one is read-only"
                                                             : "check the permissions of its folder";
    throw Error(ErrorPlace{.file = path}, std::string("cannot be written: ") + std::strerror(error), remedy);
  }
}

OutputFile::~OutputFile() {
  if (!file_) return;
  std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputFile::fail(const std::string& problem) {
  const int error = errno;
  const std::string reason = std::strerror(error);
  const char* remedy = !temporary_.empty() ? "nothing was left behind at this path"
                       : error == ESPIPE   ? "this format goes back to its beginning: write a regular file"
                                           : "it is not a regular file: what came before has gone through";
  throw WriteError(ErrorPlace{.file = path_}, problem + ": " + reason, remedy);
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot be written");
}

void OutputFile::write_at(std::uint64_t offset, std::string_view bytes) {
  if (::fseeko(file_, static_cast<off_t>(offset), SEEK_SET) != 0) fail("cannot be written");
  write(bytes);
  if (::fseeko(file_, 0, SEEK_END) != 0) fail("cannot be written");
}

void OutputFile::commit() {
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;  // the last of it may be written only here
  const bool straight = temporary_.empty();
  if (closed && (straight || std::rename(temporary_.c_str(), target_.c_str()) == 0)) return;
  const int error = errno;
  if (!straight) std::remove(temporary_.c_str());
  errno = error;
  fail("cannot be written");
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace pliant
