// `pliant check`: do these meshes intersect, themselves or each other, where exactly, and when?
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "app/arguments.h"
#include "app/check_contacts.h"
#include "app/check_html.h"
#include "app/check_options.h"
#include "app/check_report.h"
#include "app/commands.h"
#include "app/notes.h"
#include "app/outputs.h"
#include "app/report_file.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "app/view_page.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/check_json.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/sequence.h"
#include "pliant/mesh/split.h"
#include "pliant/motion/part_motion.h"
#include "pliant/world/recorded_run.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {
namespace {

// What there is to check, and how.
struct CheckTask {
  std::vector<CheckBody> bodies;
  CheckSettings settings;
  std::size_t frames = 1;
  bool moves = false;
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

// The bodies of a mesh that is to be split, at rest.
std::vector<NamedMesh> split_mesh(const CheckOptions& options, const std::string& path, const TriangleMesh& mesh) {
  const bool has_parts = !mesh.origin().parts.empty();
  if (options.split == "parts" && !has_parts)
    throw Error(ErrorPlace{.file = path}, "has no groups or objects to split it by",
                "--split=components splits it into its connected components");
  if (has_parts && options.split != "components") return split_parts(mesh);
  std::vector<NamedMesh> components = split_components(mesh);
  Notes(options.quiet)
      .warnings(path, {(has_parts ? "split into " : "no groups or objects, so split into ") +
                       counted(components.size(), "connected component", "connected components")});
  return components;
}

// The mesh at `path` with its motion, or its parts.
void read_body(const CheckOptions& options, std::size_t index, std::vector<CheckBody>& bodies) {
  const std::string& path = options.meshes[index];
  const MeshFile file = read_mesh_file(
      path, {.weld_tolerance = options.weld_tolerance, .faces = options.points ? Faces::optional : Faces::needed});
  const std::string* motion = motion_file_of(options, index);
  const Notes notes(options.quiet);
  notes.warnings(path, file.warnings);
  if (file.animated && !motion) notes.unused_animation(path);
  CheckBody whole = still_body(name_of(path), file.mesh);
  if (motion) {
    whole.motion = Motion::from_source(open_motion(*motion, read_options(options.frames, file.mesh)));
    const std::string numbering = options.frames.first_frame == 0 ? frame_numbering(*motion) : "";
    if (!numbering.empty()) notes.warnings(*motion, {numbering + " (--first-frame gives frame 0 another number)"});
  }
  if (options.split.empty()) {
    bodies.push_back(std::move(whole));
    return;
  }
  for (NamedMesh& part : split_mesh(options, path, *file.mesh))
    bodies.push_back({whole.name + "/" + part.name, part.mesh, part_of(whole.motion, std::move(part.vertices))});
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

// The number of a frame that was chosen, as the user counts.
std::size_t frame_number(const MotionOptions& frames, std::size_t chosen) {
  return frames.first_frame + skipped(frames) + frames.step * chosen;
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
      throw Error(
          ErrorPlace{.file = shorter, .element = "frame " + std::to_string(frame_number(options.frames, missing))},
          "is missing: this motion has " + std::to_string(missing) + " frames, " + (count < frames ? first : path) +
              " has " + std::to_string(std::max(count, frames)),
          "choose frames that all have, with --end " + std::to_string(frame_number(options.frames, missing - 1)));
    }
    frames = count;
    first = path;
  }
  return frames;
}

FrameClock frame_clock(const CheckOptions& options, std::size_t frames) {
  const std::size_t start = skipped(options.frames);
  if (options.times.empty())
    return {static_cast<double>(frame_number(options.frames, 0)), static_cast<double>(options.frames.step)};
  if (options.frames.first_frame != 0)
    throw Error("--first-frame and --times both say what frames are called", "leave out one of them");
  const std::vector<double> all = read_times(options.times);
  std::vector<double> chosen;
  for (std::size_t k = start; k < all.size() && chosen.size() < frames; k += options.frames.step)
    chosen.push_back(all[k]);
  if (chosen.size() < frames)
    throw Error(
        ErrorPlace{.file = options.times, .element = "frame " + std::to_string(chosen.size())},
        "has no time: there are " + std::to_string(frames) + " frames and " + std::to_string(chosen.size()) + " times");
  return FrameClock(std::move(chosen));
}

// Holds the bodies. `make_detector` names the method; this adds what only the command line knows.
std::unique_ptr<Detector> make_checked_detector(const CheckOptions& options, const CheckTask& task) {
  const std::string& method = task.settings.method;
  const MethodInfo& info = method_info(method);
  if (options.mode == "paper" && !info.has_paper_mode)
    throw Error("method '" + method + "' has no paper mode",
                method == "kinetic" ? "kinetic-events is the method as published" : "leave out --mode");
  if (!task.moves && !info.still)
    throw Error("method '" + method + "' answers about moving meshes only",
                "give a mesh its --motion, or choose --method bvh");
  auto detector = make_detector(method, task.settings.detector);
  for (const CheckBody& body : task.bodies) detector->add_body(body.mesh, body.motion);
  return detector;
}

void require_separation_for_moving(const CheckOptions& options, const CheckTask& task) {
  if (!(options.min_separation >= 0) || std::isinf(options.min_separation))
    throw Error("--min-separation is not a length", "give a number of 0 or more");
  if (options.min_separation > 0 && (options.at_frames || !method_info(task.settings.method).moving))
    throw Error("--min-separation needs a method for moving meshes, and all the time between frames",
                "leave out --at-frames, and choose another --method (see `pliant methods`)");
  if (options.min_separation > 0 && task.frames < 2)
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
void read_recording(const CheckOptions& options, CheckTask& task) {
  if (!options.split.empty() || first_changed(options.frames) || !options.times.empty() ||
      options.frames.first_frame != 0)
    throw Error("a recording is checked as a whole",
                "leave out --split, --first-frame, --start, --end, --step, --scale, --fps and --times");
  RecordedRun recorded = read_recorded_run(options.meshes.front(), options.unproved);
  task.bodies = std::move(recorded.bodies);
  task.frames = recorded.times.size();
  task.settings.clock = FrameClock(std::move(recorded.times));
  task.settings.filter = recorded.filter;
  if (!options.quiet && !recorded.left_out.empty())
    fmt::print(stderr, "pliant: left out, as in the scene: {}\n", recorded.left_out);
}

CheckTask read_task(const CheckOptions& options) {
  CheckTask task;
  if (!options.contacts.empty()) require_contacts_format(options.contacts);
  require_stl_to_weld(options.weld_tolerance, options.meshes);
  const bool recording = is_recording(options);
  if (!recording) require_motion_for_its_options(options);
  task.moves = recording || !options.motions.empty();
  if (!options.search_budget.empty())
    task.settings.search_seconds = std::chrono::duration<double>(parse_duration(options.search_budget)).count();
  task.settings.method = !options.method.empty()            ? options.method
                         : task.moves && !options.at_frames ? "kinetic"
                                                            : "bvh";
  task.settings.detector = detector_settings(options);
  task.settings.detector.method = method_settings(options.settings, {task.settings.method})[task.settings.method];
  task.settings.at_frames = options.at_frames;
  task.settings.allow_initial = options.allow_initial;
  task.settings.penetration = options.penetration;
  if (options.limit) task.settings.keep = *options.limit;
  if (recording) {
    read_recording(options, task);
  } else {
    task.bodies = read_bodies(options);
    task.frames = common_frame_count(options);
    task.settings.clock = frame_clock(options, task.frames);
  }
  require_separation_for_moving(options, task);
  return task;
}

bool is_any_pair_left(const CheckOptions& options, const CheckTask& task) {
  const ContactFilter* filter = task.settings.filter.get();
  for (std::size_t i = 0; i < task.bodies.size(); ++i)
    for (std::size_t j = options.no_self ? i + 1 : i; j < task.bodies.size(); ++j)
      if (!filter || filter->bodies(BodyId(i), BodyId(j))) return true;
  return false;
}

// What was not tested must not look like what was tested and found free: options that leave nothing are refused. (A
// recording whose scene leaves everything out is not: that was said when it was recorded, and is said again.)
void choose_pairs(const CheckOptions& options, CheckTask& task) {
  if (!options.pairs.empty()) {
    std::vector<std::string> names;
    for (const CheckBody& body : task.bodies) names.push_back(body.name);
    PairSet pairs = parse_pairs(options.pairs, names);
    for (const auto& [a, b] : pairs.pairs())
      if (a == b && options.no_self)
        throw Error("--pairs asks for " + names[a.index()] + " with itself, --no-self leaves that out",
                    "leave out one of them");
    task.settings.filter = only(std::move(pairs)) & task.settings.filter;
  }
  if ((options.no_self || !options.pairs.empty()) && !is_any_pair_left(options, task))
    throw Error("nothing is left to test", options.no_self && task.bodies.size() == 1
                                               ? "there is one body: leave out --no-self, or give a second mesh"
                                               : "the scene leaves out what is asked for");
}

// Hands everything to the files, and notes to people.
class Outputs : public CheckSink {
 public:
  Outputs(std::vector<CheckSink*> files, bool quiet) : files_(std::move(files)), quiet_(quiet) {
    std::erase(files_, nullptr);
  }

  void begin(const CheckReport& asked, std::span<const CheckBody> bodies) override {
    for (CheckSink* file : files_) file->begin(asked, bodies);
  }
  Flow contact(const CheckedContact& contact, const Detector& detector) override {
    for (CheckSink* file : files_) file->contact(contact, detector);
    return Flow::go_on;
  }
  void at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector& detector) override {
    for (CheckSink* file : files_) file->at_frame(frame, meeting, detector);
  }
  void note(const std::string& text) override {
    if (!quiet_) fmt::print(stderr, "pliant: {}\n", text);
  }

 private:
  std::vector<CheckSink*> files_;
  bool quiet_;
};

CheckReport search(const CheckTask& task, const CheckOptions& options, const Budget& budget, CheckSink& sink) {
  ProgressBar bar("checking", options.quiet);
  const auto pieces = static_cast<double>(task.moves ? task.frames : 0);
  const Budget shown =
      budget.with_progress([&](double fraction) { bar.show(fraction, static_cast<std::size_t>(fraction * pieces)); });
  return task.moves ? check_animation(task.bodies, task.settings, shown, &sink)
                    : check_meshes(task.bodies, task.settings, shown, &sink);
}

std::vector<std::string> files_read(const CheckOptions& options) {
  std::vector<std::string> files = options.meshes;
  files.insert(files.end(), options.motions.begin(), options.motions.end());
  files.push_back(options.times);
  return files;
}

// Readers count frames from 0; what they say about one is said again as the user counts.
CheckReport with_frame_numbers(std::size_t first_frame, const std::function<CheckReport()>& check) {
  try {
    return check();
  } catch (const Error& error) {
    ErrorPlace place = error.place();
    const std::string word = "frame ";
    std::size_t frame = 0;
    if (first_frame == 0 || !place.element.starts_with(word)) throw;
    const char* end = place.element.data() + place.element.size();
    const auto [rest, problem] = std::from_chars(place.element.data() + word.size(), end, frame);
    if (problem != std::errc{} || rest != end) throw;
    place.element = word + std::to_string(first_frame + frame);
    throw Error(place, error.problem(), error.remedy());
  }
}

constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();

std::unique_ptr<ContactsFile> open_contacts(const CheckOptions& options, const CheckTask& task,
                                            const Detector& bodies) {
  if (options.contacts.empty()) return nullptr;
  return open_contacts_file(
      options.contacts,
      {.detector = bodies, .clock = task.settings.clock, .frames = task.frames, .limit = options.limit.value_or(kAll)});
}

int run_check(const CheckOptions& options) {
  Stopwatch watch;
  CheckSeconds seconds;
  std::vector<std::string> written = with_points_beside(options.contacts);
  written.push_back(options.json);
  written.push_back(options.html);
  if (!options.html.empty()) require_view_page();  // before anything long
  require_outputs_apart(written, files_read(options));
  CheckTask task = read_task(options);
  const auto bodies = make_checked_detector(options, task);
  choose_pairs(options, task);
  Budget budget;
  if (!options.budget.empty()) budget = Budget::within(parse_duration(options.budget));
  seconds.emplace_back("read", watch.lap());

  // From here on Ctrl-C ends the search, not the program: what is known by then is written.
  const StopSignals signals;
  budget = budget & Budget::cancelled_by(signals.stop());
  // Results go to files as they come: these appear when they are complete, or not at all.
  ReportFile file(options.json);
  std::optional<CheckJson> json;
  if (!options.json.empty()) json.emplace(file.output(), options.limit.value_or(kAll));
  const std::unique_ptr<ContactsFile> contacts = open_contacts(options, task, *bodies);
  const std::unique_ptr<HtmlReport> html = open_html_report(options, task.settings.clock);
  Outputs outputs({json ? &*json : nullptr, contacts.get(), html ? &html->sink() : nullptr}, options.quiet);
  const CheckReport report =
      with_frame_numbers(options.frames.first_frame, [&] { return search(task, options, budget, outputs); });
  seconds.emplace_back("check", watch.lap());
  if (json) json->finish(report, seconds);
  file.commit();
  const bool ended_early = options.earliest && report.verdict == Verdict::collides;
  if (contacts) contacts->finish(report.complete && !ended_early);
  const bool prints = !file.is_standard_output() && !options.quiet;
  if (prints) print_check(report, seconds);
  if (html) html->write(report, seconds, !prints);
  return exit_code(report.verdict);
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
      "  pliant check scene.obj --split --no-self    the groups of one file, or its components, with each other\n"
      "  pliant check scan.stl --json contacts.json  every contact, for a program\n"
      "  pliant check scan.stl --contacts hits.ply   the faces that intersect in red, for any viewer\n"
      "  pliant check a.ply b.ply --method anytime --search-budget 200us   what 200 microseconds tell, and how surely\n"
      "  pliant check shirt.obj --motion walk.pc2    does it ever run into itself, and when first?\n"
      "  pliant check shirt.obj --motion shirt.pc2 body.obj --motion body.pc2 --allow-initial --earliest\n"
      "  pliant check shirt.obj --motion walk.pc2 --html report.html   a page to look at and to hand on\n"
      "  pliant check out/cloth_on_ball              a recording of `pliant run`: every piece of all motions\n\n"
      "With a motion, every impact over the whole animation is found, between frames too; times are frame numbers.\n"
      "Longest curve: the length of the longest line along which two surfaces cross at a frame.\n"
      "Ctrl-C ends a check like a --budget that is spent: with what is known by then.\n"
      "Exit status: 0 clean, 1 collides, 2 bad usage or input, 3 not known (interrupted, undecided, or the method can\n"
      "miss contacts and found none). docs/check.md explains the verdicts, the table and the JSON.");
  command->callback([command, options, &status] {
    assign_motions(*command, *options);
    status = run_check(*options);
  });
}

}  // namespace pliant::app
