#include "pliant/detect/still/still_detector.h"

#include <algorithm>

#include "pliant/detect/still/emitter.h"

namespace pliant {

void StillFindings::take(const TaskFindings& found) {
  hits.insert(hits.end(), found.hits.begin(), found.hits.end());
  counters.add("box_tests", found.box_tests);
  counters.add("triangle_tests", found.triangle_tests);
}

StillScene StillDetector::freeze_all(double time) {
  last_time_ = time;
  StillScene scene;
  scene.time = time;
  scene.filter = feature_filter();
  for (const BodyId id : body_ids()) scene.bodies.push_back(freeze(id, body(id), time, settings().weld));
  return scene;
}

Report StillDetector::find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) {
  const StillScene scene = freeze_all(interval.t0);
  BudgetState state(budget);
  StillFindings findings = search(scene, state, Goal::all);

  Report report;
  report.counters = std::move(findings.counters);
  report.complete = findings.unresolved.empty();
  report.stopped_by = state.reason();
  report.guarantee = report.complete ? Guarantee::exact : Guarantee::conservative;
  for (const UnresolvedPair& pair : findings.unresolved) report.bound = std::max(report.bound, pair.bound);
  report.counters.add("contacts", findings.hits.size());
  if (!report.complete) report.counters.add("unresolved_regions", findings.unresolved.size());

  StillEmitter emitter(scene, std::move(findings), settings().threads);
  if (emitter.emit(report, sink) == Flow::stop) {
    report.complete = false;
    report.stopped_by = StopReason::sink;
  }
  return report;
}

std::optional<bool> StillDetector::find_any(const Interval& interval, const Budget& budget) {
  const StillScene scene = freeze_all(interval.t0);
  BudgetState state(budget);
  const StillFindings findings = search(scene, state, Goal::any);
  if (!findings.hits.empty()) return true;
  if (findings.unresolved.empty()) return false;
  return std::nullopt;
}

UnresolvedPair StillDetector::whole_bodies(const StillBody& a, const StillBody& b) {
  const Aabb box = united(Aabb::of_points(a.frame.positions()), Aabb::of_points(b.frame.positions()));
  return {region_feature(a.id, 0), region_feature(b.id, 0), box.diagonal()};
}

std::optional<Region> StillDetector::find_region(BodyId id, std::uint32_t region) const {
  if (region != 0) return std::nullopt;
  std::vector<FaceId> faces;
  for (std::size_t f = 0; f < body(id).mesh->face_count(); ++f) faces.emplace_back(f);
  return region_of(std::move(faces), Aabb::of_points(body(id).motion.positions_at(last_time_).positions()));
}

}  // namespace pliant
