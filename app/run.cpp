// `pliant run`: simulates a scene and records every piece of its motion.
#include <filesystem>
#include <map>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/outputs.h"
#include "app/report_file.h"
#include "app/run_report.h"
#include "app/scene_list.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "app/view_page.h"
#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/scene/run_scene.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"
#include "pliant/world/run_page.h"

namespace pliant::app {
namespace {

struct RunOptions {
  std::string scene;
  std::string out;
  std::string resume;
  std::optional<int> frames;
  std::string method;
  std::string mode;
  std::string response;
  std::vector<std::string> settings;  // --set
  std::optional<std::string> budget;
  std::optional<std::string> search_budget;
  std::optional<std::uint64_t> triangles;
  std::vector<std::string> meshes;  // NAME=FILE
  int threads = 0;
  bool list = false;
  bool force = false;
  bool no_contacts = false;
  bool pc2 = false;
  bool gltf = false;
  std::string json;
  std::string html;
  bool quiet = false;
};

std::map<std::string, std::string> parse_meshes(const std::vector<std::string>& words) {
  std::map<std::string, std::string> meshes;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      throw Error("--mesh: '" + word + "' names no file", "write bunny=path/to/bunny.obj");
    meshes[word.substr(0, equals)] = std::filesystem::absolute(word.substr(equals + 1)).string();
  }
  return meshes;
}

BuildOptions build_options(const RunOptions& options) {
  return {.threads = {options.threads}, .meshes = parse_meshes(options.meshes), .mesh_folders = asset_folders()};
}

RunSceneSettings settings_of(const RunOptions& options, const StopSignals& signals, ProgressBar& bar) {
  RunSceneSettings settings;
  settings.frames = options.frames;
  settings.method = options.method;
  settings.mode = options.mode;
  settings.response = options.response;
  settings.method_settings = options.settings;
  if (options.budget) settings.budget_seconds = std::chrono::duration<double>(parse_duration(*options.budget)).count();
  if (options.search_budget)
    settings.search_seconds = std::chrono::duration<double>(parse_duration(*options.search_budget)).count();
  settings.triangles = options.triangles;
  settings.build = build_options(options);
  settings.records_contacts = !options.no_contacts;
  settings.replace = options.force;
  settings.record.budget = Budget::cancelled_by(signals.stop());
  settings.record.exports = {.pc2 = options.pc2, .gltf = options.gltf};
  settings.record.progress = [&bar](const RunProgress& now) {
    bar.show(now.frame / now.frames, static_cast<std::size_t>(now.frame - now.first_frame));
  };
  if (!options.quiet) settings.note = [](const std::string& note) { fmt::print(stderr, "pliant: {}\n", note); };
  return settings;
}

// The scene's file, its meshes and motions; those of a recording that is gone on with.
std::vector<std::string> files_read(const RunOptions& options) {
  if (!options.resume.empty()) return {options.resume};
  const SceneDescription scene = find_scene(options.scene);
  return files_read_for(scene, build_options(options));
}

// Says what to do in the command's own words.
RunEnding start(const RunOptions& options, const std::string& folder, const RunSceneSettings& settings) {
  const SceneDescription scene = find_scene(options.scene);
  if (is_run_folder(folder) && !options.force)
    throw Error(ErrorPlace{.file = folder}, "holds a recording",
                "--resume " + folder + " goes on with it, --force replaces it");
  return run_scene(scene, folder, settings);
}

RunEnding resume(const RunOptions& options, const RunSceneSettings& settings) {
  if (!options.scene.empty() || !options.out.empty() || !options.meshes.empty() || options.force ||
      options.no_contacts || options.triangles || !options.response.empty() || !options.mode.empty())
    throw Error("--resume goes on with what was recorded",
                "leave out SCENE, --out, --mesh, --triangles, --mode, --response, --force and --no-contacts");
  return resume_scene(options.resume, settings);
}

std::string folder_of(const RunOptions& options) {
  if (!options.resume.empty()) return options.resume;
  return options.out.empty() ? "out/" + std::filesystem::path(options.scene).stem().string() : options.out;
}

RunEnding simulate(const RunOptions& options, const std::string& folder) {
  const StopSignals signals;
  ProgressBar bar("simulating", options.quiet);
  const RunSceneSettings settings = settings_of(options, signals, bar);
  return options.resume.empty() ? start(options, folder, settings) : resume(options, settings);
}

void write_json(const RunInfo& info, const std::string& to) {
  if (to.empty()) return;
  const std::string text = format_run(info);
  if (to == "-") write_standard_output(text);
  else write_file(to, text);
}

// What went wrong, and what is there nevertheless.
Status report_ending(const RunEnding& ending, const std::string& folder) {
  if (!ending.done()) {
    fmt::print(stderr, "pliant: {}: {}\n", ending.info.scene, ending.info.message);
    fmt::print(stderr, "pliant: {} holds what was recorded, up to frame {:.6g}{}\n", folder,
               ending.info.checkpoint.frame,
               ending.can_be_resumed() ? "; go on with: pliant run --resume " + folder : "");
  }
  if (!ending.export_failure.empty()) fmt::print(stderr, "pliant: {}\n", ending.export_failure);
  return ending.done() && ending.export_failure.empty() ? kDone : kNotFinished;
}

Status run(const RunOptions& options) {
  if (options.list) {
    fmt::print("{}", scene_list());
    return kDone;
  }
  if (options.scene.empty() && options.resume.empty())
    throw Error("there is no scene to run", "name one (see --list), or a file: my.toml");
  require_outputs_apart({options.json, options.html}, files_read(options));
  std::optional<PageTemplate> page;
  if (!options.html.empty()) page = require_view_page();
  const std::string folder = folder_of(options);
  const RunEnding ending = simulate(options, folder);
  if (ending.was_complete && !options.quiet)
    fmt::print(stderr, "pliant: all {} frames are there; more: --frames N\n", ending.info.frames);
  write_json(ending.info, options.json);
  if (!options.quiet && options.json != "-") print_run(ending, folder);
  if (page) {
    const PageWritten written = write_run_page(folder, options.html, *page);
    if (!options.quiet && options.json != "-") print_page(options.html, written);
  }
  return report_ending(ending, folder);
}

void add_options(Command& command, RunOptions& options) {
  command.add_option("scene", options.scene, "A scene file (.toml), or the name of a built-in scene")
      ->type_name("SCENE")
      ->offers(scene_names());
  command.add_flag("--list", options.list, "List the built-in scenes");
  command.add_option("--out", options.out, "The folder to record into (default: out/SCENE)")->type_name("DIR");
  command.add_option("--resume", options.resume, "Go on with the recording in DIR, as if it had never stopped")
      ->type_name("DIR");
  command.add_flag("--force", options.force, "Replace a recording that is in the way");
  command.add_option("--frames", options.frames, "Frames to simulate (default: what the scene says)")
      ->check(above_zero());
  command
      .add_option("--method", options.method,
                  "Find collisions by this method of `pliant methods` (auto: the one that proves faster)")
      ->offers(method_names());
  command
      .add_option("--mode", options.mode,
                  "Methods and responses such that nothing is missed (safe), or as published (paper; not with a proof)")
      ->one_of({"safe", "paper"})
      ->type_name("MODE");
  command
      .add_option(
          "--response", options.response,
          "Answer contacts by proof, penalty or pull-back, in place of what the scene says of all bodies; of those "
          "coarser than their mesh penalty and pull-back look at the mesh, proof at the coarse surface")
      ->type_name("KIND")
      ->offers(response_names());
  add_method_settings(command, options.settings);
  command.add_option("--budget", options.budget,
                     "Time for one call of the step loop (2ms, 1.5s), which may end within a frame");
  command.add_option(
      "--search-budget", options.search_budget,
      "Time for each search alone (200us): proves nothing if cut short; --response penalty answers what is left");
  command
      .add_option("--triangles", options.triangles,
                  "About how many triangles all bodies have together, in scenes that let one choose (--list)")
      ->check(above_zero());
  add_threads(command, options.threads);
  command.add_option("--mesh", options.meshes, "The file of a mesh that the scene knows by name: bunny=scan.obj")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  command.add_flag("--no-contacts", options.no_contacts, "Do not write contacts.csv");
  command.add_flag("--pc2", options.pc2, "Also write the frames of every body as NAME.pc2");
  command.add_flag("--gltf", options.gltf, "Also write the frames of all bodies as run.glb, and of each as NAME.glb");
  command.add_option("--json", options.json, "Write the summary (run.json) to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command
      .add_option("--html", options.html,
                  "Also write a page of the recording, to be watched in a browser (`pliant view`)")
      ->type_name("FILE");
  command.add_flag("--quiet,-q", options.quiet, "Print no table, progress or notes");
}

}  // namespace

void add_run(Command& app, Status& status) {
  Command* command = app.add_subcommand("run", "Simulate a scene, free of collisions, and record its motion");
  const auto options = std::make_shared<RunOptions>();
  add_options(*command, *options);
  command->footer(
      "The folder holds NAME.ply and NAME.npy of every body (all linear pieces of its motion, at times.npy), "
      "contacts.csv,\n"
      "statistics.csv and run.json; and, for bodies made coarser than their mesh, NAME.dense.ply and NAME.dense.npy: "
      "the "
      "fine\n"
      "surface at every frame. Ctrl-C ends a run such that --resume goes on with it, bit for bit.\n\n"
      "Examples:\n"
      "  pliant run --list                                the built-in scenes\n"
      "  pliant run cloth_on_ball --out out/cloth         simulate one of them\n"
      "  pliant check out/cloth                           is the recording free of collisions?\n"
      "  pliant run my.toml --frames 60 --gltf            a scene of your own, and run.glb for a viewer\n"
      "  pliant run soft_on_sphere --response proof       no particle behind a surface, ever\n"
      "  pliant run bunnies --mesh bunny=scan.obj         with a mesh of your own\n"
      "  pliant run tablecloth --triangles 50000          a motion that is made, not simulated, to be checked\n"
      "  pliant run --resume out/cloth --frames 600       longer\n\n"
      "Exit status: 0 done, 2 bad usage or input, 3 could not finish (the recording up to there is valid).");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace pliant::app
