#include "pliant/detect/moving/moving_run.h"

#include <algorithm>

namespace pliant {

void SweptFindings::take(SweptTaskHits&& found) {
  hits.insert(hits.end(), found.hits.begin(), found.hits.end());
  if (found.best) hits.push_back(*found.best);
  found.hits = {};
  counters.add("pair_tests", found.pair_tests);
}

// Bodies that stand still at a time, to be moved on from there.
SweptScene MovingRun::scene_before(double start) const {
  SweptScene scene;
  scene.goal = input_.goal;
  scene.min_separation = settings_.min_separation;
  scene.threads = settings_.threads;
  scene.filter = input_.filter;
  scene.wants_bodies = input_.wants;
  for (const BodyId id : input_.detector.body_ids()) {
    SweptBody& body = scene.bodies.emplace_back();
    body.id = id;
    body.x_t1 = motions_[scene.bodies.size() - 1].positions_at(start);
  }
  return scene;
}

void MovingRun::move_on(SweptScene& scene, Interval segment) const {
  scene.segment = segment;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    SweptBody& swept = scene.bodies[i];
    pliant::move_on(swept, input_.detector.body(swept.id), motions_[i].positions_at(segment.t1), settings_.weld,
                    settings_.threads);
  }
}

namespace {

bool is_over(SweptGoal goal, const std::vector<SweptHit>& hits) {
  if (goal == SweptGoal::all) return false;
  const auto certain = [](const SweptHit& hit) { return hit.result.status == CcdStatus::hit; };
  return goal == SweptGoal::any ? std::any_of(hits.begin(), hits.end(), certain) : !hits.empty();
}

// All but the first of those that were found as best by one piece each.
void drop_later(SweptGoal goal, std::vector<SweptHit>& hits) {
  const auto competes = [goal](const SweptHit& hit) { return goal == SweptGoal::earliest || !hit.result.initial; };
  const auto later = std::find_if(hits.begin(), hits.end(), competes);
  if (later == hits.end()) return;
  hits.erase(std::remove_if(later + 1, hits.end(), competes), hits.end());
}

}  // namespace

void MovingRun::summarise(const SweptScene& scene, SweptFindings& findings) {
  parallel_sort(settings_.threads, findings.hits.begin(), findings.hits.end(), std::less<>());
  if (scene.wants_first_only()) drop_later(scene.goal, findings.hits);
  report_.counters.merge(findings.counters);
  report_.counters.add("contacts", findings.hits.size());
  report_.counters.add("segments", 1);
  for (const UnresolvedPair& pair : findings.unresolved) report_.bound = std::max(report_.bound, pair.bound);
  for (const SweptHit& hit : findings.hits) {
    report_.bound = std::max(report_.bound, distance_bound(scene, hit));
    if (hit.result.status != CcdStatus::hit) report_.guarantee = Guarantee::conservative;
  }
  if (findings.unresolved.empty()) return;
  report_.counters.add("unresolved_regions", findings.unresolved.size());
  report_.complete = false;
  report_.guarantee = Guarantee::conservative;
}

std::vector<Contact> MovingRun::contacts(const SweptScene& scene, SweptFindings findings) const {
  std::vector<Contact> all(findings.hits.size());
  parallel_for(settings_.threads, all.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) all[i] = contact_of(scene, findings.hits[i]);
  });
  const auto middle = static_cast<std::ptrdiff_t>(all.size());
  const std::vector<Contact> possible = possible_contacts(findings.unresolved, scene.segment.t0);
  all.insert(all.end(), possible.begin(), possible.end());
  std::inplace_merge(all.begin(), all.begin() + middle, all.end(), earlier);
  return all;
}

// At the start of the next segment any two features of two bodies are both in the box around the two.
std::vector<UnresolvedPair> MovingRun::whole_bodies_after(const SweptScene& scene) const {
  std::vector<Aabb> boxes;
  for (const SweptBody& body : scene.bodies) boxes.push_back(Aabb::of_points(body.x_t1.positions()));
  std::vector<UnresolvedPair> pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i; j < boxes.size(); ++j)
      if (scene.wants({i, j}))
        pairs.push_back({region_feature(scene.bodies[i].id, 0), region_feature(scene.bodies[j].id, 0),
                         united(boxes[i], boxes[j]).diagonal()});
  return pairs;
}

// False if the sink stopped it.
bool MovingRun::deliver(const std::vector<Contact>& contacts, ContactSink* sink) {
  if (!sink) {
    report_.contacts.insert(report_.contacts.end(), contacts.begin(), contacts.end());
    return true;
  }
  for (const Contact& contact : contacts) {
    if (sink->contact(contact) == Flow::go_on) continue;
    report_.complete = false;
    report_.stopped_by = StopReason::sink;
    return false;
  }
  return true;
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
  SweptScene scene = scene_before(borders[0]);
  for (std::size_t k = 0; k + 1 < borders.size(); ++k) {
    move_on(scene, {borders[k], borders[k + 1]});
    const bool ends_here = k + 2 == borders.size();
    scene.last = ends_here && !input_.detector.open_end();
    const auto segments = static_cast<double>(borders.size() - 1);
    tasks_.set_share(static_cast<double>(k) / segments, static_cast<double>(k + 1) / segments);
    SweptFindings findings = search(scene, tasks_);
    summarise(scene, findings);
    report_.stopped_by = state_.reason();
    const bool over = is_over(input_.goal, findings.hits);
    if (!deliver(contacts(scene, std::move(findings)), sink) || over) break;
    if (report_.complete) continue;
    if (!ends_here) {
      const std::vector<UnresolvedPair> pairs = whole_bodies_after(scene);
      for (const UnresolvedPair& pair : pairs) report_.bound = std::max(report_.bound, pair.bound);
      deliver(possible_contacts(pairs, scene.segment.t1), sink);
    }
    break;
  }
  return std::move(report_);
}

}  // namespace pliant
