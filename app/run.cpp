// `pliant run`: simulates a scene and records every piece of its motion.
#include <cmath>
#include <filesystem>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/report_file.h"
#include "app/run.h"
#include "app/run_report.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"
#include "pliant/world/recording.h"
#include "pliant/world/step_search.h"

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

void print_list() {
  Table table({"scene", "bodies", "frames", "what happens"});
  for (const LibraryScene& entry : library_scenes()) {
    const SceneDescription scene = library_scene(entry.name);
    table.add_row({scene.name, std::to_string(scene.bodies.size()), std::to_string(scene.frames), scene.title});
  }
  table.print(stdout);
}

std::map<std::string, std::string> parse_meshes(const std::vector<std::string>& words) {
  std::map<std::string, std::string> meshes;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      throw Error("--mesh: '" + word + "' names no file", "write bunny=path/to/bunny.obj");
    meshes[word.substr(0, equals)] = fs::absolute(word.substr(equals + 1)).string();
  }
  return meshes;
}

// Where `make assets` and installations put meshes.
std::vector<std::string> asset_folders() {
  std::vector<std::string> folders;
  if (const char* given = std::getenv("PLIANT_ASSETS")) folders.emplace_back(given);
  folders.emplace_back("assets");
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  if (!none)
    for (const char* beside : {"../assets", "../share/pliant/assets"})
      folders.push_back((program.parent_path() / beside).lexically_normal().string());
  return folders;
}

const char* kind_of(const ModelDescription& model) {
  constexpr const char* kKinds[] = {"fem", "pressure", "cloth", "keyframed", "fixed"};
  return kKinds[model.index()];
}

RunInfo describe_run(const SceneDescription& scene, const std::map<std::string, std::string>& meshes) {
  RunInfo info;
  info.scene = scene.name;
  info.scene_file = scene.file;
  info.scene_folder = scene.folder.empty() ? "" : fs::absolute(scene.folder).string();
  info.scene_text = scene.text;
  info.meshes = meshes;
  info.frames = scene.frames;
  info.method = scene.world.method;
  info.budget_seconds = scene.budget_seconds;
  for (const BodyDescription& body : scene.bodies)
    info.bodies.push_back({.name = body.name, .kind = kind_of(body.model), .self_collision = body.self_collision});
  for (const PairDescription& pair : scene.pairs)
    if (pair.ignore) info.ignored.emplace_back(pair.a, pair.b);
  return info;
}

void apply_options(const RunOptions& options, SceneDescription& scene) {
  if (options.frames) scene.frames = *options.frames;
  if (!options.method.empty()) {
    require_continuous_method(options.method);  // here, lest the scene is blamed
    scene.world.method = options.method;
  }
  if (options.budget) scene.budget_seconds = std::chrono::duration<double>(parse_duration(*options.budget)).count();
}

BuiltScene build(const SceneDescription& scene, const std::map<std::string, std::string>& meshes,
                 const RunOptions& options) {
  BuiltScene built =
      build_world(scene, {.threads = {options.threads}, .meshes = meshes, .mesh_folders = asset_folders()});
  if (!options.quiet)
    for (const std::string& note : built.notes) fmt::print(stderr, "pliant: {}\n", note);
  return built;
}

// A recording in the way is removed if that was asked for; anything else in the way never.
void make_room(const std::string& folder, bool force) {
  const ErrorPlace place{.file = folder};
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) throw Error(place, "is a file, not a folder", "choose another --out");
  if (!is_run_folder(folder)) {
    if (!fs::is_empty(folder)) throw Error(place, "holds other files", "choose another --out");
    return;
  }
  if (!force) throw Error(place, "holds a recording", "--resume " + folder + " goes on with it, --force replaces it");
  for (const std::string& file : files_of(read_run(folder))) fs::remove(fs::path(folder) / file);
}

// A world and where it is recorded.
struct Session {
  BuiltScene scene;
  std::unique_ptr<Recording> recording;
  World& world() { return scene.world; }
};

Session start(const RunOptions& options) {
  SceneDescription scene = find_scene(options.scene);
  apply_options(options, scene);
  const auto meshes = parse_meshes(options.meshes);
  const std::string folder = options.out.empty() ? "out/" + scene.name : options.out;
  if (fs::exists(folder) && is_run_folder(folder) && !options.force) make_room(folder, false);  // before long work
  BuiltScene built = build(scene, meshes, options);
  make_room(folder, options.force);
  RunInfo info = describe_run(scene, meshes);
  for (std::size_t b = 0; b < info.bodies.size(); ++b)
    if (const MeshPtr& dense = built.dense[b])
      info.bodies[b].dense = RunDense{dense->vertex_count(), dense->face_count()};
  info.records_contacts = !options.no_contacts;
  auto recording = Recording::begin(folder, std::move(info), built.world);
  return {std::move(built), std::move(recording)};
}

Session reopen(const RunOptions& options) {
  if (!options.scene.empty() || !options.out.empty() || !options.meshes.empty() || options.force || options.no_contacts)
    throw Error("--resume goes on with what was recorded", "leave out SCENE, --out, --mesh, --force and --no-contacts");
  RunInfo info = read_run(options.resume);
  SceneDescription scene = parse_scene(info.scene_text, info.scene_file);
  scene.folder = info.scene_folder;
  scene.frames = info.frames;
  scene.world.method = info.method;
  scene.budget_seconds = info.budget_seconds;
  apply_options(options, scene);
  if (scene.frames < info.checkpoint.frame)
    throw Error(ErrorPlace{.file = options.resume},
                fmt::format("{:.6g} frames are recorded already, more than the {} asked for", info.checkpoint.frame,
                            scene.frames),
                "give --frames a larger number, or record anew: --out");
  info.frames = scene.frames;
  info.method = scene.world.method;
  info.budget_seconds = scene.budget_seconds;
  BuiltScene built = build(scene, info.meshes, options);
  auto recording = Recording::go_on(options.resume, std::move(info), built.world);
  return {std::move(built), std::move(recording)};
}

struct Ending {
  RunOutcome outcome = RunOutcome::done;
  std::string message;
};

// Steps until the last frame, or what ends a run before it.
class Simulation {
 public:
  Simulation(Session& session, const std::atomic<bool>& stop, bool quiet)
      : world_(session.world()), recording_(*session.recording), stop_(stop), bar_("simulating", quiet) {}

  Ending run() {
    while (world_.frame() < recording_.info().frames) {
      const double before = world_.frame();
      const FrameReport report = step();
      if (stop_ && report.outcome == StepOutcome::out_of_budget) {
        recording_.back_to_last_step(world_);  // so that the frame is done anew, and in one go, when the run is resumed
        return interrupted();
      }
      recording_.after(world_, report);
      if (const auto ending = look_at(report, world_.frame() > before)) return *ending;
      if (stop_ && world_.frame() < recording_.info().frames) return interrupted();
      show();
      save_now_and_then();
    }
    return {};
  }

 private:
  using Clock = std::chrono::steady_clock;

  // What goes wrong within a step is no failure to record: all up to the last step is good, and is kept.
  FrameReport step() {
    try {
      return world_.step(step_budget(), &recording_);
    } catch (const Error& error) {
      recording_.back_to_last_step(world_);
      FrameReport failed;
      failed.outcome = StepOutcome::diverged;
      failed.message = fmt::format("frame {}: {}", std::floor(world_.frame()) + 1, error.what());
      return failed;
    }
  }

  Budget step_budget() const {
    Budget budget = Budget::cancelled_by(stop_);
    const auto& seconds = recording_.info().budget_seconds;
    if (!seconds) return budget;
    return budget & Budget::within(std::chrono::nanoseconds(static_cast<std::int64_t>(*seconds * 1e9)));
  }

  static Ending interrupted() { return {RunOutcome::interrupted, "interrupted"}; }

  std::optional<Ending> look_at(const FrameReport& report, bool moved_on) {
    if (report.outcome == StepOutcome::diverged) return Ending{RunOutcome::diverged, report.message};
    if (report.outcome == StepOutcome::pinched) return Ending{RunOutcome::pinched, report.message};
    if (report.outcome == StepOutcome::done || moved_on) {
      without_progress_ = 0;
      return std::nullopt;
    }
    constexpr int kPatience = 9;  // the world tries shorter and shorter parts of the step, down to a 64th
    if (++without_progress_ < kPatience) return std::nullopt;
    return Ending{RunOutcome::out_of_budget, report.message + ", again and again without any progress; raise --budget"};
  }

  void show() {
    const double frames = recording_.info().frames;
    bar_.show(world_.frame() / frames, static_cast<std::size_t>(world_.frame() - first_frame_));
  }

  void save_now_and_then() {
    constexpr auto kBetween = std::chrono::seconds(5);
    if (Clock::now() - saved_ < kBetween) return;
    recording_.checkpoint(world_, RunOutcome::running);
    saved_ = Clock::now();
  }

  World& world_;
  Recording& recording_;
  const std::atomic<bool>& stop_;
  ProgressBar bar_;
  double first_frame_ = world_.frame();
  Clock::time_point saved_ = Clock::now();
  int without_progress_ = 0;
};

// A recording that was resumed although all of it is there: nothing of it is written again.
bool has_nothing_to_do(const Session& session) {
  const RunInfo& info = session.recording->info();
  return info.outcome == RunOutcome::done && info.checkpoint.frame >= info.frames;
}

// Until the end or a failure; either way the folder then holds a recording that can be checked and resumed.
Ending simulate(Session& session, bool quiet) {
  if (has_nothing_to_do(session)) {
    if (!quiet)
      fmt::print(stderr, "pliant: all {} frames are there; more: --frames N\n", session.recording->info().frames);
    return {};
  }
  const StopSignals signals;
  try {
    Ending ending = Simulation(session, signals.stop(), quiet).run();
    session.recording->checkpoint(session.world(), ending.outcome, ending.message);
    return ending;
  } catch (const Error& error) {
    session.recording->back_to_checkpoint(error.what());
    return {RunOutcome::write_failed, error.what()};
  }
}

void write_json(const RunInfo& info, const std::string& to) {
  if (to.empty()) return;
  const std::string text = format_run(info);
  if (to == "-") write_standard_output(text);
  else write_file(to, text);
}

int finish(const RunOptions& options, const Session& session, const Ending& ending, const RunTiming& timing) {
  const RunInfo& info = session.recording->info();
  const std::string& folder = session.recording->folder();
  export_frames(info, folder, session.scene.dense, {.pc2 = options.pc2, .gltf = options.gltf});
  write_json(info, options.json);
  if (!options.quiet && options.json != "-") print_run(info, folder, timing);
  if (ending.outcome == RunOutcome::done) return kDone;
  fmt::print(stderr, "pliant: {}: {}\n", info.scene, ending.message);
  const bool can_go_on = ending.outcome != RunOutcome::diverged && ending.outcome != RunOutcome::pinched;
  fmt::print(stderr, "pliant: {} holds what was recorded, up to frame {:.6g}{}\n", folder, info.checkpoint.frame,
             can_go_on ? "; go on with: pliant run --resume " + folder : "");
  return kNotFinished;
}

}  // namespace

int run_scene(const RunOptions& options) {
  if (options.list) {
    print_list();
    return kDone;
  }
  if (options.scene.empty() && options.resume.empty())
    throw Error("there is no scene to run", "name one (see --list), or a file: my.toml");
  Session session = options.resume.empty() ? start(options) : reopen(options);
  const double first_frame = session.world().frame();
  Stopwatch watch;
  const Ending ending = simulate(session, options.quiet);
  return finish(options, session, ending, {session.recording->info().checkpoint.frame - first_frame, watch.lap()});
}

namespace {

void add_options(Command& command, RunOptions& options) {
  command.add_option("scene", options.scene, "A scene file (.toml), or the name of a built-in scene")
      ->type_name("SCENE");
  command.add_flag("--list", options.list, "List the built-in scenes");
  command.add_option("--out", options.out, "The folder to record into (default: out/SCENE)")->type_name("DIR");
  command.add_option("--resume", options.resume, "Go on with the recording in DIR, as if it had never stopped")
      ->type_name("DIR");
  command.add_flag("--force", options.force, "Replace a recording that is in the way");
  command.add_option("--frames", options.frames, "Frames to simulate (default: what the scene says)")
      ->check(above_zero());
  command.add_option("--method", options.method,
                     "Which method finds collisions (see `pliant methods`); auto: the faster one, by measurement");
  command.add_option("--budget", options.budget,
                     "Time for one call of the step loop (2ms, 1.5s); what is left of a frame follows in the next");
  command.add_option("--threads", options.threads, "Threads to use; 0: all")
      ->check(at_least_zero())
      ->capture_default_str();
  command.add_option("--mesh", options.meshes, "The file of a mesh that the scene knows by name: bunny=scan.obj")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  command.add_flag("--no-contacts", options.no_contacts, "Do not write contacts.csv");
  command.add_flag("--pc2", options.pc2, "Write the frames of every body as NAME.pc2, too");
  command.add_flag("--gltf", options.gltf,
                   "Write the frames of all bodies as run.glb and of every one as NAME.glb, too");
  command.add_option("--json", options.json, "Write the summary (run.json) to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command.add_flag("--quiet,-q", options.quiet, "No table, no progress, no notes");
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
      "  pliant run --list                                the scenes that come along\n"
      "  pliant run cloth_on_ball --out out/cloth         simulate one of them\n"
      "  pliant check out/cloth                           is the recording free of collisions?\n"
      "  pliant run my.toml --frames 60 --gltf            a scene of your own, and run.glb for a viewer\n"
      "  pliant run bunnies --mesh bunny=scan.obj         with a mesh of your own\n"
      "  pliant run --resume out/cloth --frames 600       longer\n\n"
      "Exit status: 0 done, 2 bad usage or input, 3 could not finish (the recording up to there is valid).");
  command->callback([options, &status] { status = run_scene(*options); });
}

}  // namespace pliant::app
