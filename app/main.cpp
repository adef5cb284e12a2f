// The pliant command.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
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
  CommandLine app(
      "Detects and resolves collisions between deformable bodies: cloth, flesh, rubber, skinned characters.", "pliant");
  app.set_version("pliant " PLIANT_VERSION);
  app.require_subcommand(1, 1);
  app.footer(
      "Examples:\n"
      "  pliant check shirt.obj body.ply        do these meshes intersect, themselves or each other?\n"
      "  pliant check scan.stl --json -         all contacts for a program to read\n"
      "  pliant check shirt.obj --motion walk.pc2   when does this animation run into itself first?\n"
      "  pliant convert body.obj walk.glb --motion walk.pc2   mesh and motion files into other formats\n"
      "  pliant run cloth_on_ball               simulate a scene without collisions, and record it\n"
      "  pliant view out/cloth_on_ball -o cloth.html   watch the recording in a browser\n"
      "  pliant prepare dragon.ply -o dragon.pliant   repair, simplify, fill with tetrahedra\n"
      "  pliant methods                         what each method answers and guarantees\n"
      "  pliant reproduce --quick               what the papers claim, measured and judged\n"
      "  pliant demo                            see it work on built-in shapes\n\n"
      "Exit status: 0 clean or done, 1 collides, 2 bad usage or input, 3 not known or could not finish.");
  Status status = kDone;
  add_check(app, status);
  add_run(app, status);
  add_view(app, status);
  add_methods(app, status);
  add_convert(app, status);
  add_prepare(app, status);
  add_demo(app, status);
  add_bench(app, status);
  add_reproduce(app, status);
  add_completion(app, status);
  add_man(app, status);
  if (argc > 1) require_subcommand_named(app, argv[1]);
  app.parse(argc, argv);
  return status;
}

// Of a table that cannot be printed, and of threads or other things that the machine cannot give.
int status_of(const std::system_error& error) {
  using namespace pliant::app;
  if (std::ferror(stdout) != 0) {
    fmt::print(stderr, "pliant: {}\n", StandardOutputError(error.code().value()).what());
    return kNotFinished;
  }
  const bool no_threads = error.code() == std::errc::resource_unavailable_try_again;
  fmt::print(stderr, "pliant: {}{}\n", error.what(),
             no_threads ? " (try --threads 1, or end other programs: there is no room for more threads)" : "");
  return kNotFinished;
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
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "pliant: {}: cannot be used: {} (check the path and its permissions)\n", error.path1().string(),
               error.code().message());
  } catch (const std::system_error& error) {
    return status_of(error);
  } catch (const pliant::WriteError& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
    return kNotFinished;
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
