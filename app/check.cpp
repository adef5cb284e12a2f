// `pliant check`: do these meshes intersect, themselves or each other, where exactly, and when?
#include <algorithm>
#include <filesystem>

#include "app/arguments.h"
#include "app/check_motion.h"
#include "app/check_report.h"
#include "app/check_run.h"
#include "app/commands.h"
#include "app/motion_options.h"
#include "app/outputs.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/sequence.h"
#include "pliant/mesh/split.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {
namespace {

struct CheckOptions {
  std::vector<std::string> meshes;
  std::vector<std::string> motions;    // files
  std::vector<std::size_t> motion_of;  // which mesh each belongs to
  MotionOptions frames;
  std::string times;
  bool at_frames = false;
  bool earliest = false;
  bool allow_initial = false;
  double min_separation = 0;
  bool no_self = false;
  bool no_weld = false;
  bool split = false;
  std::string method;  // empty: the best for what there is
  std::string mode = "safe";
  std::string budget;
  std::string pairs;
  std::optional<std::uint64_t> limit;
  std::string json;
  int threads = 0;
  bool quiet = false;
};

DetectorSettings detector_settings(const CheckOptions& options) {
  DetectorSettings settings;
  settings.mode = options.mode == "paper" ? Mode::paper : Mode::safe;
  settings.self = !options.no_self;
  settings.weld = !options.no_weld;
  settings.threads = {options.threads};
  settings.earliest = options.earliest;
  settings.min_separation = options.min_separation;
  return settings;
}

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

const std::string* motion_file_of(const CheckOptions& options, std::size_t mesh) {
  for (std::size_t i = 0; i < options.motion_of.size(); ++i)
    if (options.motion_of[i] == mesh) return &options.motions[i];
  return nullptr;
}

// The mesh at `path` with its motion, or its parts.
void read_body(const CheckOptions& options, std::size_t index, std::vector<CheckBody>& bodies) {
  const std::string& path = options.meshes[index];
  const MeshFile file = read_mesh_file(path);
  if (!options.quiet)
    for (const std::string& warning : file.warnings) fmt::print(stderr, "pliant: {}: {}\n", path, warning);
  const std::string* motion = motion_file_of(options, index);
  if (options.split && !file.mesh->origin().parts.empty()) {
    if (motion)
      throw Error(ErrorPlace{.file = path}, "its parts can not be split: --motion " + *motion + " moves the whole mesh",
                  "leave out --split");
    for (const NamedMesh& part : split_parts(*file.mesh))
      bodies.push_back(make_check_body(name_of(path) + "/" + part.name, part.mesh));
    return;
  }
  bodies.push_back(make_check_body(name_of(path), file.mesh));
  if (!motion) return;
  bodies.back().motion = Motion::from_source(open_motion(*motion, read_options(options.frames, file.mesh)));
  const std::string numbering = frame_numbering(*motion);
  if (!options.quiet && !numbering.empty()) fmt::print(stderr, "pliant: {}: {}\n", *motion, numbering);
}

std::vector<CheckBody> read_bodies(const CheckOptions& options) {
  std::vector<CheckBody> bodies;
  ProgressBar bar("reading", options.quiet);
  for (std::size_t i = 0; i < options.meshes.size(); ++i) {
    bar.show(static_cast<double>(i) / static_cast<double>(options.meshes.size()));
    read_body(options, i, bodies);
  }
  return bodies;
}

// The number of frames that all motions have. Throws Error if they differ.
std::size_t common_frame_count(const CheckOptions& options) {
  std::size_t frames = 1;
  std::string first;
  for (const std::string& path : options.motions) {
    const std::size_t count = open_motion(path, read_options(options.frames, nullptr))->frame_count();
    if (!first.empty() && count != frames) {
      const std::string& shorter = count < frames ? path : first;
      const std::size_t missing = std::min(count, frames);
      throw Error(ErrorPlace{.file = shorter, .element = "frame " + std::to_string(missing)},
                  "is missing: this motion has " + std::to_string(missing) + " frames, " +
                      (count < frames ? first : path) + " has " + std::to_string(std::max(count, frames)),
                  "choose frames that all have, with --end " +
                      std::to_string(options.frames.start + options.frames.step * (missing - 1)));
    }
    frames = count;
    first = path;
  }
  return frames;
}

FrameClock frame_clock(const CheckOptions& options, std::size_t frames) {
  if (options.times.empty()) return {options.frames.start, options.frames.step};
  const std::vector<double> all = read_times(options.times);
  std::vector<double> chosen;
  for (std::size_t k = options.frames.start; k < all.size() && chosen.size() < frames; k += options.frames.step)
    chosen.push_back(all[k]);
  if (chosen.size() < frames)
    throw Error(
        ErrorPlace{.file = options.times, .element = "frame " + std::to_string(chosen.size())},
        "has no time: there are " + std::to_string(frames) + " frames and " + std::to_string(chosen.size()) + " times");
  return FrameClock(std::move(chosen));
}

// `make_detector` names the method; this adds what only the command line knows.
std::unique_ptr<Detector> make_checked_detector(const CheckOptions& options, const CheckRun& run) {
  auto detector = make_detector(run.method, detector_settings(options));
  if (options.mode == "paper" && !detector->info().has_paper_mode)
    throw Error("method '" + run.method + "' has no paper mode: it is what it was published as", "leave out --mode");
  if (!run.moves && !detector->info().still)
    throw Error("method '" + run.method + "' answers about moving meshes only",
                "give a mesh its --motion, or choose --method bvh");
  for (const CheckBody& body : run.bodies) detector->add_body(body.mesh, body.motion);
  return detector;
}

void require_motion_for_its_options(const CheckOptions& options) {
  if (!options.motions.empty()) return;
  for (const auto& [given, name] :
       {std::pair(options.allow_initial, "--allow-initial"), std::pair(options.earliest, "--earliest"),
        std::pair(options.at_frames, "--at-frames"), std::pair(options.min_separation != 0, "--min-separation"),
        std::pair(!options.times.empty(), "--times")})
    if (given) throw Error(std::string(name) + " is about moving meshes", "give a mesh its --motion");
}

void require_separation_for_moving(const CheckOptions& options, const CheckRun& run) {
  if (!(options.min_separation >= 0) || std::isinf(options.min_separation))
    throw Error("--min-separation is not a length", "give a number of 0 or more");
  if (options.min_separation > 0 && (options.at_frames || !make_detector(run.method)->info().moving))
    throw Error("--min-separation needs a method for moving meshes, and all the time between frames",
                "leave out --at-frames, and choose another --method (see `pliant methods`)");
}

bool is_recording(const CheckOptions& options) {
  const bool any = std::any_of(options.meshes.begin(), options.meshes.end(), is_run_folder);
  if (any && (options.meshes.size() > 1 || !options.motions.empty()))
    throw Error("a recording is checked by itself",
                "give its folder alone, or meshes and motions: NAME.ply --motion NAME.npy");
  return any;
}

// The bodies of a recording, with their motions and times, and what its scene leaves out.
void read_recording(const CheckOptions& options, CheckRun& run) {
  if (options.split || options.frames.start != 0 || options.frames.end || options.frames.step != 1 ||
      options.frames.scale != 1 || !options.times.empty())
    throw Error("a recording is checked as a whole", "leave out --split, --start, --end, --step, --scale and --times");
  RecordedRun recorded = read_recorded_run(options.meshes.front());
  run.bodies = std::move(recorded.bodies);
  run.frames = recorded.times.size();
  run.clock = FrameClock(std::move(recorded.times));
  run.filter = recorded.filter;
  if (!options.quiet && !recorded.left_out.empty())
    fmt::print(stderr, "pliant: left out, as in the scene: {}\n", recorded.left_out);
}

CheckRun read_run(const CheckOptions& options) {
  CheckRun run;
  const bool recording = is_recording(options);
  if (!recording) require_motion_for_its_options(options);
  run.moves = recording || !options.motions.empty();
  run.method = !options.method.empty() ? options.method : run.moves && !options.at_frames ? "kinetic" : "bvh";
  run.mode = options.mode;
  run.allow_initial = options.allow_initial;
  require_separation_for_moving(options, run);
  if (recording) {
    read_recording(options, run);
    return run;
  }
  run.bodies = read_bodies(options);
  run.frames = common_frame_count(options);
  run.clock = frame_clock(options, run.frames);
  return run;
}

Report check_still(Detector& detector, const Budget& budget, CheckTally& tally, const CheckOptions& options) {
  ProgressBar bar("checking", options.quiet);
  const Budget shown = budget.with_progress([&](double share) { bar.show(share); });
  Report report = detector.detect(Interval::instant(0), shown, &tally);
  for (const auto& [key, pair] : tally.pairs())
    if (pair.contacts > 0) tally.affects(key, 0);
  return report;
}

Report check_moving(const CheckRun& run, const MotionCheckSettings& settings, CheckTally& tally,
                    const CheckOptions& options) {
  ProgressBar bar("checking", options.quiet);
  return MotionCheck(run, settings, tally, bar).run();
}

std::vector<std::string> files_read(const CheckOptions& options) {
  std::vector<std::string> files = options.meshes;
  files.insert(files.end(), options.motions.begin(), options.motions.end());
  files.push_back(options.times);
  return files;
}

int run_check(const CheckOptions& options) {
  Stopwatch watch;
  require_outputs_apart({options.json}, files_read(options));
  CheckRun run = read_run(options);
  const auto detector = make_checked_detector(options, run);
  MotionCheckSettings settings{.detector = detector_settings(options), .at_frames = options.at_frames};
  if (!options.pairs.empty()) {
    std::vector<std::string> names;
    for (const CheckBody& body : run.bodies) names.push_back(body.name);
    run.filter = both_filters(parse_pairs(options.pairs, names), run.filter);
  }
  settings.filter = run.filter;
  if (run.filter) detector->set_filter(run.filter);
  if (!options.budget.empty()) settings.budget = Budget::within(parse_duration(options.budget));
  run.seconds.emplace_back("read", watch.lap());

  // Results go to the table and, as they come, to the JSON file: it appears when it is complete, or not at all.
  std::unique_ptr<OutputFile> file;
  if (!options.json.empty() && options.json != "-") file = std::make_unique<OutputFile>(options.json);
  const bool json_to_stdout = options.json == "-";
  CheckJson json(options.json.empty() ? JsonWriter::Output{} : [&](std::string_view text) {
    if (file) file->write(text);
    else std::fwrite(text.data(), 1, text.size(), stdout);
  }, run, *detector, options.limit);

  CheckTally tally(json, run.clock, options.limit);
  run.report =
      run.moves ? check_moving(run, settings, tally, options) : check_still(*detector, settings.budget, tally, options);
  run.seconds.emplace_back("detect", watch.lap());
  json.finish(tally);
  if (file) file->commit();
  if (!json_to_stdout && !options.quiet) print_check(run, tally, *detector);
  return exit_code(run, tally);
}

// Which mesh a --motion belongs to: the one before it.
void assign_motions(const CLI::App& command, CheckOptions& options) {
  std::size_t meshes = 0;
  for (const CLI::Option* option : command.parse_order()) {
    if (option->get_name() == "mesh") ++meshes;
    if (option->get_name() != "--motion") continue;
    const std::string& path = options.motions[options.motion_of.size()];
    if (meshes == 0)
      throw Error("--motion " + path + " stands before the first mesh", "it belongs to the mesh before it");
    if (const std::string* other = motion_file_of(options, meshes - 1))
      throw Error(options.meshes[meshes - 1] + " has two motions: " + *other + " and " + path, "give one");
    options.motion_of.push_back(meshes - 1);
  }
}

void add_options(CLI::App& command, CheckOptions& options) {
  command
      .add_option(
          "mesh", options.meshes,
          "Mesh files: OBJ, PLY, STL, OFF, glTF; of tetrahedral files (Gmsh, Medit, TetGen, VTK) the surface; or "
          "the folder of a recording (`pliant run`)")
      ->required()
      ->type_name("MESH");
  command
      .add_option(
          "--motion", options.motions,
          "How the mesh before it moves: PC2, MDD, .npy, glTF, a sequence (walk.%04d.obj, walk.####.obj, a folder)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command.add_flag("--no-self", options.no_self, "Only collisions between bodies, none within one");
  command.add_flag("--split", options.split, "Every group or object of a file is a body of its own");
  command.add_flag("--no-weld", options.no_weld,
                   "Vertices at bit-equal positions stay separate: triangles that meet there touch");
  command.add_option("--method", options.method,
                     "Which method (see `pliant methods`); by default bvh for still meshes, kinetic for moving ones");
  command.add_option("--mode", options.mode, "safe: nothing missed; paper: as the method was published")
      ->check(CLI::IsMember({"safe", "paper"}))
      ->capture_default_str();
  command.add_option("--budget", options.budget, "Stop after this time, with what is known then (2ms, 1.5s)");
  command.add_option("--pairs", options.pairs,
                     "Only these pairs of bodies, by number or name: 0:1,shirt.obj:shirt.obj");
  command.add_option("--limit", options.limit, "List at most this many contacts (all are counted)");
  command.add_option("--json", options.json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command.add_option("--threads", options.threads, "Threads to use; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  const std::string moving = "Moving meshes";
  command
      .add_flag("--at-frames", options.at_frames, "Only at the frames, not between them (still methods always do so)")
      ->group(moving);
  command.add_flag("--earliest", options.earliest, "Stop at the first contact")->group(moving);
  command
      .add_flag("--allow-initial", options.allow_initial,
                "Pairs of bodies that intersect at the start do not count as collisions until they have come apart")
      ->group(moving);
  command.add_option("--min-separation", options.min_separation, "Coming nearer than this length counts as contact")
      ->group(moving);
  command
      .add_option("--times", options.times,
                  "The frames' times, as a .npy array; without it time is the frame number, counted from 0 (of "
                  "numbered files too)")
      ->group(moving);
  add_motion_options(command, options.frames);
  command.add_flag("--quiet,-q", options.quiet, "No table, no progress, no warnings: the exit status says it all");
}

}  // namespace

void add_check(CLI::App& app, Status& status) {
  CLI::App* command = app.add_subcommand("check", "Find where and when meshes intersect themselves and each other");
  const auto options = std::make_shared<CheckOptions>();
  add_options(*command, *options);
  command->footer(
      "Indices in reports are those of the file, counted from 0.\n\n"
      "Examples:\n"
      "  pliant check shirt.obj                      does it intersect itself?\n"
      "  pliant check shirt.obj body.ply --no-self   does the shirt intersect the body?\n"
      "  pliant check scene.obj --split --pairs 0:1  two groups of one file\n"
      "  pliant check scan.stl --json contacts.json  every contact, for a program\n"
      "  pliant check shirt.obj --motion walk.pc2    does it ever run into itself, and when first?\n"
      "  pliant check shirt.obj --motion shirt.pc2 body.obj --motion body.pc2 --allow-initial --earliest\n"
      "  pliant check out/cloth_on_ball              a recording of `pliant run`: every piece of all motions\n\n"
      "With a motion, every impact over the whole animation is found, between frames too; times are frame numbers.\n"
      "Exit status: 0 nothing collides, 1 collisions found, 2 bad usage or input, 3 could not finish.");
  command->callback([command, options, &status] {
    assign_motions(*command, *options);
    status = run_check(*options);
  });
}

}  // namespace pliant::app
