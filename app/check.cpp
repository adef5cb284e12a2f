// `pliant check`: do these meshes intersect, themselves or each other, where exactly, and when?
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "app/arguments.h"
#include "app/check_contacts.h"
#include "app/check_motion.h"
#include "app/check_options.h"
#include "app/check_report.h"
#include "app/check_run.h"
#include "app/commands.h"
#include "app/notes.h"
#include "app/outputs.h"
#include "app/report_file.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/sequence.h"
#include "pliant/mesh/split.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {
namespace {

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

// The mesh at `path` with its motion, or its parts.
void read_body(const CheckOptions& options, std::size_t index, std::vector<CheckBody>& bodies) {
  const std::string& path = options.meshes[index];
  const MeshFile file = read_mesh_file(path, {.weld_tolerance = options.weld_tolerance});
  const std::string* motion = motion_file_of(options, index);
  const Notes notes(options.quiet);
  notes.warnings(path, file.warnings);
  if (file.animated && !motion) notes.unused_animation(path);
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
    throw Error("method '" + run.method + "' has no paper mode",
                run.method == "kinetic" ? "kinetic-events is the method as published" : "leave out --mode");
  if (!run.moves && !detector->info().still)
    throw Error("method '" + run.method + "' answers about moving meshes only",
                "give a mesh its --motion, or choose --method bvh");
  for (const CheckBody& body : run.bodies) detector->add_body(body.mesh, body.motion);
  return detector;
}

void require_separation_for_moving(const CheckOptions& options, const CheckRun& run) {
  if (!(options.min_separation >= 0) || std::isinf(options.min_separation))
    throw Error("--min-separation is not a length", "give a number of 0 or more");
  if (options.min_separation > 0 && (options.at_frames || !make_detector(run.method)->info().moving))
    throw Error("--min-separation needs a method for moving meshes, and all the time between frames",
                "leave out --at-frames, and choose another --method (see `pliant methods`)");
  if (options.min_separation > 0 && run.frames < 2)
    throw Error("--min-separation is looked for between frames, and there is one frame", "give more of them");
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
  if (options.split || first_changed(options.frames) || !options.times.empty())
    throw Error("a recording is checked as a whole",
                "leave out --split, --start, --end, --step, --scale, --fps and --times");
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
  if (!options.contacts.empty()) require_contacts_format(options.contacts);
  require_stl_to_weld(options.weld_tolerance, options.meshes);
  const bool recording = is_recording(options);
  if (!recording) require_motion_for_its_options(options);
  run.moves = recording || !options.motions.empty();
  run.method = !options.method.empty() ? options.method : run.moves && !options.at_frames ? "kinetic" : "bvh";
  run.mode = options.mode;
  run.allow_initial = options.allow_initial;
  if (recording) {
    read_recording(options, run);
    require_separation_for_moving(options, run);
    return run;
  }
  run.bodies = read_bodies(options);
  run.frames = common_frame_count(options);
  run.clock = frame_clock(options, run.frames);
  require_separation_for_moving(options, run);
  return run;
}

bool is_any_pair_left(const CheckOptions& options, const CheckRun& run) {
  for (std::size_t i = 0; i < run.bodies.size(); ++i)
    for (std::size_t j = options.no_self ? i + 1 : i; j < run.bodies.size(); ++j)
      if (!run.filter || run.filter->bodies(BodyId(i), BodyId(j))) return true;
  return false;
}

// What was not tested must not look like what was tested and found free: options that leave nothing are refused. (A
// recording whose scene leaves everything out is not: that was said when it was recorded, and is said again.)
void choose_pairs(const CheckOptions& options, CheckRun& run) {
  if (!options.pairs.empty()) {
    std::vector<std::string> names;
    for (const CheckBody& body : run.bodies) names.push_back(body.name);
    BodyPairs pairs = parse_pairs(options.pairs, names);
    for (const auto& [a, b] : pairs)
      if (a == b && options.no_self)
        throw Error("--pairs asks for " + names[a.index()] + " with itself, --no-self leaves that out",
                    "leave out one of them");
    run.filter = both_filters(std::make_shared<const PairFilter>(std::move(pairs)), run.filter);
  }
  if ((options.no_self || !options.pairs.empty()) && !is_any_pair_left(options, run))
    throw Error("nothing is left to test", options.no_self && run.bodies.size() == 1
                                               ? "there is one body: leave out --no-self, or give a second mesh"
                                               : "the scene leaves out what is asked for");
}

Report check_still(Detector& detector, const Budget& budget, CheckTally& tally, const CheckOptions& options) {
  ProgressBar bar("checking", options.quiet);
  const Budget shown = budget.with_progress([&](double share) { bar.show(share); });
  Report report = detector.detect(Interval::instant(0), shown, &tally);
  for (const auto& [key, pair] : tally.pairs()) {
    if (pair.contacts == 0) continue;
    tally.met_at_start(key);  // there is nothing but the start
    tally.affects(key, 0);
  }
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

std::unique_ptr<ContactsFile> open_contacts(const CheckOptions& options, const CheckRun& run,
                                            const Detector& detector) {
  if (options.contacts.empty()) return nullptr;
  const auto all = std::numeric_limits<std::uint64_t>::max();
  return open_contacts_file(options.contacts, {.run = run, .detector = detector, .limit = options.limit.value_or(all)});
}

int run_check(const CheckOptions& options) {
  Stopwatch watch;
  require_outputs_apart({options.json, options.contacts}, files_read(options));
  CheckRun run = read_run(options);
  const auto detector = make_checked_detector(options, run);
  MotionCheckSettings settings{.detector = detector_settings(options), .at_frames = options.at_frames};
  choose_pairs(options, run);
  settings.filter = run.filter;
  if (run.filter) detector->set_filter(run.filter);
  if (!options.budget.empty()) settings.budget = Budget::within(parse_duration(options.budget));
  run.seconds.emplace_back("read", watch.lap());

  // From here on Ctrl-C ends the search, not the program: what is known by then is written.
  const StopSignals signals;
  settings.budget = settings.budget & Budget::cancelled_by(signals.stop());
  // Results go to the table and, as they come, to files: these appear when they are complete, or not at all.
  ReportFile file(options.json);
  CheckJson json(options.json.empty() ? JsonWriter::Output{} : file.output(), run, *detector, options.limit);

  const std::unique_ptr<ContactsFile> contacts = open_contacts(options, run, *detector);
  CheckTally tally(json, contacts.get(), run, options.limit);
  run.report =
      run.moves ? check_moving(run, settings, tally, options) : check_still(*detector, settings.budget, tally, options);
  run.seconds.emplace_back("detect", watch.lap());
  json.finish(tally);
  file.commit();
  if (contacts) contacts->finish(run.report.complete && !(options.earliest && tally.contacts() > 0));
  if (!file.is_standard_output() && !options.quiet) print_check(run, tally, *detector);
  return exit_code(run, tally);
}

}  // namespace

void add_check(Command& app, Status& status) {
  Command* command = app.add_subcommand("check", "Find where and when meshes intersect themselves and each other");
  const auto options = std::make_shared<CheckOptions>();
  add_check_options(*command, *options);
  command->footer(
      "Indices in reports are those of the file, counted from 0. Polygons are cut into triangles: the triangle is\n"
      "counted over the whole file, the face is the polygon's own number.\n\n"
      "Examples:\n"
      "  pliant check shirt.obj                      does it intersect itself?\n"
      "  pliant check shirt.obj body.ply --no-self   does the shirt intersect the body?\n"
      "  pliant check scene.obj --split --pairs 0:1  two groups of one file\n"
      "  pliant check scan.stl --json contacts.json  every contact, for a program\n"
      "  pliant check scan.stl --contacts hits.ply   the faces that intersect in red, for any viewer\n"
      "  pliant check shirt.obj --motion walk.pc2    does it ever run into itself, and when first?\n"
      "  pliant check shirt.obj --motion shirt.pc2 body.obj --motion body.pc2 --allow-initial --earliest\n"
      "  pliant check out/cloth_on_ball              a recording of `pliant run`: every piece of all motions\n\n"
      "With a motion, every impact over the whole animation is found, between frames too; times are frame numbers.\n"
      "Ctrl-C ends a check like a --budget that is spent: with what is known by then.\n"
      "Exit status: 0 nothing collides, 1 collisions found, 2 bad usage or input, 3 could not finish.");
  command->callback([command, options, &status] {
    assign_motions(*command, *options);
    status = run_check(*options);
  });
}

}  // namespace pliant::app
