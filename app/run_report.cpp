#include "app/run_report.h"

#include <algorithm>
#include <cmath>

#include "app/terminal.h"
#include "pliant/io/gltf_movie.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/motion/linked_frames.h"

namespace pliant::app {
namespace {

// Some frames of another source.
class ChosenFrames : public FrameSource {
 public:
  ChosenFrames(std::shared_ptr<FrameSource> all, std::vector<std::size_t> chosen)
      : all_(std::move(all)), chosen_(std::move(chosen)) {}
  std::size_t vertex_count() const override { return all_->vertex_count(); }
  std::size_t frame_count() const override { return chosen_.size(); }
  Frame frame(std::size_t index) override { return all_->frame(chosen_[index]); }

 private:
  std::shared_ptr<FrameSource> all_;
  std::vector<std::size_t> chosen_;
};

std::vector<std::size_t> whole_frames(const std::vector<double>& times) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < times.size(); ++row)
    if (times[row] == std::floor(times[row])) rows.push_back(row);
  return rows;
}

struct MovingMesh {
  std::string name;
  MeshPtr mesh;
  std::shared_ptr<FrameSource> frames;

  MovieBody in_movie(const std::string& as) const { return {as, mesh, Motion::from_source(frames)}; }
};

class FrameExporter {
 public:
  FrameExporter(const RunInfo& info, const std::string& folder)
      : info_(info), folder_(folder), rows_(whole_frames(read_times(file_in(folder, "times.npy")))) {}

  std::shared_ptr<FrameSource> frames(const std::string& name, const MeshPtr& mesh) const {
    MotionReadOptions read;
    read.mesh = mesh;
    return std::make_shared<ChosenFrames>(open_motion(file_in(folder_, name + ".npy"), read), rows_);
  }

  void write(const MovingMesh& body, bool npy, const Exports& wanted) const {
    MotionWriteOptions options;
    options.mesh = body.mesh;
    options.frame_count = rows_.size();
    options.frames_per_second = info_.fps();
    const auto write_as = [&](const char* extension) {
      write_motion(file_in(folder_, body.name + extension), *body.frames, options);
    };
    if (npy) write_as(".npy");
    if (wanted.pc2) write_as(".pc2");
    if (wanted.gltf) write_as(".glb");
  }

 private:
  const RunInfo& info_;
  const std::string& folder_;
  std::vector<std::size_t> rows_;
};

void print_stages(const RunTotals& totals) {
  const std::pair<const char*, double> stages[] = {{"predict", totals.seconds.predict},
                                                   {"detect", totals.seconds.detect},
                                                   {"respond", totals.seconds.respond},
                                                   {"commit", totals.seconds.commit},
                                                   {"record", totals.record_seconds}};
  double sum = 0;
  for (const auto& [name, seconds] : stages) sum += seconds;
  Table table({"where the time goes", "seconds", "share"});
  for (const auto& [name, seconds] : stages)
    table.add_row({name, fmt::format("{:.3f}", seconds), fmt::format("{:.1f} %", sum > 0 ? 100 * seconds / sum : 0.0)});
  fmt::print("\n");
  table.print(stdout);
}

}  // namespace

void print_run(const RunInfo& info, const std::string& folder, const RunTiming& timing) {
  const bool has_dense =
      std::any_of(info.bodies.begin(), info.bodies.end(), [](const RunBody& body) { return body.dense.has_value(); });
  std::vector<std::string> head = {"body", "kind", "vertices", "triangles"};
  if (has_dense) head.emplace_back("dense triangles");
  Table table(head);
  for (const RunBody& body : info.bodies) {
    std::vector<std::string> row = {body.name, body.kind, grouped(body.vertices), grouped(body.triangles)};
    if (has_dense) row.push_back(body.dense ? grouped(body.dense->triangles) : "");
    table.add_row(row);
  }
  table.print(stdout);
  print_stages(info.totals);
  const double fps = timing.seconds > 0 ? timing.frames / timing.seconds : 0;
  fmt::print("\n{}: {:.6g} of {} frames, {} pieces, {:.3g} frames/s (method {})\n", info.scene, info.checkpoint.frame,
             info.frames, grouped(info.totals.pieces), fps,
             info.method_in_use == "auto" ? "auto: too short to choose" : info.method_in_use);
  fmt::print("{}, {}, {}{}; hash {:016x}{}\n", counted(info.totals.contacts, "contact", "contacts"),
             counted(info.totals.zones, "zone", "zones"), counted(info.totals.halvings, "halving", "halvings"),
             info.budget_seconds ? fmt::format(", {} steps out of budget", info.totals.late) : "", info.checkpoint.hash,
             info.budget_seconds ? " (of this run alone: a budget of time was set)" : "");
  fmt::print("recorded in {}; is it free of collisions?  pliant check {}\n", folder, folder);
}

void export_frames(const RunInfo& info, const std::string& folder, const std::vector<MeshPtr>& dense,
                   const Exports& wanted) {
  const FrameExporter exporter(info, folder);
  std::vector<MovieBody> movie;
  for (std::size_t b = 0; b < info.bodies.size(); ++b) {
    const std::string& name = info.bodies[b].name;
    const MeshPtr mesh = read_mesh(file_in(folder, name + ".ply"));
    const MovingMesh body{name, mesh, exporter.frames(name, mesh)};
    exporter.write(body, false, wanted);
    if (!dense[b]) {
      movie.push_back(body.in_movie(name));
      continue;
    }
    const auto links = std::make_shared<const RigidLinks>(dense[b]->positions(), mesh->positions());
    const MovingMesh fine{name + ".dense", dense[b], std::make_shared<LinkedFrames>(links, body.frames)};
    write_mesh(file_in(folder, name + ".dense.ply"), *dense[b]);
    exporter.write(fine, true, wanted);
    movie.push_back(fine.in_movie(name));
  }
  if (wanted.gltf) write_gltf_movie(file_in(folder, "run.glb"), movie, info.fps());
}

}  // namespace pliant::app
