// What OutputFile does to whatever stands at its path already.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "pliant/io/append_file.h"
#include "pliant/io/file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) { return std::string(read_file(path).view()); }

TEST(OutputFile, ReplacesTheFileBehindALinkAndKeepsTheLink) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "far");
  write_file(folder / "far/file", "old");
  fs::create_symlink("far/file", folder / "first");  // relative to its own folder
  fs::create_symlink(folder / "first", folder / "second");
  write_file(folder / "second", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "first"));
  EXPECT_TRUE(fs::is_symlink(folder / "second"));
  EXPECT_EQ(content_of(folder / "far/file"), "new");
}

TEST(OutputFile, MakesTheFileThatALinkLeadsTo) {
  const TemporaryFolder folder;
  fs::create_symlink("not_yet", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(content_of(folder / "not_yet"), "new");
  EXPECT_EQ(folder.entry_count(), 2u);
}

TEST(OutputFile, RefusesLinksInACircleAndLinksToFolders) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  EXPECT_TRUE(says(error_of([&] { write_file(folder / "a", "x"); }).what(), "in a circle"));
  fs::create_symlink(".", folder / "here");
  EXPECT_TRUE(says(error_of([&] { write_file(folder / "here", "x"); }).what(), "is a folder"));
  EXPECT_EQ(folder.entry_count(), 3u);
}

// A pipe with both ends open: neither end waits for the other.
class Pipe {
 public:
  explicit Pipe(const std::string& path) {
    if (::mkfifo(path.c_str(), 0600) == 0) descriptor_ = ::open(path.c_str(), O_RDWR | O_NONBLOCK);
  }
  ~Pipe() { ::close(descriptor_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::string read() const {
    std::string text(100, '\0');
    const ssize_t count = ::read(descriptor_, text.data(), text.size());
    text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return text;
  }

 private:
  int descriptor_ = -1;
};

TEST(OutputFile, WritesStraightIntoAPipeAndLeavesItAPipe) {
  const TemporaryFolder folder;
  const Pipe pipe(folder / "pipe");
  fs::create_symlink("pipe", folder / "link");
  for (const char* name : {"pipe", "link"}) {
    write_file(folder / name, "through the pipe");
    EXPECT_EQ(pipe.read(), "through the pipe");
    EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
  }
  EXPECT_EQ(folder.entry_count(), 2u);
}

TEST(OutputFile, SaysThatAPipeCanNotBeGoneBackIn) {
  const TemporaryFolder folder;
  const Pipe pipe(folder / "pipe");
  const auto go_back = [&] {
    OutputFile file(folder / "pipe");
    file.write("12");
    file.write_at(0, "3");
  };
  const std::string problem = error_of(go_back).what();
  EXPECT_TRUE(says(problem, "write a regular file")) << problem;
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

// A limit on the size of files stands for a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit lower{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &lower);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(OutputFile, LeavesTheFileBehindALinkAsItWasWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  write_file(folder / "file", "old");
  fs::create_symlink("file", folder / "link");
  std::string problem;
  {
    const FileSizeLimit full(1000);
    problem = error_of([&] { write_file(folder / "link", std::string(100000, 'x')); }).what();
  }
  EXPECT_TRUE(says(problem, "cannot be written")) << problem;
  EXPECT_EQ(content_of(folder / "file"), "old");
  EXPECT_EQ(folder.entry_count(), 2u);
}

TEST(AppendFile, WritesBehindALinkAndKeepsIt) {
  const TemporaryFolder folder;
  write_file(folder / "file", "old and long");
  fs::create_symlink("file", folder / "link");
  AppendFile file(folder / "link", AppendFile::Open::create);
  file.append("new");
  file.flush();
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(content_of(folder / "file"), "new");
}

// Whatever a path leads to, the error names it and says what to do.
TEST(Files, ThatCannotBeOpenedAreNamedWithARemedy) {
  const TemporaryFolder folder;
  fs::create_symlink("loop", folder / "loop");
  fs::create_directory(folder / "dir");
  const std::string far = folder / std::string(300, 'x');
  for (const auto& [path, problem] : std::vector<std::pair<std::string, std::string>>{
           {folder / "loop", "symbolic links lead in a circle (remove one of them)"},
           {folder / "loop/a.obj", "symbolic links lead in a circle (remove one of them)"},
           {folder / "dir", "is a folder (name a file)"},
           {"/dev/null", "is not a regular file (save pipes and devices to a file first)"},
           {far, "the name is too long for a file (shorten it)"},
           {folder / "none", "no such file (check the path)"}}) {
    const Error error = error_of([&, file = path] { read_file(file); });
    EXPECT_EQ(error.what(), path + ": " + problem);
  }
  for (const auto& [path, problem] : std::vector<std::pair<std::string, std::string>>{
           {folder / "loop", "symbolic links lead in a circle (remove one of them)"},
           {folder / "loop/a.obj", "symbolic links lead in a circle (remove one of them)"},
           {folder / "dir", "is a folder (name a file)"},
           {far, "cannot be written: File name too long (shorten the name)"},
           {folder / "none/a", "cannot be written: No such file or directory (create its folder first)"}}) {
    const Error error = error_of([&, file = path] { write_file(file, "x"); });
    EXPECT_EQ(error.what(), path + ": " + problem);
  }
  if (::geteuid() == 0) return;  // who may read everything
  write_file(folder / "secret", "x");
  fs::permissions(folder / "secret", fs::perms::none);
  EXPECT_TRUE(says(error_of([&] { read_file(folder / "secret"); }).what(), "cannot be read (check its permissions"));
}

}  // namespace
}  // namespace pliant
