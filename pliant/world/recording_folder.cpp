#include "pliant/world/recording_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/core/error.h"
#include "pliant/world/run_folder.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = "run.lock";
constexpr const char* kElsewhere = "choose another folder";

// What follows `start` in `text`; nothing if it begins otherwise.
std::optional<std::string_view> after(std::string_view text, std::string_view start) {
  if (text.substr(0, start.size()) != start) return std::nullopt;
  return text.substr(start.size());
}

std::string_view without_digits(std::string_view text) {
  return text.substr(std::min(text.size(), text.find_first_not_of("0123456789")));
}

// "NAME.part123-0": what a process that was killed while it wrote NAME left (io/file.h).
bool is_part_of(const std::string& file, const std::string& name) {
  const auto rest = after(file, name + ".part");
  return rest && without_digits(*rest).substr(0, 1) == "-" && without_digits(without_digits(*rest).substr(1)).empty();
}

// "state-12.bin", whole or half.
bool is_state(const std::string& file) {
  const auto rest = after(file, "state-");
  if (!rest) return false;
  const std::string name = file.substr(0, file.size() - without_digits(*rest).size()) + ".bin";
  return file == name || is_part_of(file, name);
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
    names.push_back(entry->path().filename().string());
  if (problem) throw Error(ErrorPlace{.file = folder}, "cannot be read: " + problem.message(), kElsewhere);
  return names;
}

// The lock's file and the first run.json of a run that was killed at its very beginning are nobody's files.
bool holds_other_files(const std::string& folder) {
  const std::vector<std::string> names = files_in(folder);
  return !std::all_of(names.begin(), names.end(),
                      [](const auto& name) { return name == kLockFile || is_part_of(name, "run.json"); });
}

// Everything that belongs to a recording: its files, earlier states, and halves of both.
bool belongs_to(const std::string& file, const std::vector<std::string>& recorded) {
  if (is_state(file)) return true;
  return std::any_of(recorded.begin(), recorded.end(),
                     [&](const std::string& name) { return file == name || is_part_of(file, name); });
}

void remove(const std::string& folder, const std::string& file) {
  std::error_code problem;
  fs::remove(fs::path(folder) / file, problem);
  if (problem) throw Error(ErrorPlace{.file = file_in(folder, file)}, "cannot be removed: " + problem.message());
}

void remove_recording(const std::string& folder) {
  const std::vector<std::string> recorded = files_of(read_unfinished_run(folder));
  // run.json last: until then the folder is still known for what it is.
  for (const std::string& file : files_in(folder))
    if (file != "run.json" && belongs_to(file, recorded)) remove(folder, file);
  remove(folder, "run.json");
}

void remove_leftovers(const std::string& folder) {
  const RunInfo info = read_unfinished_run(folder);
  const std::vector<std::string> recorded = files_of(info);
  for (const std::string& file : files_in(folder)) {
    const bool is_recorded = std::find(recorded.begin(), recorded.end(), file) != recorded.end();
    if (!is_recorded && belongs_to(file, recorded)) remove(folder, file);
  }
}

void make_folder(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) throw Error(ErrorPlace{.file = path}, "cannot be made: " + failed.message(), kElsewhere);
}

[[noreturn]] void fail_locked(const std::string& folder, int lock) {
  char text[24] = {};
  const ssize_t size = ::pread(lock, text, sizeof text - 1, 0);
  const bool has_number = size > 0 && std::all_of(text, text + size, [](char c) { return c >= '0' && c <= '9'; });
  ::close(lock);
  throw Error(ErrorPlace{.file = folder},
              "is being recorded into by another run" + (has_number ? " (process " + std::string(text) + ")" : ""),
              "wait until it is done, or choose another folder");
}

// A lock's file that its last owner has just removed serves nobody: then the next one is tried.
int take_lock(const std::string& folder) {
  const std::string path = file_in(folder, kLockFile);
  for (;;) {
    const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (lock < 0)
      throw Error(ErrorPlace{.file = folder}, std::string("cannot be written into: ") + std::strerror(errno),
                  "check its permissions, or choose another folder");
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) fail_locked(folder, lock);
      const int problem = errno;
      ::close(lock);
      throw Error(ErrorPlace{.file = folder}, std::string("cannot be locked: ") + std::strerror(problem), kElsewhere);
    }
    struct stat held {};
    struct stat named {};
    if (::fstat(lock, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino) {
      const std::string process = std::to_string(::getpid());
      // Only for the words of whoever comes second.
      [[maybe_unused]] const bool written =
          ::ftruncate(lock, 0) == 0 && ::pwrite(lock, process.data(), process.size(), 0) > 0;
      return lock;
    }
    ::close(lock);
  }
}

}  // namespace

void require_room(const std::string& path, bool replace) {
  const ErrorPlace place{.file = path};
  if (path.empty()) throw Error("a recording without a folder", "name one");
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (status.type() == fs::file_type::not_found) {
    if (fs::is_symlink(fs::symlink_status(path, problem)))
      throw Error(place, "is a link that leads nowhere", "remove it, or choose another folder");
    return;
  }
  if (problem) throw Error(place, "cannot be looked at: " + problem.message(), kElsewhere);
  if (!fs::is_directory(status)) throw Error(place, "is a file, not a folder", kElsewhere);
  if (!is_run_folder(path)) {
    if (holds_other_files(path)) throw Error(place, "holds other files", kElsewhere);
    return;
  }
  if (!replace) throw Error(place, "holds a recording", "go on with it, replace it, or choose another folder");
  read_unfinished_run(path);  // a damaged one does not say which files are its own
}

RecordingFolder::RecordingFolder(const std::string& path) : path_(path), lock_(take_lock(path)) {}

RecordingFolder RecordingFolder::for_new(const std::string& path, bool replace) {
  require_room(path, replace);
  make_folder(path);
  RecordingFolder folder(path);
  require_room(path, replace);  // as it is now that nobody else can change it
  if (is_run_folder(path)) remove_recording(path);
  for (const std::string& file : files_in(path))
    if (is_part_of(file, "run.json")) remove(path, file);
  return folder;
}

RecordingFolder RecordingFolder::of_recording(const std::string& path) {
  read_unfinished_run(path);  // throws if there is none
  RecordingFolder folder(path);
  read_run(path);
  remove_leftovers(path);
  return folder;
}

RecordingFolder::~RecordingFolder() {
  if (lock_ < 0) return;
  ::unlink(file_in(path_, kLockFile).c_str());  // while it is still held
  ::close(lock_);
}

RecordingFolder::RecordingFolder(RecordingFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

}  // namespace pliant
