// `pliant demo`: a simulation that is recorded and checked, and built-in deforming shapes looked at by every method.
#include <algorithm>
#include <filesystem>
#include <set>

#include "app/arguments.h"
#include "app/check_run.h"
#include "app/commands.h"
#include "app/report_file.h"
#include "app/run.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/contact_json.h"
#include "pliant/io/file.h"
#include "pliant/io/gltf_movie.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {
namespace {

struct DemoOptions {
  std::string out = "out/demo";
  std::string json;
  int threads = 0;
  bool quiet = false;

  bool prints() const { return !quiet && json != "-"; }
};

struct DemoScene {
  std::string name;
  std::string file;  // of its movie
  std::vector<MovieBody> bodies;
};

constexpr std::size_t kFrames = 8;

// A body whose frame k is shape(k / (kFrames - 1)).
template <class Shape>
MovieBody moving_body(std::string name, MeshPtr mesh, Shape&& shape) {
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < kFrames; ++k)
    frames.push_back(Frame::own(shape(static_cast<double>(k) / static_cast<double>(kFrames - 1))));
  return {std::move(name), std::move(mesh), Motion::keyframes(std::move(frames))};
}

DemoScene teapot_and_ball() {
  const MeshPtr teapot = make_teapot({.segments = 6, .trimmed = true});
  const MeshPtr ball = make_icosphere({.radius = 1.2, .frequency = 7});
  const SmoothField wobble({.seed = 3, .amplitude = 0.12, .wavelength = 1.5});
  return {"ball through teapot",
          "teapot_and_ball.glb",
          {moving_body("teapot", teapot, [&](double s) { return displaced(teapot->positions(), wobble, s); }),
           moving_body("ball", ball, [&](double s) {
             return transformed(displaced(ball->positions(), wobble, -s), rigid({0, 0, 1}, s, {6 - 12 * s, 0.3, 1.5}));
           })}};
}

DemoScene bent_tube() {
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .segments = 16, .cap_rings = 4, .side_rings = 64});
  return {"tube bent into itself",
          "tube.glb",
          {moving_body("tube", tube, [&](double s) { return bent(tube->positions(), 1.3 * s); })}};
}

DemoScene crumpling_cloth() {
  const MeshPtr cloth = make_grid({.width = 2, .depth = 2, .columns = 32, .rows = 32});
  const SmoothField ripples({.seed = 7, .amplitude = 0.5, .wavelength = 0.5, .waves = 8});
  return {"crumpling cloth", "cloth.glb", {moving_body("cloth", cloth, [&](double s) {
            std::vector<Vec3> positions(cloth->positions().begin(), cloth->positions().end());
            for (Vec3& p : positions) p += 1.5 * s * ripples.at(p, 0.2 * s);
            return positions;
          })}};
}

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
  for (std::size_t k = 0; k + (moving ? 1 : 0) < kFrames; ++k) {
    const auto time = static_cast<double>(k);
    detector->set_open_end(k + 2 < kFrames);
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

// Every frame as a mesh, and all of it in one file for any viewer of glTF.
void record(const DemoScene& scene, const std::filesystem::path& folder) {
  for (const MovieBody& body : scene.bodies) {
    for (std::size_t k = 0; k < kFrames; ++k) {
      const Frame frame = body.motion.frame(k);
      const MeshPtr posed =
          with_positions(*body.mesh, std::vector<Vec3>(frame.positions().begin(), frame.positions().end()));
      write_mesh((folder / fmt::format("{}_{}.ply", body.name, k)).string(), *posed);
    }
  }
  constexpr double kFramesPerSecond = 4;
  write_gltf_movie((folder / scene.file).string(), scene.bodies, kFramesPerSecond);
}

std::size_t triangle_count(const DemoScene& scene) {
  std::size_t triangles = 0;
  for (const MovieBody& body : scene.bodies) triangles += body.mesh->face_count();
  return triangles;
}

// Every method of a kind on a scene.
void compare_methods(const Stage& stage, bool moving, Comparison& all) {
  const DemoScene& scene = stage.scene;
  const DemoRow oracle = run_method(stage, "brute-force", moving);
  for (const MethodInfo* method : methods()) {
    if (!(moving ? method->moving : method->still)) continue;
    const bool is_oracle = method->name == "brute-force";
    const DemoRow row = is_oracle ? oracle : run_method(stage, method->name, moving);
    const double recall = recall_of(row, oracle);
    if (row.guarantee >= Guarantee::conservative) all.kept_word = all.kept_word && recall == 1;
    if (row.guarantee == Guarantee::exact) all.kept_word = all.kept_word && row.meetings == oracle.meetings;
    all.results.push_back({scene.name, triangle_count(scene), moving, method->name, row.guarantee, row.meetings.size(),
                           recall, row.seconds * 1e3 / static_cast<double>(moving ? kFrames - 1 : kFrames)});
  }
}

// Simulates the demo scene, and checks what was recorded.
struct Simulated {
  Status status = kDone;  // of the run
  std::size_t contacts = 0;
  std::size_t pieces = 0;
  Guarantee guarantee = Guarantee::none;
  bool is_free = false;  // no body passed through another
};

Simulated simulate(const std::filesystem::path& folder, const DemoOptions& demo) {
  RunOptions options;
  options.scene = "demo";
  options.out = (folder / "run").string();
  options.force = true;
  options.gltf = true;
  options.threads = demo.threads;
  options.quiet = !demo.prints();
  Simulated result{.status = run_scene(options)};
  if (result.status != kDone) return result;
  const RecordedRun recorded = read_recorded_run(options.out);
  const auto detector = make_detector("kinetic", {.threads = {demo.threads}});
  for (const CheckBody& body : recorded.bodies) detector->add_body(body.mesh, body.motion);
  detector->set_filter(recorded.filter);
  const Report report = detector->detect({recorded.times.front(), recorded.times.back()});
  result.contacts = report.contacts.size();
  result.pieces = recorded.times.size() - 1;
  result.guarantee = report.guarantee;
  result.is_free = report.complete && report.contacts.empty();
  if (demo.prints())
    fmt::print("checked: {} contacts in {} pieces of motion ({}, {})\n\n", result.contacts, result.pieces,
               detector->info().name, to_string(result.guarantee));
  return result;
}

// Every method on shapes that do pass through each other.
Comparison compare(const std::filesystem::path& folder, const DemoOptions& demo) {
  OutputFile file((folder / "demo.json").string());
  JsonWriter json([&](std::string_view text) { file.write(text); });
  Comparison all;
  json.begin_object().field("schema", "pliant.demo/1").key("runs").begin_array();
  for (const DemoScene& scene : {teapot_and_ball(), bent_tube(), crumpling_cloth()}) {
    record(scene, folder);
    for (const bool moving : {false, true}) compare_methods({scene, {demo.threads}, json}, moving, all);
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
  fmt::print("\nEvery method {} what it guarantees (recall and exactness measured against brute force).\n",
             all.kept_word ? "found" : "did NOT find");
}

std::string summary(const std::filesystem::path& folder, const Simulated& run, const Comparison& all) {
  std::string text;
  JsonWriter json([&](std::string_view piece) { text += piece; });
  json.begin_object().field("schema", "pliant.demo.summary/1").field("folder", folder.string());
  json.key("run").begin_object().field("pieces", run.pieces).field("contacts", run.contacts);
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
void make_room(const std::filesystem::path& folder) {
  const ErrorPlace place{.file = folder.string()};
  const char* remedy = "choose another with --out";
  const std::string run = (folder / "run").string();
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
    throw Error(place, "is a file, not a folder", remedy);
  const bool holds_demo = is_run_folder(run) && read_run(run).scene == "demo";
  if (std::filesystem::exists(folder) && !std::filesystem::is_empty(folder) && !holds_demo)
    throw Error(place, "holds other files", remedy);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw Error(place, "can not make this folder: " + problem.message(), remedy);
}

int run_demo(const DemoOptions& options) {
  const std::filesystem::path folder(options.out);
  make_room(folder);
  const Simulated run = simulate(folder, options);
  if (run.status != kDone) return run.status;
  const Comparison all = compare(folder, options);
  if (options.json == "-") write_standard_output(summary(folder, run, all));
  else if (!options.json.empty()) write_file(options.json, summary(folder, run, all));
  if (options.prints()) {
    print_comparison(all);
    fmt::print("The simulation: {}, for any viewer of glTF: {}\n", (folder / "run").string(),
               (folder / "run/run.glb").string());
    fmt::print("Contacts of every frame: {}\nMeshes and glTF animations of the shapes: {}\n",
               (folder / "demo.json").string(), folder.string());
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
  command->add_option("--threads", options->threads, "Threads to use; 0: all")
      ->check(at_least_zero())
      ->capture_default_str();
  command->add_option("--json", options->json, "Write the tables to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command->add_flag("--quiet,-q", options->quiet, "No tables, no progress");
  command->footer(
      "Example:\n  pliant demo --out /tmp/demo\n\n"
      "Exit status: 0 all is as it should be, 2 bad usage or input, 3 a recording with contacts, or a method that does "
      "not keep its word.");
  command->callback([options, &status] { status = run_demo(*options); });
}

}  // namespace pliant::app
