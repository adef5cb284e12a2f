#include "pliant/detect/still/still_detector.h"

#include <algorithm>

#include "pliant/detect/contact_delivery.h"
#include "pliant/detect/still/face_contacts.h"

namespace pliant {

void StillFindings::add(TaskFindings&& found) {
  pairs.insert(pairs.end(), found.pairs.begin(), found.pairs.end());
  hits.add(std::move(found.hits));
  counters.add("box_tests", found.box_tests);
  counters.add("triangle_tests", found.triangle_tests);
  if (found.candidates > 0) counters.add("pair_tests", found.candidates);
}

StillQuery StillDetector::freeze_all(double time) {
  last_time_ = time;
  StillQuery query;
  query.time = time;
  query.filter = feature_filter();
  query.candidates_only = settings().candidates_only;
  for (const BodyId id : body_ids()) query.bodies.push_back(freeze(id, body(id), time, settings().weld));
  return query;
}

// Pairs of whole bodies, of those whose first is `first` or behind it.
std::vector<UnresolvedPair> StillDetector::left_out(const StillQuery& query, std::vector<BodyPair> pairs,
                                                    std::uint32_t first) const {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<UnresolvedPair> left;
  for (const BodyPair pair : pairs)
    if (pair.a >= first) left.push_back(whole_bodies(query.bodies[pair.a], query.bodies[pair.b]));
  return left;
}

Report StillDetector::find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) {
  const StillQuery query = freeze_all(interval.t0);
  BudgetState state(budget);
  StillFindings findings = search(query, state, Goal::all);
  const std::size_t found = findings.hits.size();
  std::vector<UnresolvedPair>& open = findings.unresolved;
  const auto leave_out = [&](std::uint32_t first) {
    const std::vector<UnresolvedPair> left = left_out(query, findings.pairs, first);
    open.insert(open.end(), left.begin(), left.end());
    return possible_contacts(left, query.time);
  };

  Report report;
  ContactDelivery delivery(report, sink, state, settings().threads);
  if (!findings.hits.sort(settings().threads, state, ContactDelivery::kAtLeast)) leave_out(0);
  delivery.deliver(
      findings.hits, possible_contacts(open, query.time),
      [&](std::span<const FaceHit> hits, std::span<Contact> contacts) { make_contacts(query, hits, contacts); },
      [](const FaceHit&) {});
  if (!delivery.stopped_by_sink() && !findings.hits.empty()) delivery.finish(leave_out(findings.hits.first().body_a));

  report.counters = std::move(findings.counters);
  report.counters.add("contacts", delivery.delivered());
  if (delivery.delivered() < found) report.counters.add("contacts_left_out", found - delivery.delivered());
  if (!open.empty()) report.counters.add("unresolved_regions", open.size());
  for (const UnresolvedPair& pair : open) report.bound = std::max(report.bound, pair.bound);
  report.guarantee = findings.statistical ? Guarantee::statistical
                     : open.empty()       ? Guarantee::exact
                                          : Guarantee::conservative;
  report.complete = open.empty() && !findings.interrupted && !delivery.stopped_by_sink();
  if (!report.complete) report.stopped_by = delivery.stopped_by_sink() ? StopReason::sink : state.reason();
  return report;
}

std::optional<bool> StillDetector::find_any(const Interval& interval, const Budget& budget) {
  const StillQuery query = freeze_all(interval.t0);
  BudgetState state(budget);
  StillFindings findings = search(query, state, Goal::any);
  if (!findings.hits.empty()) return true;
  if (findings.unresolved.empty() && !findings.statistical) return false;
  return std::nullopt;
}

StillFindings StillDetector::nothing_found(const StillQuery& query) const {
  std::vector<Aabb> boxes;
  for (const StillBody& body : query.bodies) boxes.push_back(Aabb::of_points(body.frame.positions()));
  StillFindings findings;
  for (const BodyPair pair : overlapping_body_pairs(boxes, [&](std::uint32_t a, std::uint32_t b) {
         return wants(query, {a, b});
       }))
    findings.unresolved.push_back(whole_bodies(query.bodies[pair.a], query.bodies[pair.b]));
  return findings;
}

UnresolvedPair StillDetector::whole_bodies(const StillBody& a, const StillBody& b) {
  return unresolved_pair(region_feature(a.id, 0), Aabb::of_points(a.frame.positions()), region_feature(b.id, 0),
                         Aabb::of_points(b.frame.positions()));
}

std::optional<Region> StillDetector::find_region(BodyId id, std::uint32_t region) const {
  if (region != 0) return std::nullopt;
  std::vector<FaceId> faces;
  for (std::size_t f = 0; f < body(id).mesh->face_count(); ++f) faces.emplace_back(f);
  return region_of(std::move(faces), Aabb::of_points(body(id).motion.positions_at(last_time_).positions()));
}

}  // namespace pliant
