#include "pliant/detect/kinetic/stream_detector.h"

#include <algorithm>
#include <cmath>

#include "pliant/detect/feature_vertices.h"
#include "pliant/detect/moving/moving_detector.h"

namespace pliant::kinetic {

// One call of detect().
class StreamDetector::Run {
 public:
  Run(const DetectorSettings& settings, const Interval& over, const Budget& budget, ContactSink* to)
      : interval(over), sink(to), state(budget), tasks(state, settings.threads) {
    report.complete = true;
    report.guarantee = settings.min_separation > 0 ? Guarantee::conservative : Guarantee::exact;
    report.bound = settings.min_separation;
  }

  bool deliver(const Contact& contact) {
    ++delivered;
    if (!sink) {
      report.contacts.push_back(contact);
      return true;
    }
    if (sink->contact(contact) == Flow::go_on) return true;
    report.complete = false;
    report.stopped_by = StopReason::sink;
    return false;
  }

  Interval interval;
  ContactSink* sink;
  BudgetState state;
  SweptTasks tasks;
  Report report;
  std::size_t delivered = 0;
  std::vector<UnresolvedPair> unresolved;
  double unresolved_from = 0;
};

// ---- state ----

void StreamDetector::start_afresh() {
  active_ = false;
  pending_.clear();
  at_end_.clear();
  changed_.clear();
  replaced_.clear();
  last_pairs_.clear();
  rests_.clear();
}

void StreamDetector::forget_time(double t) {
  start_afresh();
  reached_ = t;
}

// Nothing that was found about the body holds any more; what was found about others does.
void StreamDetector::start_again(BodyId body) {
  drop_pending_of({body});
  changed_.push_back(body);
  replaced_.push_back(body);
}

void StreamDetector::body_removed(BodyId body) {
  start_again(body);
  forget_body(body);
}

void StreamDetector::mesh_replaced(BodyId body, const MeshMaps& maps) {
  start_again(body);
  change_mesh(body, maps);
}

// What was found went by the old filter, and so did what was left out.
void StreamDetector::filter_changed() {
  for (const BodyId id : body_ids()) {
    changed_.push_back(id);
    replaced_.push_back(id);
  }
}

void StreamDetector::drop_pending_of(const std::vector<BodyId>& bodies) {
  const auto gone = [&](const StreamHit& found) {
    return std::any_of(bodies.begin(), bodies.end(), [&](BodyId body) { return involves(found.hit, body); });
  };
  pending_.remove_if(gone);
  at_end_.erase(std::remove_if(at_end_.begin(), at_end_.end(), gone), at_end_.end());
}

double StreamDetector::instant() const {
  return kInstant * segment_.length() + 0x1p-50 * std::max(std::abs(segment_.t0), std::abs(segment_.t1));
}

// ---- segments ----

namespace {

// The first keyframe after t; infinity if there is none.
double next_keyframe(const Motion& motion, double t) {
  std::size_t low = 0;
  std::size_t high = motion.frame_count();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (motion.time_of(middle) > t) high = middle;
    else low = middle + 1;
  }
  return low < motion.frame_count() ? motion.time_of(low) : std::numeric_limits<double>::infinity();
}

}  // namespace

double StreamDetector::segment_end(double now, double otherwise) const {
  double end = std::numeric_limits<double>::infinity();
  for (const BodyId id : body_ids()) end = std::min(end, next_keyframe(body(id).motion, now));
  return std::isfinite(end) ? end : otherwise;
}

StreamScene StreamDetector::scene_of(Interval segment) const {
  StreamScene scene;
  scene.swept.segment = segment;
  // Of the contacts that are wanted only the stream knows which come first.
  if (settings().candidates_only) scene.swept.goal = SweptGoal::candidates;
  scene.swept.min_separation = settings().min_separation;
  scene.swept.threads = settings().threads;
  scene.swept.filter = feature_filter();
  scene.swept.wants_bodies = [this](BodyId a, BodyId b) { return wants_bodies(a, b); };
  for (const BodyId id : body_ids()) {
    const Body& one = body(id);
    scene.swept.bodies.push_back(
        sweep_body(id, one, one.motion.positions_at(segment.t0), one.motion.positions_at(segment.t1), settings().weld));
  }
  scene.changed.assign(scene.swept.bodies.size(), 1);
  return scene;
}

bool StreamDetector::begin_segment(Run& run, double now) {
  const Interval segment{now, segment_end(now, run.interval.t1)};
  StreamScene scene = scene_of(segment);  // may throw for a frame that cannot be had
  // What is left is due now, but for what the new segment will find at its start.
  drop_pending_of(changed_);
  at_end_.clear();
  if (pending_.empty()) scenes_.clear();
  rests_.clear();
  const bool replanned = active_ && !changed_.empty();
  segment_ = segment;
  changed_.clear();
  replaced_.clear();
  active_ = true;
  scene.replanned = replanned;
  run.report.counters.add("segments", 1);
  return begin_scene(run, std::move(scene));
}

bool StreamDetector::begin_scene(Run& run, StreamScene scene) {
  scene.number = ++scene_count_;
  scenes_.push_back(std::make_unique<StreamScene>(std::move(scene)));
  run.unresolved_from = scenes_.back()->swept.segment.t0;
  return absorb(run, begin(*scenes_.back(), run.tasks));
}

// Needed are the scenes of what is pending, and for every body the last one that it was new in.
void StreamDetector::drop_unused_scenes() {
  std::vector<const StreamScene*> needed;
  pending_.each([&](const StreamHit& found) { needed.push_back(found.scene); });
  for (const StreamHit& found : at_end_) needed.push_back(found.scene);
  for (const BodyId id : body_ids()) {
    const auto is_new = [id](const std::unique_ptr<StreamScene>& scene) {
      for (std::size_t i = 0; i < scene->changed.size(); ++i)
        if (scene->swept.bodies[i].id == id) return scene->changed[i] != 0;
      return false;
    };
    const auto last = std::find_if(scenes_.rbegin(), scenes_.rend(), is_new);
    if (last != scenes_.rend()) needed.push_back(last->get());
  }
  std::sort(needed.begin(), needed.end());
  const auto unused = [&](const std::unique_ptr<StreamScene>& scene) {
    return scene != scenes_.back() && !std::binary_search(needed.begin(), needed.end(), scene.get());
  };
  scenes_.erase(std::remove_if(scenes_.begin(), scenes_.end() - 1, unused), scenes_.end() - 1);
}

// The latest scene has every body as it was planned last.
bool StreamDetector::goes_on_as_before(BodyId id, double now) const {
  if (!has_body(id) || std::find(replaced_.begin(), replaced_.end(), id) != replaced_.end()) return false;
  const SweptScene& scene = scenes_.back()->swept;
  const auto was = std::find_if(scene.bodies.begin(), scene.bodies.end(), [id](const auto& b) { return b.id == id; });
  if (was == scene.bodies.end()) return false;
  const Motion& motion = body(id).motion;
  if (next_keyframe(motion, now) < segment_.t1) return false;
  return motion.positions_at(scene.segment.t0).same_as(was->x_t0) &&
         motion.positions_at(segment_.t1).same_as(was->x_t1);
}

bool StreamDetector::replan(Run& run, double now) {
  std::vector<BodyId> changed;
  for (const BodyId id : changed_)
    if (!goes_on_as_before(id, now)) changed.push_back(id);
  changed_.clear();
  replaced_.clear();
  if (changed.empty()) return true;
  drop_pending_of(changed);
  double end = segment_.t1;
  for (const BodyId id : changed)
    if (has_body(id)) end = std::min(end, next_keyframe(body(id).motion, now));
  if (end < segment_.t1) {
    pending_.remove_if([end](const StreamHit& found) { return found.hit.time > end; });
    at_end_.clear();
    segment_.t1 = end;
  }
  StreamScene scene = scene_of({now, end});
  for (std::size_t i = 0; i < scene.changed.size(); ++i)
    scene.changed[i] = std::find(changed.begin(), changed.end(), scene.swept.bodies[i].id) != changed.end() ? 1 : 0;
  scene.replanned = true;
  run.report.counters.add("replans", 1);
  const bool finished = begin_scene(run, std::move(scene));
  drop_unused_scenes();
  return finished;
}

bool StreamDetector::prepare(Run& run, double now) {
  if (!active_ || now >= segment_.t1) return begin_segment(run, now);
  return changed_.empty() || replan(run, now);
}

// ---- what was found ----

namespace {

// Corners in the order of the mesh.
std::size_t fill(const SweptBody& body, const Feature& f, std::size_t at, CcdQuery& query) {
  for (const VertexId v : vertices_of(f, *body.mesh)) {
    query.x_t0[at] = body.x_t0.positions()[v.index()];
    query.x_t1[at++] = body.x_t1.positions()[v.index()];
  }
  return at;
}

}  // namespace

// As in CandidateSolver: such a pair is the next segment's.
bool StreamDetector::meets_only_at_end(const StreamHit& found) const {
  if (found.hit.result.t_hi < 1) return false;
  const SweptScene& scene = found.scene->swept;
  CcdQuery query;
  fill(scene.bodies[found.hit.body_b], found.hit.b, fill(scene.bodies[found.hit.body_a], found.hit.a, 0, query), query);
  const CcdKind kind = found.hit.a.kind == FeatureKind::vertex ? CcdKind::vertex_face : CcdKind::edge_edge;
  const CcdOptions options{.min_separation = scene.min_separation};
  const auto in = [&](Interval part) { return pair_ccd(kind, query, options, part).status; };
  return in({1, 1}) != CcdStatus::none && in({0, std::nextafter(1.0, 0.0)}) == CcdStatus::none;
}

// Whether the interval ends with the segment, and what meets only then belongs to it.
bool StreamDetector::is_closed_at_end(const Run& run) const { return run.interval.t1 == segment_.t1 && !open_end(); }

bool StreamDetector::is_repeated(const StreamHit& found) const {
  if (!found.scene->replanned || !found.hit.result.initial || found.hit.time > last_time_ + instant()) return false;
  return std::find(last_pairs_.begin(), last_pairs_.end(), std::pair(found.hit.a, found.hit.b)) != last_pairs_.end();
}

// False if the search was interrupted.
bool StreamDetector::absorb(Run& run, StreamFindings findings) {
  run.report.counters.merge(findings.counters);
  const bool ends_here = is_closed_at_end(run);
  for (const StreamHit& found : findings.hits) {
    if (is_repeated(found)) continue;
    if (!ends_here && meets_only_at_end(found)) at_end_.push_back(found);
    else pending_.push(found);
  }
  run.unresolved = std::move(findings.unresolved);
  return run.unresolved.empty();
}

// ---- delivery ----

StreamDetector::Rest& StreamDetector::rest_of(const SweptHit& hit) {
  const auto [a, b] = std::minmax(hit.a.body, hit.b.body);
  const auto known =
      std::find_if(rests_.begin(), rests_.end(), [a = a, b = b](const Rest& r) { return r.a == a && r.b == b; });
  if (known != rests_.end()) return *known;
  rests_.push_back({a, b});
  return rests_.back();
}

// Whether this is one contact too many at one instant.
bool StreamDetector::comes_to_rest(const StreamHit& found) {
  constexpr int kMostChanges = 100;
  Rest& rest = rest_of(found.hit);
  if (rest.scene == found.scene->number) return false;
  rest.changes = rest.scene != 0 && found.hit.time <= rest.time + instant() ? rest.changes + 1 : 0;
  rest.scene = found.scene->number;
  rest.time = found.hit.time;
  rest.resting = rest.changes >= kMostChanges;
  return rest.resting;
}

StreamDetector::Outcome StreamDetector::deliver(Run& run, const StreamHit& found) {
  const SweptScene& scene = found.scene->swept;
  const SweptHit& hit = found.hit;
  if (found.scene->replanned && rest_of(hit).resting) return Outcome::arrived;
  Contact contact = contact_of(scene, hit);
  if (found.scene->replanned && comes_to_rest(found)) {
    contact = possible_contacts({{region_feature(hit.a.body, 0), region_feature(hit.b.body, 0), 0}}, hit.time)[0];
    contact.relation = Relation::touching;
    run.report.guarantee = Guarantee::conservative;
    run.report.bound = std::numeric_limits<double>::infinity();
  }
  if (hit.time > last_time_ + instant()) last_pairs_.clear();
  if (last_pairs_.empty()) last_time_ = hit.time;
  last_pairs_.emplace_back(hit.a, hit.b);
  run.report.bound = std::max(run.report.bound, distance_bound(scene, hit));
  if (hit.result.status != CcdStatus::hit) run.report.guarantee = Guarantee::conservative;
  reached_ = std::max(reached_, hit.time);
  if (!run.deliver(contact)) return Outcome::stopped;
  return changed_.empty() ? Outcome::arrived : Outcome::changed;
}

// Delivers everything up to the target, which lies in the segment, or up to a contact that changes something.
StreamDetector::Outcome StreamDetector::flow_to(Run& run, double target) {
  if (is_closed_at_end(run)) {
    for (const StreamHit& found : at_end_) pending_.push(found);
    at_end_.clear();
  }
  while (true) {
    const bool due = !pending_.empty() && pending_.first().hit.time <= target;
    const double known = std::min(segment_.t1, (due ? pending_.first().hit.time : target) + instant());
    if (horizon() < known) {
      // Brackets of what is not found yet are narrower than this, and what was delivered lies a whole instant back.
      run.unresolved_from = std::max(segment_.t0, horizon() - 0.5 * instant());
      if (!absorb(run, advance(known, run.tasks))) return Outcome::interrupted;
      continue;
    }
    if (!due) return Outcome::arrived;
    const Outcome outcome = deliver(run, pending_.pop());
    if (outcome != Outcome::arrived) return outcome;
    if (settings().earliest && run.delivered > 0) return Outcome::stopped;
  }
}

// Everything that is known, and what is not.
void StreamDetector::finish_interrupted(Run& run) {
  std::vector<UnresolvedPair> rest;
  const std::vector<BodyId> ids = body_ids();
  if (segment_.t1 < run.interval.t1) {
    run.report.bound = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t j = i; j < ids.size(); ++j)
        if (wants_bodies(ids[i], ids[j])) rest.push_back({region_feature(ids[i], 0), region_feature(ids[j], 0), 0});
  }
  std::vector<Contact> contacts = possible_contacts(rest, segment_.t1);
  for (const Contact& c : possible_contacts(run.unresolved, run.unresolved_from)) contacts.push_back(c);
  for (const UnresolvedPair& pair : run.unresolved) run.report.bound = std::max(run.report.bound, pair.bound);
  pending_.each([&](const StreamHit& found) {
    if (found.hit.time > run.interval.t1) return;
    contacts.push_back(contact_of(found.scene->swept, found.hit));
    run.report.bound = std::max(run.report.bound, distance_bound(found.scene->swept, found.hit));
  });
  std::sort(contacts.begin(), contacts.end(), earlier);
  run.report.complete = false;
  run.report.guarantee = Guarantee::conservative;
  run.report.counters.add("unresolved_regions", run.unresolved.size());
  for (const Contact& c : contacts)
    if (!run.deliver(c)) return;
  run.report.stopped_by = run.state.reason();
}

Report StreamDetector::find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) {
  if (!active_ || reached_ != interval.t0) start_afresh();
  reached_ = interval.t0;
  Run run(settings(), interval, budget, sink);
  try {
    return find_contacts(run);
  } catch (...) {
    // A frame that cannot be had, or an error of the sink: half of a plan is none.
    start_afresh();
    throw;
  }
}

Report StreamDetector::find_contacts(Run& run) {
  const Interval& interval = run.interval;
  bool keep = true;
  for (double now = interval.t0; keep && now < interval.t1;) {
    run.tasks.set_share((now - interval.t0) / interval.length(),
                        (std::min(interval.t1, std::max(now, segment_.t1)) - interval.t0) / interval.length());
    const Outcome outcome = prepare(run, now) ? flow_to(run, std::min(interval.t1, segment_.t1)) : Outcome::interrupted;
    if (outcome == Outcome::stopped) break;
    if (outcome == Outcome::interrupted) {
      finish_interrupted(run);
      keep = false;
    }
    if (outcome == Outcome::arrived) reached_ = std::min(interval.t1, segment_.t1);
    now = reached_;
  }
  run.report.counters.add("contacts", run.delivered);
  if (!keep || settings().earliest) start_afresh();
  return std::move(run.report);
}

std::optional<bool> StreamDetector::find_any(const Interval& interval, const Budget& budget) {
  start_afresh();
  const std::optional<bool> any = Detector::find_any(interval, budget);
  start_afresh();
  return any;
}

}  // namespace pliant::kinetic
