// The pliant command.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "app/commands.h"
#include "app/report_file.h"
#include "app/stop_signals.h"
#include "pliant/core/error.h"
#include "pliant/core/suggest.h"
#include "pliant/version.h"

namespace {

// The parser alone would say only that a subcommand is required.
void require_subcommand_named(const pliant::app::Command& app, const std::string& word) {
  if (word.empty() || word.front() == '-') return;
  const std::vector<std::string> names = app.subcommand_names();
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw pliant::Error("there is no subcommand '" + word + "'", pliant::suggestion(word, known));
}

int run(int argc, char** argv) {
  using namespace pliant::app;
  CommandLine app("Finds collisions between things that bend: cloth, flesh, rubber, skinned characters.", "pliant");
  app.set_version("pliant " PLIANT_VERSION);
  app.require_subcommand(1, 1);
  app.footer(
      "Examples:\n"
      "  pliant check shirt.obj body.ply        do these meshes intersect, themselves or each other?\n"
      "  pliant check scan.stl --json -         all contacts for a program to read\n"
      "  pliant check shirt.obj --motion walk.pc2   when does this animation run into itself first?\n"
      "  pliant convert body.obj walk.glb --motion walk.pc2   mesh and motion files into other formats\n"
      "  pliant run cloth_on_ball               simulate a scene without collisions, and record it\n"
      "  pliant prepare dragon.ply -o dragon.pliant   repair, simplify, fill with tetrahedra\n"
      "  pliant methods                         what each method answers and guarantees\n"
      "  pliant demo                            see it work on built-in shapes\n\n"
      "Exit status: 0 nothing collides, 1 collisions found, 2 bad usage or input, 3 could not finish.");
  Status status = kDone;
  add_check(app, status);
  add_run(app, status);
  add_methods(app, status);
  add_convert(app, status);
  add_prepare(app, status);
  add_demo(app, status);
  add_bench(app, status);
  if (argc > 1) require_subcommand_named(app, argv[1]);
  return app.parse(argc, argv) ? status : kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  using pliant::app::kNotFinished;
  try {
    const int status = run(argc, argv);
    pliant::app::finish_standard_output();
    return status;
  } catch (const pliant::app::StandardOutputError& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
    return kNotFinished;
  } catch (const pliant::app::Stopped& stopped) {
    fmt::print(stderr, "pliant: {}\n", stopped.what());
    return kNotFinished;
  } catch (const std::system_error& error) {
    // That is how a table that can not be printed is told.
    const int number = std::ferror(stdout) != 0 ? error.code().value() : 0;
    fmt::print(stderr, "pliant: {}\n", number != 0 ? pliant::app::StandardOutputError(number).what() : error.what());
    return number != 0 ? kNotFinished : pliant::app::kBadInput;
  } catch (const pliant::Error& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "pliant: not enough memory (try --budget, fewer bodies, or a machine with more)\n");
    return kNotFinished;
  } catch (const std::exception& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
  }
  return pliant::app::kBadInput;
}
