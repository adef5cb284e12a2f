// `pliant demo`: built-in deforming shapes, checked by every method, recorded for a look.
#include <filesystem>

#include "app/commands.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/contact_json.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"

namespace pliant::app {
namespace {

struct DemoBody {
  std::string name;
  MeshPtr mesh;
  Motion motion;
};

struct DemoScene {
  std::string name;
  std::vector<DemoBody> bodies;
};

constexpr int kFrames = 8;

// A body whose frame k is shape(k / (kFrames - 1)).
template <class Shape>
DemoBody moving_body(std::string name, MeshPtr mesh, Shape&& shape) {
  std::vector<Frame> frames;
  for (int k = 0; k < kFrames; ++k) frames.push_back(Frame::own(shape(static_cast<double>(k) / (kFrames - 1))));
  return {std::move(name), std::move(mesh), Motion::keyframes(std::move(frames))};
}

DemoScene teapot_and_ball() {
  const MeshPtr teapot = make_teapot({.segments = 8, .trimmed = true});
  const MeshPtr ball = make_icosphere({.radius = 1.2, .frequency = 10});
  const SmoothField wobble({.seed = 3, .amplitude = 0.12, .wavelength = 1.5});
  return {"ball through teapot",
          {moving_body("teapot", teapot, [&](double s) { return displaced(teapot->positions(), wobble, s); }),
           moving_body("ball", ball, [&](double s) {
             return transformed(displaced(ball->positions(), wobble, -s), rigid({0, 0, 1}, s, {6 - 12 * s, 0.3, 1.5}));
           })}};
}

DemoScene bent_tube() {
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .segments = 24, .cap_rings = 6, .side_rings = 96});
  return {"tube bent into itself",
          {moving_body("tube", tube, [&](double s) { return bent(tube->positions(), 1.3 * s); })}};
}

DemoScene crumpling_cloth() {
  const MeshPtr cloth = make_grid({.width = 2, .depth = 2, .columns = 45, .rows = 45});
  const SmoothField ripples({.seed = 7, .amplitude = 0.5, .wavelength = 0.5, .waves = 8});
  return {"crumpling cloth", {moving_body("cloth", cloth, [&](double s) {
            std::vector<Vec3> positions(cloth->positions().begin(), cloth->positions().end());
            for (Vec3& p : positions) p += 1.5 * s * ripples.at(p, 0.2 * s);
            return positions;
          })}};
}

struct DemoRow {
  std::uint64_t contacts = 0;
  std::uint64_t triangle_tests = 0;
  double seconds = 0;
  std::vector<std::uint64_t> per_frame;
};

DemoRow run_method(const DemoScene& scene, const MethodInfo& method, JsonWriter& json) {
  const auto detector = make_detector(method.name);
  for (const DemoBody& body : scene.bodies) detector->add_body(body.mesh, body.motion);
  DemoRow row;
  Stopwatch watch;
  json.new_line().begin_object().field("scene", scene.name).field("method", method.name).key("frames").begin_array();
  for (int k = 0; k < kFrames; ++k) {
    watch.lap();
    const Report report = detector->detect(Interval::instant(k));
    row.seconds += watch.lap();
    row.contacts += report.contacts.size();
    row.per_frame.push_back(report.contacts.size());
    row.triangle_tests += report.counters["triangle_tests"];
    json.new_line().begin_object().field("time", k).field("guarantee", to_string(report.guarantee));
    json.field("contact_count", report.contacts.size()).key("contacts").begin_array();
    for (const Contact& contact : report.contacts) write_json(json, contact, *detector);
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return row;
}

void write_frames(const DemoScene& scene, const std::filesystem::path& folder) {
  for (const DemoBody& body : scene.bodies) {
    for (int k = 0; k < kFrames; ++k) {
      const Frame frame = body.motion.frame(static_cast<std::size_t>(k));
      const MeshPtr posed =
          with_positions(*body.mesh, std::vector<Vec3>(frame.positions.begin(), frame.positions.end()));
      write_mesh((folder / fmt::format("{}_{}.ply", body.name, k)).string(), *posed);
    }
  }
}

int run_demo(const std::string& out) {
  const std::filesystem::path folder(out);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw Error(ErrorPlace{.file = out}, "can not make this folder: " + problem.message(), "choose another with --out");
  OutputFile file((folder / "demo.json").string());
  bool agree = true;
  {
    JsonWriter json([&](std::string_view text) { file.write(text); });
    json.begin_object().field("schema", "pliant.demo/1").key("runs").begin_array();
    Table table({"scene", "triangles", "method", "frames", "contacts", "triangle tests", "ms per frame"});
    for (const DemoScene& scene : {teapot_and_ball(), bent_tube(), crumpling_cloth()}) {
      std::size_t triangles = 0;
      for (const DemoBody& body : scene.bodies) triangles += body.mesh->face_count();
      write_frames(scene, folder);
      std::optional<std::vector<std::uint64_t>> expected;
      for (const MethodInfo* method : methods()) {
        if (!method->still) continue;
        const DemoRow row = run_method(scene, *method, json);
        agree = agree && (!expected || *expected == row.per_frame);
        expected = row.per_frame;
        table.add_row({scene.name, grouped(triangles), std::string(method->name), std::to_string(kFrames),
                       grouped(row.contacts), grouped(row.triangle_tests),
                       fmt::format("{:.2f}", row.seconds * 1e3 / kFrames)});
      }
    }
    json.end_array().end_object().new_line();
    json.flush();
    table.print(stdout);
  }
  file.commit();
  fmt::print("\nEvery method {} the same contacts in every frame.\n", agree ? "found" : "did NOT find");
  fmt::print("Contacts and meshes of every frame: {}\n", (folder / "demo.json").string());
  return agree ? kDone : kNotFinished;
}

}  // namespace

void add_demo(CLI::App& app, Status& status) {
  CLI::App* command = app.add_subcommand("demo", "Check built-in deforming shapes by every method");
  const auto out = std::make_shared<std::string>("out/demo");
  command->add_option("--out", *out, "Folder for the recorded contacts and meshes")->capture_default_str();
  command->footer("Example:\n  pliant demo --out /tmp/demo");
  command->callback([out, &status] { status = run_demo(*out); });
}

}  // namespace pliant::app
