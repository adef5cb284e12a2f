#include "app/check_html.h"

#include <filesystem>

#include "app/view_page.h"
#include "pliant/io/mesh_format.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {
namespace {

// Which way is up in the files: in recordings z, in glTF y; others do not say.
char up_of(const CheckOptions& options) {
  if (is_run_folder(options.meshes.front())) return 'z';
  const std::string extension = extension_of(options.meshes.front());
  return extension == ".glb" || extension == ".gltf" ? 'y' : '\0';
}

std::string title_of(const CheckOptions& options) {
  std::string title;
  for (const std::string& mesh : options.meshes) {
    std::filesystem::path path(mesh);
    if (!path.has_filename()) path = path.parent_path();  // "out/cloth/"
    title += (title.empty() ? "" : ", ") + path.filename().string();
  }
  return title;
}

}  // namespace

HtmlReport::HtmlReport(const CheckOptions& options, const FrameClock& clock)
    : path_(options.html),
      page_(require_view_page()),
      sink_({.title = title_of(options), .up = up_of(options), .clock = clock}) {}

void HtmlReport::write(const CheckReport& report, const CheckSeconds& seconds, bool quiet) {
  const PageWritten written = sink_.write(path_, page_, report, seconds);
  if (!quiet) print_page(path_, written);
}

std::unique_ptr<HtmlReport> open_html_report(const CheckOptions& options, const FrameClock& clock) {
  return options.html.empty() ? nullptr : std::make_unique<HtmlReport>(options, clock);
}

}  // namespace pliant::app
