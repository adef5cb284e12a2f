// `pliant view`: a recording as a page that opens in a browser.
#include "app/commands.h"
#include "app/outputs.h"
#include "app/view_page.h"
#include "pliant/world/run_page.h"

namespace pliant::app {
namespace {

struct ViewOptions {
  std::string run;
  std::string out;
  bool quiet = false;
};

Status view(const ViewOptions& options) {
  const PageTemplate page = require_view_page();
  require_outputs_apart({options.out}, {options.run});
  const PageWritten written = write_run_page(options.run, options.out, page);
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
  command->add_flag("--quiet,-q", options->quiet, "Print nothing");
  command->footer(
      "The page holds the whole frames, rounded to 1/65535 of each body's box, touches with their forces, and what "
      "each "
      "frame\ncost. Of recordings that would give more than some 80 MB, frames are left out, and the page says so.\n\n"
      "Examples:\n"
      "  pliant view out/cloth_on_ball -o cloth.html\n"
      "  pliant run cloth_on_ball --html cloth.html     the same at once\n"
      "  pliant check shirt.obj --motion walk.pc2 --html report.html   what collides, as a page\n\n"
      "The page is built once, by `make web`. PLIANT_VIEW names another one.\n"
      "Exit status: 0 done, 2 bad usage or input, or no page.");
  command->callback([options, &status] { status = view(*options); });
}

}  // namespace pliant::app
