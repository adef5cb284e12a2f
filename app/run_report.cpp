#include "app/run_report.h"

#include <cmath>

#include "app/terminal.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"

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
  Table table({"body", "kind", "vertices", "triangles"});
  for (const RunBody& body : info.bodies)
    table.add_row({body.name, body.kind, grouped(body.vertices), grouped(body.triangles)});
  table.print(stdout);
  print_stages(info.totals);
  const double fps = timing.seconds > 0 ? timing.frames / timing.seconds : 0;
  fmt::print("\n{}: {:.6g} of {} frames, {} pieces, {:.3g} frames/s (method {})\n", info.scene, info.checkpoint.frame,
             info.frames, grouped(info.totals.pieces), fps, info.method_in_use);
  fmt::print("{} contacts, {} zones, {} halvings{}; hash {:016x}{}\n", grouped(info.totals.contacts),
             grouped(info.totals.zones), grouped(info.totals.halvings),
             info.budget_seconds ? fmt::format(", {} steps out of budget", info.totals.late) : "", info.checkpoint.hash,
             info.budget_seconds ? " (of this run alone: a budget of time was set)" : "");
  fmt::print("recorded in {}; is it free of collisions?  pliant check {}\n", folder, folder);
}

void export_frames(const RunInfo& info, const std::string& folder, const char* extension) {
  const std::vector<std::size_t> rows = whole_frames(read_times(file_in(folder, "times.npy")));
  for (const RunBody& body : info.bodies) {
    const MeshPtr mesh = read_mesh(file_in(folder, body.name + ".ply"));
    MotionReadOptions read;
    read.mesh = mesh;
    ChosenFrames frames(open_motion(file_in(folder, body.name + ".npy"), read), rows);
    MotionWriteOptions write;
    write.mesh = mesh;
    write.frame_count = rows.size();
    write.frames_per_second = info.fps();
    write_motion(file_in(folder, body.name + extension), frames, write);
  }
}

}  // namespace pliant::app
