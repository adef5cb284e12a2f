// `pliant demo`: a simulation that is recorded and checked, and built-in deforming shapes looked at by every method.
#include <algorithm>
#include <filesystem>
#include <set>

#include "app/check_run.h"
#include "app/commands.h"
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

namespace pliant::app {
namespace {

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
  const MeshPtr teapot = make_teapot({.segments = 8, .trimmed = true});
  const MeshPtr ball = make_icosphere({.radius = 1.2, .frequency = 10});
  const SmoothField wobble({.seed = 3, .amplitude = 0.12, .wavelength = 1.5});
  return {"ball through teapot",
          "teapot_and_ball.glb",
          {moving_body("teapot", teapot, [&](double s) { return displaced(teapot->positions(), wobble, s); }),
           moving_body("ball", ball, [&](double s) {
             return transformed(displaced(ball->positions(), wobble, -s), rigid({0, 0, 1}, s, {6 - 12 * s, 0.3, 1.5}));
           })}};
}

DemoScene bent_tube() {
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .segments = 24, .cap_rings = 6, .side_rings = 96});
  return {"tube bent into itself",
          "tube.glb",
          {moving_body("tube", tube, [&](double s) { return bent(tube->positions(), 1.3 * s); })}};
}

DemoScene crumpling_cloth() {
  const MeshPtr cloth = make_grid({.width = 2, .depth = 2, .columns = 45, .rows = 45});
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

// Frame by frame for a still method, the time between frames for a moving one.
DemoRow run_method(const DemoScene& scene, std::string_view method, bool moving, JsonWriter& json) {
  const auto detector = make_detector(method);
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
          with_positions(*body.mesh, std::vector<Vec3>(frame.positions.begin(), frame.positions.end()));
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

// Every method of a kind on a scene. False if one of them is not what its guarantee says.
bool compare_methods(const DemoScene& scene, bool moving, Table& table, JsonWriter& json) {
  const DemoRow oracle = run_method(scene, "brute-force", moving, json);
  bool kept_word = true;
  for (const MethodInfo* method : methods()) {
    if (!(moving ? method->moving : method->still)) continue;
    const bool is_oracle = method->name == "brute-force";
    const DemoRow row = is_oracle ? oracle : run_method(scene, method->name, moving, json);
    const double recall = recall_of(row, oracle);
    if (row.guarantee >= Guarantee::conservative) kept_word = kept_word && recall == 1;
    if (row.guarantee == Guarantee::exact) kept_word = kept_word && row.meetings == oracle.meetings;
    table.add_row({scene.name, grouped(triangle_count(scene)), moving ? "between frames" : "at frames",
                   std::string(method->name), to_string(row.guarantee), grouped(row.meetings.size()),
                   fmt::format("{:.3g}", recall),
                   fmt::format("{:.2f}", row.seconds * 1e3 / static_cast<double>(moving ? kFrames - 1 : kFrames))});
  }
  return kept_word;
}

// Simulates the demo scene, and checks what was recorded. False if a body passed through another.
bool simulate(const std::filesystem::path& folder) {
  RunOptions options;
  options.scene = "demo";
  options.out = (folder / "run").string();
  options.force = true;
  options.gltf = true;
  if (run_scene(options) != kDone) return false;
  const RecordedRun recorded = read_recorded_run(options.out);
  const auto detector = make_detector("kinetic");
  for (const CheckBody& body : recorded.bodies) detector->add_body(body.mesh, body.motion);
  detector->set_filter(recorded.filter);
  const Report report = detector->detect({recorded.times.front(), recorded.times.back()});
  fmt::print("checked: {} contacts in {} pieces of motion ({}, {})\n\n", report.contacts.size(),
             recorded.times.size() - 1, detector->info().name, to_string(report.guarantee));
  return report.complete && report.contacts.empty();
}

// Every method on shapes that do pass through each other.
bool compare(const std::filesystem::path& folder) {
  OutputFile file((folder / "demo.json").string());
  bool kept_word = true;
  {
    JsonWriter json([&](std::string_view text) { file.write(text); });
    json.begin_object().field("schema", "pliant.demo/1").key("runs").begin_array();
    Table table({"scene", "triangles", "contacts", "method", "guarantee", "found", "recall", "ms per frame"});
    for (const DemoScene& scene : {teapot_and_ball(), bent_tube(), crumpling_cloth()}) {
      record(scene, folder);
      for (const bool moving : {false, true}) kept_word = compare_methods(scene, moving, table, json) && kept_word;
    }
    json.end_array().end_object().new_line();
    json.flush();
    table.print(stdout);
  }
  file.commit();
  fmt::print("\nEvery method {} what it guarantees (recall and exactness measured against brute force).\n",
             kept_word ? "found" : "did NOT find");
  return kept_word;
}

int run_demo(const std::string& out) {
  const std::filesystem::path folder(out);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw Error(ErrorPlace{.file = out}, "can not make this folder: " + problem.message(), "choose another with --out");
  const bool free = simulate(folder);
  const bool kept_word = compare(folder);
  fmt::print("The simulation: {}, for any viewer of glTF: {}\n", (folder / "run").string(),
             (folder / "run/run.glb").string());
  fmt::print("Contacts of every frame: {}\nMeshes and glTF animations of the shapes: {}\n",
             (folder / "demo.json").string(), folder.string());
  return free && kept_word ? kDone : kNotFinished;
}

}  // namespace

void add_demo(CLI::App& app, Status& status) {
  CLI::App* command =
      app.add_subcommand("demo", "Simulate a scene, check it, and compare every method on built-in shapes");
  const auto out = std::make_shared<std::string>("out/demo");
  command->add_option("--out", *out, "Folder for the recorded run, contacts and meshes")->capture_default_str();
  command->footer("Example:\n  pliant demo --out /tmp/demo");
  command->callback([out, &status] { status = run_demo(*out); });
}

}  // namespace pliant::app
