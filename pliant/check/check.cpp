#include "pliant/check/check.h"

#include <sstream>

#include "pliant/bounds/aabb.h"
#include "pliant/check/check_tally.h"
#include "pliant/check/motion_check.h"
#include "pliant/core/budget_poll.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/points.h"
#include "pliant/mesh/topology.h"

namespace pliant {

Budget search_budget(const CheckSettings& settings, const Budget& whole) {
  return settings.search_seconds ? whole & Budget::within_seconds(*settings.search_seconds) : whole;
}

CheckBody still_body(std::string name, MeshPtr mesh) {
  Motion rest = Motion::at_rest(mesh);
  return {std::move(name), std::move(mesh), std::move(rest)};
}

std::vector<MeshPtr> meshes_of(std::span<const CheckBody> bodies) {
  std::vector<MeshPtr> meshes;
  for (const CheckBody& body : bodies) meshes.push_back(body.mesh);
  return meshes;
}

void CheckSink::begin(const CheckReport&, std::span<const CheckBody>) {}
Flow CheckSink::contact(const CheckedContact&, const Detector&) { return Flow::go_on; }
void CheckSink::at_frame(std::size_t, std::span<const Contact>, const Detector&) {}
void CheckSink::note(const std::string&) {}

namespace {

std::vector<std::pair<std::string, std::size_t>> defects_of(const TriangleMesh& mesh) {
  const DefectReport found = find_defects(mesh, {.places = 0});
  std::vector<std::pair<std::string, std::size_t>> list{
      {"boundary_edges", found.boundary_edges.count},
      {"nonmanifold_edges", found.nonmanifold_edges.count},
      {"flipped_edges", found.flipped_edges.count},
      {"nonmanifold_vertices", found.nonmanifold_vertices.count},
      {"unreferenced_vertices", found.unreferenced_vertices.count},
      {"duplicate_vertices", found.duplicate_vertices.count},
      {"repeated_index_faces", found.repeated_index_faces.count},
      {"zero_area_faces", found.zero_area_faces.count},
      {"duplicate_faces", found.duplicate_faces.count},
  };
  std::erase_if(list, [](const auto& defect) { return defect.second == 0; });
  return list;
}

constexpr const char* kDefectsLeftOut = "defects of some bodies were not looked for: the budget was spent";

// The diagonal of the box around all bodies at the start.
double scene_size(std::span<const CheckBody> bodies) {
  Aabb box;
  for (const CheckBody& body : bodies)
    if (body.mesh && !body.motion.empty()) box.add(Aabb::of_points(body.motion.frame(0).positions()));
  return box.diagonal();
}

// What is known before anything is looked at.
CheckReport asked(std::span<const CheckBody> bodies, const CheckSettings& settings, const Budget& budget) {
  BudgetPoll poll(budget, 1);
  CheckReport report;
  report.method = settings.method;
  report.mode = settings.detector.mode;
  report.search_seconds = settings.search_seconds;
  report.scene_size = scene_size(bodies);
  for (const CheckBody& body : bodies) {
    if (!body.mesh) throw Error("body '" + body.name + "' has no mesh");
    if (is_points(*body.mesh)) {
      report.bodies.push_back({body.name, body.mesh->vertex_count(), 0, {}});
      continue;
    }
    report.bodies.push_back({body.name, body.mesh->vertex_count(), body.mesh->face_count(), {}});
    if (!poll.spent()) report.bodies.back().defects = defects_of(*body.mesh);
    else if (report.notes.empty()) report.notes.emplace_back(kDefectsLeftOut);
  }
  return report;
}

// The bodies' one instant goes straight to the tally.
class StillSink : public ContactSink {
 public:
  StillSink(CheckTally& tally, const Detector& detector) : tally_(tally), detector_(detector) {}
  Flow contact(const Contact& contact) override {
    if (contact.relation != Relation::possible) {
      tally_.meets_at_start(bodies_of(contact));  // there is nothing but the start
      tally_.affects(bodies_of(contact), 0);
    }
    return tally_.add(contact, 0, detector_);
  }

 private:
  CheckTally& tally_;
  const Detector& detector_;
};

// Of all that move, which must agree.
std::vector<double> frame_times(std::span<const CheckBody> bodies) {
  std::vector<double> times{0};
  const CheckBody* first = nullptr;
  for (const CheckBody& body : bodies) {
    if (!body.motion.moves()) continue;
    std::vector<double> own;
    for (std::size_t k = 0; k < body.motion.frame_count(); ++k) own.push_back(body.motion.time_of(k));
    if (first && own != times)
      throw Error("the motions of '" + first->name + "' and '" + body.name + "' have different frames",
                  "give all bodies that move the same number of frames, at the same times");
    first = &body;
    times = std::move(own);
  }
  return times;
}

double mean_edge_length(const CheckBody& body) {
  const Frame x = body.motion.frame(0);
  double sum = 0;
  for (const Edge& e : body.mesh->topology().edges())
    sum += (x.positions()[e[0].index()] - x.positions()[e[1].index()]).norm();
  return sum / static_cast<double>(body.mesh->topology().edges().size());
}

// Before a flood of contacts comes, not after it.
void warn_of_large_separation(std::span<const CheckBody> bodies, double separation, CheckTally& tally) {
  for (const CheckBody& body : bodies) {
    if (is_points(*body.mesh)) continue;
    const double edge = mean_edge_length(body);
    if (!(separation > edge)) continue;
    std::ostringstream text;
    text << "the separation " << separation << " is longer than the mean edge of '" << body.name << "' (" << edge
         << "): most neighbouring features are nearer to each other than that";
    tally.note(text.str());
  }
}

void require_separation_can_be_looked_for(const CheckSettings& settings, bool continuous, std::size_t frames) {
  if (settings.detector.min_separation == 0) return;
  if (!continuous)
    throw Error("a separation is looked for between frames, which this method does not look at",
                "choose a method for moving meshes, at all times");
  if (frames < 2) throw Error("a separation is looked for between frames, and there is one frame");
}

}  // namespace

CheckReport check_meshes(std::span<const CheckBody> bodies, const CheckSettings& given, const Budget& budget,
                         CheckSink* sink) {
  CheckSettings settings = given;
  if (settings.method.empty()) settings.method = "bvh";
  settings.allow_initial = false;
  require_separation_can_be_looked_for(settings, false, 1);
  const auto detector = make_detector(settings.method, settings.detector);
  if (!detector->info().still)
    throw Error("method '" + settings.method + "' answers about moving meshes only", "choose bvh, or check a motion");
  for (const CheckBody& body : bodies) detector->add_body(body.mesh, body.motion);
  if (settings.filter) detector->set_filter(settings.filter);

  CheckReport report = asked(bodies, settings, budget);
  CheckTally tally(bodies, settings, budget, sink, report);
  StillSink still(tally, *detector);
  const double start = frame_times(bodies).front();
  const Report found = detector->detect(Interval::instant(start), search_budget(settings, budget), &still);
  if (found.complete) tally.note_contained(start, budget);
  for (const auto& key : tally.pairs_that_meet()) tally.measure_depth(key, start);
  tally.finish(found);
  return report;
}

CheckReport check_animation(std::span<const CheckBody> bodies, const CheckSettings& given, const Budget& budget,
                            CheckSink* sink) {
  CheckSettings settings = given;
  if (settings.method.empty()) settings.method = settings.at_frames ? "bvh" : "kinetic";
  const bool continuous = method_info(settings.method).moving && !settings.at_frames;
  CheckReport report = asked(bodies, settings, budget);
  std::vector<double> times = frame_times(bodies);
  require_separation_can_be_looked_for(settings, continuous, times.size());
  report.moves = true;
  report.continuous = continuous;
  report.allow_initial = settings.allow_initial;
  report.earliest = settings.detector.earliest;
  report.min_separation = settings.detector.min_separation;
  report.frames = times.size();

  CheckTally tally(bodies, settings, budget, sink, report);
  if (settings.detector.min_separation > 0) warn_of_large_separation(bodies, settings.detector.min_separation, tally);
  tally.finish(MotionCheck(bodies, settings, std::move(times), budget, tally, continuous).run());
  return report;
}

}  // namespace pliant
