#include "app/view_page.h"

#include <cstdlib>
#include <filesystem>

#include "app/terminal.h"
#include "pliant/core/error.h"

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "PLIANT_VIEW";

}  // namespace

std::optional<std::string> find_view_page() {
  std::error_code problem;
  if (const char* named = std::getenv(kVariable)) return named;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return std::nullopt;
  for (const char* place : {"share/pliant/view.html", "web/dist/view.html"}) {
    const fs::path page = program.parent_path().parent_path() / place;
    if (fs::is_regular_file(page, problem)) return page.string();
  }
  return std::nullopt;
}

PageTemplate require_view_page() {
  const std::optional<std::string> page = find_view_page();
  if (!page) throw Error("the page that shows runs and reports is not built", "`make web` builds it (needs npm)");
  return PageTemplate(*page);
}

void print_page(const std::string& path, const PageWritten& written) {
  std::error_code problem;
  const auto megabytes = static_cast<double>(fs::file_size(path, problem)) / 1e6;
  const std::string kept = written.kept < written.frames
                               ? fmt::format("{} of {}: it would be too large with all", grouped(written.kept),
                                             counted(written.frames, "frame", "frames"))
                               : counted(written.frames, "frame", "frames");
  fmt::print("{}: {:.1f} MB, {}; open it in a browser\n", path, problem ? 0.0 : megabytes, kept);
}

}  // namespace pliant::app
