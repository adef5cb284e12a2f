// `pliant demo`: a simulation that is recorded and checked, and built-in deforming shapes looked at by every method.
#include <algorithm>
#include <filesystem>
#include <set>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/demo_shapes.h"
#include "app/report_file.h"
#include "app/run_report.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "app/view_page.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/contact_json.h"
#include "pliant/io/file.h"
#include "pliant/scene/run_scene.h"
#include "pliant/scene/scene_library.h"
#include "pliant/world/recorded_run.h"
#include "pliant/world/run_page.h"

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

struct DemoOptions {
  std::string out = "out/demo";
  std::string json;
  std::optional<int> frames;
  int threads = 0;
  bool quiet = false;

  bool prints() const { return !quiet && json != "-"; }
};

// ---- the simulation, and the check of its recording ----

struct Simulated {
  RunEnding ending;
  std::string title;
  std::size_t collisions = 0;
  std::size_t pieces = 0;  // linear pieces of motion that were checked
  std::string_view method;
  Guarantee guarantee = Guarantee::none;
  bool is_free = false;  // no body passed through another
};

std::string run_folder(const std::string& folder) { return file_in(folder, "run"); }

Simulated simulate(const DemoOptions& demo, const StopSignals& signals) {
  const SceneDescription scene = library_scene("demo");
  ProgressBar bar("simulating", !demo.prints());
  RunSceneSettings settings;
  settings.replace = true;
  settings.frames = demo.frames;
  settings.build = {.threads = {demo.threads}, .meshes = {}, .mesh_folders = asset_folders()};
  settings.record.exports.gltf = true;
  settings.record.budget = Budget::cancelled_by(signals.stop());
  settings.record.progress = [&bar](const RunProgress& now) {
    bar.show(now.frame / now.frames, static_cast<std::size_t>(now.frame));
  };
  Simulated run;
  run.title = scene.title;
  run.ending = run_scene(scene, run_folder(demo.out), settings);
  return run;
}

void check_recording(Simulated& run, const DemoOptions& demo, const StopSignals& signals) {
  const RecordedRun recorded = read_recorded_run(run_folder(demo.out));
  const auto detector = make_detector("kinetic", {.threads = {demo.threads}});
  for (const CheckBody& body : recorded.bodies) detector->add_body(body.mesh, body.motion);
  detector->set_filter(recorded.filter);
  ProgressBar bar("checking", !demo.prints());
  run.pieces = recorded.times.size() - 1;
  run.method = detector->info().name;
  run.guarantee = Guarantee::exact;
  bool complete = true;
  for (std::size_t k = 0; k < run.pieces && complete; ++k) {
    detector->set_open_end(k + 1 < run.pieces);
    const auto row = static_cast<double>(k);  // motions count rows, one for the end of every piece
    const Report report = detector->detect({row, row + 1}, Budget::cancelled_by(signals.stop()));
    complete = report.complete;
    run.collisions += report.contacts.size();
    run.guarantee = std::min(run.guarantee, report.guarantee);
    bar.show(static_cast<double>(k + 1) / static_cast<double>(run.pieces));
  }
  signals.throw_if_stopped();
  run.is_free = complete && run.collisions == 0;
}

// "5 bodies, 240 frames: nothing passed through anything, proved"
std::string answer_of(const Simulated& run) {
  const RunInfo& info = run.ending.info;
  const std::string what = fmt::format("{} bodies, {} frames", info.bodies.size(), info.frames);
  if (!run.is_free) return fmt::format("{}: {} were found", what, counted(run.collisions, "collision", "collisions"));
  return fmt::format(
      "{}: nothing passed through anything, proved by {} detection on all {} linear pieces of the recorded motion.",
      what, to_string(run.guarantee), grouped(run.pieces));
}

void print_simulation(const Simulated& run) {
  const RunInfo& info = run.ending.info;
  Table table({"body", "kind", "triangles"});
  for (const RunBody& body : info.bodies) table.add_row({body.name, body.kind, grouped(body.triangles)});
  table.print(stdout);
  fmt::print(
      "\n{:.3g} s of motion took {} to simulate. {} bodies came near each other were answered by pushing\n"
      "back, before anything could pass through.\n",
      info.frames * info.frame_seconds, duration_text(run.ending.seconds),
      fmt::format("{} places where", grouped(info.totals.contacts)));
}

// ---- every method on shapes that do pass through each other ----

// A feature pair in a frame, or in the time between two frames.
using Meeting = std::tuple<std::size_t, Feature, Feature>;

struct DemoRow {
  Guarantee guarantee = Guarantee::exact;
  double seconds = 0;
  std::set<Meeting> meetings;
};

// One line of the table.
struct DemoResult {
  std::string scene;
  std::size_t triangles = 0;
  bool between_frames = false;
  std::string_view method;
  Guarantee guarantee = Guarantee::none;
  std::size_t found = 0;
  double recall = 0;
  double ms_per_frame = 0;
};

struct Comparison {
  std::vector<DemoResult> results;
  bool kept_word = true;  // every method is what its guarantee says
};

// What methods run with.
struct Stage {
  const DemoScene& scene;
  Threads threads;
  JsonWriter& contacts;  // of every frame
};

// Frame by frame for a still method, the time between frames for a moving one.
DemoRow run_method(const Stage& stage, std::string_view method, bool moving) {
  const DemoScene& scene = stage.scene;
  const auto detector = make_detector(method, {.threads = stage.threads});
  JsonWriter& json = stage.contacts;
  for (const MovieBody& body : scene.bodies) detector->add_body(body.mesh, body.motion);
  DemoRow row;
  Stopwatch watch;
  json.new_line().begin_object().field("scene", scene.name).field("method", method);
  json.field("between_frames", moving).key("frames").begin_array();
  for (std::size_t k = 0; k + (moving ? 1 : 0) < kDemoFrames; ++k) {
    const auto time = static_cast<double>(k);
    detector->set_open_end(k + 2 < kDemoFrames);
    watch.lap();
    const Report report = detector->detect(moving ? Interval{time, time + 1} : Interval::instant(time));
    row.seconds += watch.lap();
    row.guarantee = std::min(row.guarantee, report.guarantee);
    for (const Contact& contact : report.contacts) row.meetings.insert({k, contact.a, contact.b});
    json.new_line().begin_object().field("time", time).field("guarantee", to_string(report.guarantee));
    json.field("contact_count", report.contacts.size()).key("contacts").begin_array();
    for (const Contact& contact : report.contacts) write_json(json, contact, *detector);
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return row;
}

double recall_of(const DemoRow& row, const DemoRow& oracle) {
  if (oracle.meetings.empty()) return 1;
  const auto found = std::count_if(oracle.meetings.begin(), oracle.meetings.end(),
                                   [&](const Meeting& m) { return row.meetings.contains(m); });
  return static_cast<double>(found) / static_cast<double>(oracle.meetings.size());
}

bool answers(const MethodInfo& method, bool moving) { return moving ? method.moving : method.still; }

// Every method of a kind on a scene.
template <class Progress>
void compare_methods(const Stage& stage, bool moving, Comparison& all, Progress&& one_more) {
  const DemoScene& scene = stage.scene;
  const DemoRow oracle = run_method(stage, "brute-force", moving);
  for (const MethodInfo* method : methods()) {
    if (!answers(*method, moving)) continue;
    const bool is_oracle = method->name == "brute-force";
    const DemoRow row = is_oracle ? oracle : run_method(stage, method->name, moving);
    const double recall = recall_of(row, oracle);
    if (row.guarantee >= Guarantee::conservative) all.kept_word = all.kept_word && recall == 1;
    if (row.guarantee == Guarantee::exact) all.kept_word = all.kept_word && row.meetings == oracle.meetings;
    const double frames = moving ? kDemoFrames - 1 : kDemoFrames;
    all.results.push_back({scene.name, scene.triangle_count(), moving, method->name, row.guarantee, row.meetings.size(),
                           recall, row.seconds * 1e3 / frames});
    one_more();
  }
}

Comparison compare(const DemoOptions& demo, const StopSignals& signals) {
  OutputFile file(file_in(demo.out, "demo.json"));
  JsonWriter json([&](std::string_view text) { file.write(text); });
  const std::vector<DemoScene> scenes = make_demo_scenes();
  std::size_t rows = 0;
  for (const MethodInfo* method : methods()) rows += (method->still ? 1 : 0) + (method->moving ? 1 : 0);
  ProgressBar bar("comparing methods", !demo.prints());
  Comparison all;
  json.begin_object().field("schema", "pliant.demo/1").key("runs").begin_array();
  for (const DemoScene& scene : scenes) {
    write_demo_scene(scene, demo.out);
    for (const bool moving : {false, true})
      compare_methods({scene, {demo.threads}, json}, moving, all, [&] {
        signals.throw_if_stopped();
        bar.show(static_cast<double>(all.results.size()) / static_cast<double>(rows * scenes.size()));
      });
  }
  json.end_array().end_object().new_line().flush();
  file.commit();
  return all;
}

void print_comparison(const Comparison& all) {
  Table table({"scene", "triangles", "contacts", "method", "guarantee", "found", "recall", "ms per frame"});
  for (const DemoResult& r : all.results)
    table.add_row({r.scene, grouped(r.triangles), r.between_frames ? "between frames" : "at frames",
                   std::string(r.method), to_string(r.guarantee), grouped(r.found), fmt::format("{:.3g}", r.recall),
                   fmt::format("{:.2f}", r.ms_per_frame)});
  table.print(stdout);
  fmt::print(
      "\n  contacts      at frames: pairs of triangles that intersect then; between frames: vertices against faces "
      "and\n"
      "                edges against edges that come to meet on the way to the next frame\n"
      "  guarantee     what the method promises: exact is what exact arithmetic gives, no more and no less\n"
      "  found         contacts over all {} frames\n"
      "  recall        fraction of brute force's contacts that it found; 1: none is missed\n"
      "  ms per frame  time of one detection\n\n"
      "Every method {} what it guarantees.\n",
      kDemoFrames, all.kept_word ? "found" : "did NOT find");
}

// ---- all of it ----

std::string summary(const DemoOptions& demo, const Simulated& run, const Comparison& all) {
  std::string text;
  JsonWriter json([&](std::string_view chunk) { text += chunk; });
  json.begin_object().field("schema", "pliant.demo.summary/1").field("folder", demo.out);
  json.key("run").begin_object().field("frames", run.ending.info.frames).field("pieces", run.pieces);
  json.field("contacts", run.collisions).field("answered_touches", run.ending.info.totals.contacts);
  json.field("guarantee", to_string(run.guarantee)).field("free", run.is_free).end_object();
  json.field("kept_word", all.kept_word).new_line().key("rows").begin_array();
  for (const DemoResult& r : all.results) {
    json.new_line().begin_object().field("scene", r.scene).field("triangles", r.triangles);
    json.field("between_frames", r.between_frames).field("method", r.method);
    json.field("guarantee", to_string(r.guarantee)).field("contacts", r.found).field("recall", r.recall);
    json.field("ms_per_frame", r.ms_per_frame).end_object();
  }
  json.end_array().end_object().new_line().flush();
  return text;
}

// Only where nothing is, or where a demo was.
void make_room(const std::string& folder) {
  const ErrorPlace place{.file = folder};
  const char* remedy = "choose another with --out";
  std::error_code problem;
  const bool exists = fs::exists(folder, problem);
  if (exists && !fs::is_directory(folder, problem)) throw Error(place, "is a file, not a folder", remedy);
  const std::string run = run_folder(folder);
  const bool holds_demo = is_run_folder(run) && read_unfinished_run(run).scene == "demo";
  if (exists && !fs::is_empty(folder, problem) && !holds_demo) throw Error(place, "holds other files", remedy);
  fs::create_directories(folder, problem);
  if (problem) throw Error(place, "cannot make this folder: " + problem.message(), remedy);
}

// How to call this program from here.
std::string program_name() {
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return "pliant";
  const fs::path here = program.lexically_relative(fs::current_path(problem));
  return here.empty() || *here.begin() == ".." ? program.string() : here.string();
}

void print_beginning(const DemoOptions& demo) {
  const SceneDescription scene = library_scene("demo");
  fmt::print(
      "{} bodies that bend, {} frames: will anything pass through anything? Pliant simulates them such that it\n"
      "does not, and proves it on the recorded motion. Then every method looks for collisions in shapes that do\n"
      "have them. About a minute.\n\n1. Simulate: {}.\n\n",
      scene.bodies.size(), demo.frames.value_or(scene.frames), scene.title);
  std::fflush(stdout);
}

std::string page_file(const DemoOptions& demo) { return file_in(demo.out, "demo.html"); }

// The simulation as a page, where that is built; whether it is there.
bool write_demo_page(const DemoOptions& demo) {
  const std::optional<std::string> page = find_view_page();
  if (page) write_run_page(run_folder(demo.out), page_file(demo), PageTemplate(*page));
  return page.has_value();
}

void print_end(const DemoOptions& demo, const Simulated& run, bool has_page) {
  const std::string pliant = program_name();
  if (has_page) fmt::print("\nWatch it      {} in a browser\n", page_file(demo));
  else fmt::print("\nWatch it      `make web`, then {} view {} -o demo.html\n", pliant, run_folder(demo.out));
  fmt::print("Look at it    {} in any glTF viewer; the shapes: teapot_and_ball.glb, tube.glb, cloth.glb in {}\n",
             file_in(run_folder(demo.out), "run.glb"), demo.out);
  fmt::print("Read it       {}: every contact of the shapes; {}: every touch of the simulation\n",
             file_in(demo.out, "demo.json"), file_in(run_folder(demo.out), "contacts.csv"));
  fmt::print("Try next      {} check {} {}\n", pliant, file_in(demo.out, "teapot_4.ply"),
             file_in(demo.out, "ball_4.ply"));
  fmt::print("              {} run --list\n\n{}\n", pliant, answer_of(run));
}

Status run_demo(const DemoOptions& options) {
  make_room(options.out);
  const StopSignals signals;
  if (options.prints()) print_beginning(options);
  Simulated run = simulate(options, signals);
  if (!run.ending.done() || !run.ending.export_failure.empty()) {
    const std::string& problem = run.ending.done() ? run.ending.export_failure : run.ending.info.message;
    fmt::print(stderr, "pliant: the simulation did not finish: {}\n", problem);
    return kNotFinished;
  }
  if (options.prints()) {
    print_simulation(run);
    fmt::print("\n2. Check the recording, every piece of it, from its files alone.\n\n");
    std::fflush(stdout);
  }
  check_recording(run, options, signals);
  if (options.prints()) {
    fmt::print("{} ({}, {})\n\n3. Compare every method on shapes that do pass through each other.\n\n",
               counted(run.collisions, "collision", "collisions"), run.method, to_string(run.guarantee));
    std::fflush(stdout);
  }
  const Comparison all = compare(options, signals);
  const bool has_page = write_demo_page(options);
  if (options.json == "-") write_standard_output(summary(options, run, all));
  else if (!options.json.empty()) write_file(options.json, summary(options, run, all));
  if (options.prints()) {
    print_comparison(all);
    print_end(options, run, has_page);
  }
  return run.is_free && all.kept_word ? kDone : kNotFinished;
}

}  // namespace

void add_demo(Command& app, Status& status) {
  Command* command =
      app.add_subcommand("demo", "Simulate a scene, check it, and compare every method on built-in shapes");
  const auto options = std::make_shared<DemoOptions>();
  command->add_option("--out", options->out, "Folder for the recorded run, contacts and meshes: a new one, or a demo's")
      ->capture_default_str();
  command->add_option("--frames", options->frames, "Frames to simulate (default: 240)")->check(above_zero());
  add_threads(*command, options->threads);
  command->add_option("--json", options->json, "Write the tables to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command->add_flag("--quiet,-q", options->quiet, "Print no tables or progress");
  command->footer(
      "Example:\n  pliant demo --out /tmp/demo\n\n"
      "Exit status: 0 all is as it should be, 2 bad usage or input, 3 a recording with contacts, or a method that does "
      "not keep its word.");
  command->callback([options, &status] { status = run_demo(*options); });
}

}  // namespace pliant::app
