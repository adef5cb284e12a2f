#include "pliant/world/run_page.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/world/chosen_frames.h"
#include "pliant/world/recorded_run.h"
#include "pliant/world/run_folder.h"
#include "pliant/world/run_overlay.h"
#include "pliant/world/run_tables.h"

namespace pliant {
namespace {

// What is drawn of the touches that were answered from each frame until the next.
class DrawnContacts {
 public:
  DrawnContacts(std::size_t frames, std::size_t most)
      : by_frame_(frames), counts_(frames), most_(std::max<std::size_t>(8, most / frames)) {}

  void add(const RunContact& contact) {
    const auto frame = static_cast<std::size_t>(std::clamp(std::floor(contact.frame), 0.0, double(counts_.size() - 1)));
    ++counts_[frame];
    std::vector<RunContact>& kept = by_frame_[frame];
    kept.push_back(contact);
    if (kept.size() >= 2 * most_) thin(kept);
  }

  void add_to(PageContent& content) {
    std::vector<float> numbers;
    for (std::vector<RunContact>& kept : by_frame_) {
      thin(kept);
      for (const RunContact& contact : kept) append(numbers, contact);
    }
    content.arrays.push_back({"contacts", std::move(numbers)});
    content.arrays.push_back({"contact_counts", std::move(counts_)});
  }

 private:
  void thin(std::vector<RunContact>& contacts) const {
    std::stable_sort(contacts.begin(), contacts.end(), [](const RunContact& x, const RunContact& y) {
      return x.force.squaredNorm() > y.force.squaredNorm();
    });
    if (contacts.size() > most_) contacts.resize(most_);
  }

  static void append(std::vector<float>& numbers, const RunContact& contact) {
    numbers.push_back(static_cast<float>(contact.frame));
    for (const Vec3* v : {&contact.point, &contact.normal, &contact.force})
      for (int axis = 0; axis < 3; ++axis) numbers.push_back(static_cast<float>((*v)[axis]));
    numbers.push_back(static_cast<float>(contact.a));
    numbers.push_back(static_cast<float>(contact.b));
  }

  std::vector<std::vector<RunContact>> by_frame_;
  std::vector<std::uint32_t> counts_;
  std::size_t most_;  // of a frame
};

bool is_there(const std::string& file) {
  std::error_code problem;
  return std::filesystem::exists(file, problem);
}

// The fine surface has a row for each whole frame, if the recording went to its end.
std::optional<PageBody> dense_body(const std::string& folder, const RunBody& recorded, std::size_t frames) {
  const std::string mesh_file = file_in(folder, recorded.name + ".dense.ply");
  const std::string motion_file = file_in(folder, recorded.name + ".dense.npy");
  if (!recorded.dense || !is_there(mesh_file) || !is_there(motion_file)) return std::nullopt;
  const MeshPtr mesh = read_mesh(mesh_file);
  MotionReadOptions options;
  options.mesh = mesh;
  const auto source = open_motion(motion_file, options);
  if (source->frame_count() != frames) return std::nullopt;
  return PageBody{recorded.name, recorded.kind, mesh, Motion::from_source(source)};
}

PageBody page_body(const std::string& folder, const RunInfo& info, const RunBody& recorded,
                   const std::vector<std::size_t>& rows) {
  if (auto dense = dense_body(folder, recorded, rows.size())) return *std::move(dense);
  const MeshPtr mesh = read_mesh(file_in(folder, recorded.name + ".ply"));
  if (recorded.kind == "fixed") return {recorded.name, recorded.kind, mesh, Motion::at_rest(mesh)};
  MotionReadOptions options;
  options.mesh = mesh;
  options.last = info.checkpoint.rows - 1;
  auto source = open_motion(file_in(folder, recorded.name + ".npy"), options);
  if (source->frame_count() != info.checkpoint.rows)
    throw Error(ErrorPlace{.file = file_in(folder, recorded.name + ".npy")}, "has fewer rows than run.json says",
                "it was changed: record anew");
  return {recorded.name, recorded.kind, mesh,
          Motion::from_source(std::make_shared<ChosenFrames>(std::move(source), rows))};
}

void add_statistics(const std::string& folder, const RunInfo& info, PageContent& content) {
  RunStatistics statistics = read_run_statistics(folder, info);
  std::vector<float> numbers(statistics.numbers.begin(), statistics.numbers.end());
  content.arrays.push_back({"statistics", std::move(numbers)});
  content.fields = [columns = std::move(statistics.columns)](JsonWriter& json) {
    json.new_line().key("statistics").begin_array();
    for (const std::string& column : columns) json.value(column);
    json.end_array();
  };
}

// Of the run, where nothing else is asked for. Motions that are made had none.
RunOverlaySettings overlay_settings(const RunInfo& info, RunOverlaySettings wanted) {
  if (!wanted.method.empty()) return wanted;
  wanted.method = info.method_in_use.empty() ? info.method : info.method_in_use;
  if (wanted.method.empty() || wanted.method == "auto") wanted.method = "kinetic";
  return wanted;
}

void add_run_overlay(const RunInfo& info, const RunOverlaySettings& settings, PageContent& content) {
  if (settings.method == "none") return;
  const auto fields = add_overlay(content, overlay_settings(info, settings), wanted_pairs(info));
  content.fields = [before = std::move(content.fields), fields](JsonWriter& json) {
    before(json);
    fields(json);
  };
}

// run.json as far as it is anybody's business who gets the page.
std::string document_of(RunInfo info) {
  info.scene_folder.clear();
  info.scene_file = std::filesystem::path(info.scene_file).filename().string();
  for (auto& [name, file] : info.meshes) file = std::filesystem::path(file).filename().string();
  return format_run(info);
}

}  // namespace

PageWritten write_run_page(const std::string& folder, const std::string& path, const PageTemplate& page,
                           const RunPageSettings& settings) {
  const RunInfo info = read_run(folder);
  std::vector<double> times = read_times(file_in(folder, "times.npy"));
  if (times.size() < info.checkpoint.rows)
    throw Error(ErrorPlace{.file = file_in(folder, "times.npy")}, "has fewer rows than run.json says",
                "it was changed: record anew");
  times.resize(info.checkpoint.rows);
  const std::vector<std::size_t> rows = whole_frames(times);

  PageContent content;
  content.title = info.scene;
  content.up = 'z';
  for (const std::size_t row : rows) content.times.push_back(times[row]);
  for (const RunBody& body : info.bodies) content.bodies.push_back(page_body(folder, info, body, rows));
  const auto frames = static_cast<std::size_t>(std::max(1.0, content.times.back()));
  DrawnContacts contacts(frames, settings.most_contacts);
  read_run_contacts(folder, info, [&](const RunContact& contact) { contacts.add(contact); });
  contacts.add_to(content);
  add_statistics(folder, info, content);
  add_run_overlay(info, settings.overlay, content);
  content.document = document_of(info);
  return write_page(path, page, content, settings.most_bytes);
}

}  // namespace pliant
