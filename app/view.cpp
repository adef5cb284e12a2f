// `pliant view`: a recording as a page that opens in a browser.
#include "app/arguments.h"
#include "app/commands.h"
#include "app/outputs.h"
#include "app/view_page.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/world/run_page.h"

namespace pliant::app {
namespace {

struct ViewOptions {
  std::string run;
  std::string out;
  std::string overlay;
  std::string mode = "safe";
  std::vector<std::string> settings;  // --set
  std::optional<std::string> search_budget;
  bool quiet = false;
};

// Refused before anything is read: a method that there is not, a paper mode that it does not have.
RunOverlaySettings overlay_settings(const ViewOptions& options) {
  RunOverlaySettings overlay;
  overlay.method = options.overlay;
  overlay.mode = options.mode == "paper" ? Mode::paper : Mode::safe;
  if (options.search_budget)
    overlay.search_seconds = std::chrono::duration<double>(parse_duration(*options.search_budget)).count();
  const bool names_method = !options.overlay.empty() && options.overlay != "none";
  if (!names_method) {
    if (!options.settings.empty() || overlay.mode == Mode::paper || overlay.search_seconds)
      throw Error("--mode, --set and --search-budget belong to the method of --overlay", "name it: --overlay anytime");
    return overlay;
  }
  DetectorSettings chosen;
  chosen.mode = overlay.mode;
  const MethodSettingsByName own = method_settings(options.settings, {options.overlay});
  if (const auto found = own.find(options.overlay); found != own.end()) chosen.method = overlay.own = found->second;
  make_detector(options.overlay, chosen);
  return overlay;
}

Status view(const ViewOptions& options) {
  const PageTemplate page = require_view_page();
  require_outputs_apart({options.out}, {options.run});
  RunPageSettings settings;
  settings.overlay = overlay_settings(options);
  const PageWritten written = write_run_page(options.run, options.out, page, settings);
  if (!options.quiet) print_page(options.out, written);
  return kDone;
}

}  // namespace

void add_view(Command& app, Status& status) {
  Command* command = app.add_subcommand("view", "Make a page of a recording, to be watched in a browser");
  const auto options = std::make_shared<ViewOptions>();
  command->add_option("run", options->run, "The folder of a recording (`pliant run`)")->required()->type_name("RUN");
  command->add_option("--out,-o", options->out, "The page: one file that needs no server and no network")
      ->required()
      ->type_name("FILE.html");
  command
      ->add_option("--overlay", options->overlay,
                   "Draw on demand what this method of `pliant methods` works with on the frames: boxes, spheres, "
                   "regions, particles, open pairs, events (default: the method of the run; none: nothing)")
      ->type_name("METHOD");
  command
      ->add_option("--mode", options->mode, "That method such that nothing is missed (safe), or as published (paper)")
      ->one_of({"safe", "paper"})
      ->type_name("MODE");
  add_method_settings(*command, options->settings);
  command->add_option("--search-budget", options->search_budget,
                      "Time for each of its searches (200us): what it leaves open is drawn");
  command->add_flag("--quiet,-q", options->quiet, "Print nothing");
  command->footer(
      "The page holds the whole frames, rounded to 1/65535 of each body's box, touches with their forces, and what "
      "each "
      "frame\ncost. Of recordings that would give more than some 80 MB, frames are left out, and the page says so.\n"
      "What a method works with is made anew from these frames, for at most 20 seconds, and up to some 15 MB of the "
      "page.\n\n"
      "Examples:\n"
      "  pliant view out/cloth_on_ball -o cloth.html\n"
      "  pliant run cloth_on_ball --html cloth.html     the same at once\n"
      "  pliant view out/dragons -o d.html --overlay anytime --search-budget 100us   what is left open after 0.1 ms\n"
      "  pliant check shirt.obj --motion walk.pc2 --html report.html   what collides, as a page\n\n"
      "The page is built once, by `make web`. PLIANT_VIEW names another one.\n"
      "Exit status: 0 done, 2 bad usage or input, or no page.");
  command->callback([options, &status] { status = view(*options); });
}

}  // namespace pliant::app
