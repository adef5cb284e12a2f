#include "pliant/detect/moving/moving_run.h"

#include <algorithm>

#include "pliant/detect/contact_delivery.h"

namespace pliant {

void SweptFindings::add(SweptTaskHits&& found) {
  if (!found.hits.empty() && (pairs.empty() || pairs.back() != found.pair)) pairs.push_back(found.pair);
  certain = certain || found.certain();
  hits.add(std::move(found.hits));
  if (found.best && (!best || *found.best < *best)) best = found.best;
  counters.add("pair_tests", found.pair_tests);
}

UnresolvedPair whole_bodies(const SweptBody& a, const SweptBody& b) {
  Aabb box;
  for (const SweptBody* body : {&a, &b})
    for (const Frame* frame : {&body->x_t0, &body->x_t1}) box.add(Aabb::of_points(frame->positions()));
  return {region_feature(a.id, 0), region_feature(b.id, 0), box.diagonal()};
}

// Bodies that stand still at a time, to be moved on from there.
SweptQuery MovingRun::query_before(double start) const {
  SweptQuery query;
  query.goal = input_.goal;
  query.min_separation = settings_.min_separation;
  query.initial_suffices = settings_.initial_suffices;
  query.threads = settings_.threads;
  query.filter = input_.filter;
  query.wants_bodies = input_.wants;
  for (const BodyId id : input_.detector.body_ids()) {
    SweptBody& body = query.bodies.emplace_back();
    body.id = id;
    body.x_t1 = motions_[query.bodies.size() - 1].positions_at(start);
  }
  return query;
}

void MovingRun::move_on(SweptQuery& query, Interval segment) const {
  query.segment = segment;
  for (std::size_t i = 0; i < query.bodies.size(); ++i) {
    SweptBody& swept = query.bodies[i];
    pliant::move_on(swept, input_.detector.body(swept.id), motions_[i].positions_at(segment.t1), settings_.weld,
                    settings_.threads);
  }
}

namespace {

bool is_over(SweptGoal goal, const SweptFindings& findings) {
  if (goal == SweptGoal::all) return false;
  return goal == SweptGoal::any ? findings.certain : findings.best || !findings.hits.empty();
}

std::vector<UnresolvedPair> left_out(const SweptQuery& query, std::vector<BodyPair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<UnresolvedPair> left;
  left.reserve(pairs.size());
  for (const BodyPair pair : pairs) left.push_back(whole_bodies(query.bodies[pair.a], query.bodies[pair.b]));
  return left;
}

}  // namespace

std::vector<Contact> MovingRun::unresolved_contacts(const std::vector<UnresolvedPair>& pairs, double from) {
  if (pairs.empty()) return {};
  for (const UnresolvedPair& pair : pairs) report_.bound = std::max(report_.bound, pair.bound);
  report_.counters.add("unresolved_regions", pairs.size());
  report_.complete = false;
  report_.guarantee = Guarantee::conservative;
  return possible_contacts(pairs, from);
}

void MovingRun::note(const SweptQuery& query, const SweptHit& hit) {
  report_.bound = std::max(report_.bound, distance_bound(query, hit));
  if (!hit.is_certain()) report_.guarantee = Guarantee::conservative;
}

Flow MovingRun::deliver(const SweptQuery& query, SweptFindings findings, ContactSink* sink) {
  if (findings.best) {
    const auto [first, second] = std::minmax(findings.best->body_a, findings.best->body_b);
    findings.pairs.push_back({first, second});
    findings.hits.add({*findings.best});
  }
  const std::size_t found = findings.hits.size();
  if (!findings.hits.sort(settings_.threads, state_, ContactDelivery::kAtLeast)) {
    const std::vector<UnresolvedPair> left = left_out(query, findings.pairs);
    findings.unresolved.insert(findings.unresolved.end(), left.begin(), left.end());
  }
  ContactDelivery delivery(report_, sink, state_, settings_.threads);
  delivery.deliver(
      findings.hits, unresolved_contacts(findings.unresolved, query.segment.t0),
      [&](const SweptHit& hit) { return contact_of(query, hit); }, [&](const SweptHit& hit) { note(query, hit); });
  if (!delivery.stopped_by_sink() && !findings.hits.empty())
    delivery.finish(unresolved_contacts(left_out(query, findings.pairs), findings.hits.first().time));
  report_.counters.merge(findings.counters);
  report_.counters.add("contacts", delivery.delivered());
  if (delivery.delivered() < found) report_.counters.add("contacts_left_out", found - delivery.delivered());
  report_.counters.add("segments", 1);
  tasks_.release();
  if (!report_.complete) report_.stopped_by = state_.reason();
  if (!delivery.stopped_by_sink()) return Flow::go_on;
  report_.complete = false;
  report_.stopped_by = StopReason::sink;
  return Flow::stop;
}

// At the start of the next segment any two features of two bodies are both in the box around the two.
std::vector<UnresolvedPair> MovingRun::whole_bodies_after(const SweptQuery& query) const {
  std::vector<Aabb> boxes;
  for (const SweptBody& body : query.bodies) boxes.push_back(Aabb::of_points(body.x_t1.positions()));
  std::vector<UnresolvedPair> pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i; j < boxes.size(); ++j)
      if (query.wants({i, j}))
        pairs.push_back({region_feature(query.bodies[i].id, 0), region_feature(query.bodies[j].id, 0),
                         united(boxes[i], boxes[j]).diagonal()});
  return pairs;
}

Report MovingRun::run(const Interval& interval, ContactSink* sink, Search search) {
  motions_.clear();
  for (const BodyId id : input_.detector.body_ids()) motions_.push_back(input_.detector.body(id).motion);
  std::vector<const Motion*> motions;
  for (const Motion& motion : motions_) motions.push_back(&motion);
  const std::vector<double> borders = segment_borders(motions, interval);
  report_ = {};
  report_.complete = true;
  report_.guarantee = settings_.min_separation > 0 ? Guarantee::conservative : Guarantee::exact;
  report_.bound = settings_.min_separation;
  SweptQuery query = query_before(borders[0]);
  for (std::size_t k = 0; k + 1 < borders.size(); ++k) {
    move_on(query, {borders[k], borders[k + 1]});
    const bool ends_here = k + 2 == borders.size();
    query.last = ends_here && !input_.detector.open_end();
    const auto segments = static_cast<double>(borders.size() - 1);
    tasks_.set_progress_range(static_cast<double>(k) / segments, static_cast<double>(k + 1) / segments);
    SweptFindings findings = search(query, tasks_);
    const bool over = is_over(input_.goal, findings);
    if (deliver(query, std::move(findings), sink) == Flow::stop || over) break;
    if (report_.complete) continue;
    if (!ends_here) {
      ContactDelivery delivery(report_, sink, state_, settings_.threads);
      delivery.finish(unresolved_contacts(whole_bodies_after(query), query.segment.t1));
    }
    break;
  }
  return std::move(report_);
}

}  // namespace pliant
