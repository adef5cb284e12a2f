#include "pliant/detect/kinetic/stream_detector.h"

#include <algorithm>
#include <cmath>

#include "pliant/detect/moving/moving_detector.h"

namespace pliant::kinetic {

// ---- state ----

void StreamDetector::start_afresh() {
  active_ = false;
  pending_.clear();
  at_end_.clear();
  changes_.clear();
  repeated_.clear();
}

void StreamDetector::forget_time(double t) {
  start_afresh();
  reached_ = t;
}

// Nothing that was found about the body holds any more; what was found about others does.
void StreamDetector::start_again(BodyId body) {
  drop_pending_of({body});
  changes_.add_body(body);
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
  for (const BodyId id : body_ids()) changes_.add_body(id);
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

double StreamDetector::segment_end(double now, double otherwise) const {
  double end = std::numeric_limits<double>::infinity();
  for (const BodyId id : body_ids()) end = std::min(end, next_keyframe(body(id).motion, now));
  return std::isfinite(end) ? end : otherwise;
}

StreamQuery StreamDetector::query_of(Interval segment) const {
  StreamQuery query;
  query.swept.segment = segment;
  // Of the contacts that are wanted only the stream knows which come first.
  if (settings().candidates_only) query.swept.goal = SweptGoal::candidates;
  query.swept.min_separation = settings().min_separation;
  query.swept.initial_suffices = settings().initial_suffices;
  query.swept.threads = settings().threads;
  query.swept.filter = feature_filter();
  query.swept.wants_bodies = [this](BodyId a, BodyId b) { return wants_bodies(a, b); };
  for (const BodyId id : body_ids()) {
    const Body& one = body(id);
    query.swept.bodies.push_back(
        sweep_body(id, one, one.motion.positions_at(segment.t0), one.motion.positions_at(segment.t1), settings().weld));
  }
  query.changed.assign(query.swept.bodies.size(), 1);
  return query;
}

bool StreamDetector::begin_segment(Run& run, double now) {
  const Interval segment{now, segment_end(now, run.interval.t1)};
  StreamQuery query = query_of(segment);  // may throw for a frame that cannot be had
  // What is left is due now, but for what the new segment will find at its start.
  drop_pending_of(changes_.bodies());
  at_end_.clear();
  if (pending_.empty()) {
    queries_.clear();
    run.tasks.release();
  }
  repeated_.begin_segment();
  const bool replanned = active_ && !changes_.empty();
  segment_ = segment;
  changes_.clear();
  active_ = true;
  query.replanned = replanned;
  run.report.counters.add("segments", 1);
  return begin_query(run, std::move(query));
}

bool StreamDetector::begin_query(Run& run, StreamQuery query) {
  const StreamQuery& added = queries_.add(std::move(query));
  run.unresolved_from = added.swept.segment.t0;
  return absorb(run, begin(added, run.tasks));
}

// Needed are the queries of what is pending, and for every body the last one that it was new in.
void StreamDetector::drop_unused_queries() {
  std::vector<const StreamQuery*> needed;
  pending_.each([&](const StreamHit& found) { needed.push_back(found.query); });
  for (const StreamHit& found : at_end_) needed.push_back(found.query);
  queries_.drop_unused(std::move(needed), body_ids());
}

// The latest query has every body as it was planned last.
bool StreamDetector::goes_on_as_before(BodyId id, double now) const {
  if (!has_body(id) || changes_.was_replaced(id)) return false;
  const SweptQuery& query = queries_.latest().swept;
  const auto was = std::find_if(query.bodies.begin(), query.bodies.end(), [id](const auto& b) { return b.id == id; });
  if (was == query.bodies.end()) return false;
  const Motion& motion = body(id).motion;
  if (next_keyframe(motion, now) < segment_.t1) return false;
  return motion.positions_at(query.segment.t0).same_as(was->x_t0) &&
         motion.positions_at(segment_.t1).same_as(was->x_t1);
}

bool StreamDetector::replan(Run& run, double now) {
  std::vector<BodyId> changed;
  for (const BodyId id : changes_.bodies())
    if (!goes_on_as_before(id, now)) changed.push_back(id);
  changes_.clear();
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
  StreamQuery query = query_of({now, end});
  for (std::size_t i = 0; i < query.changed.size(); ++i)
    query.changed[i] = std::find(changed.begin(), changed.end(), query.swept.bodies[i].id) != changed.end() ? 1 : 0;
  query.replanned = true;
  run.report.counters.add("replans", 1);
  const bool finished = begin_query(run, std::move(query));
  drop_unused_queries();
  return finished;
}

bool StreamDetector::prepare(Run& run, double now) {
  if (!active_ || now >= segment_.t1) return begin_segment(run, now);
  return changes_.empty() || replan(run, now);
}

// ---- what was found ----

// Whether the interval ends with the segment, and what meets only then belongs to it.
bool StreamDetector::is_closed_at_end(const Run& run) const { return run.interval.t1 == segment_.t1 && !open_end(); }

// False if the search was interrupted, or this was: there may be millions.
bool StreamDetector::absorb(Run& run, StreamFindings findings) {
  constexpr std::size_t kAskEvery = 256;
  run.report.counters.merge(findings.counters);
  run.unresolved = std::move(findings.unresolved);
  const bool ends_here = is_closed_at_end(run);
  std::size_t seen = 0;
  bool late = false;
  for (HitBlock& block : findings.blocks) {
    for (const SweptHit& hit : block.hits) {
      late = late || (++seen % kAskEvery == 0 && run.state.is_late());
      if (late) break;
      const StreamHit found{hit, block.query};
      if (repeated_.holds(found, instant())) continue;
      if (ends_here) {
        pending_.push(found);
        continue;
      }
      // As in CandidateSolver: what meets at the very end only is the next segment's.
      const std::optional<SweptHit> before_end = without_end(block.query->swept, hit);
      if (before_end) pending_.push({*before_end, block.query});
      if (!before_end || before_end->time < hit.time) at_end_.push_back(found);
    }
    const std::vector<SweptBody>& bodies = block.query->swept.bodies;
    if (late) run.unresolved.push_back(whole_bodies(bodies[block.pair.a], bodies[block.pair.b]));
    block.hits = {};
  }
  return run.unresolved.empty();
}

// ---- delivery ----

StreamDetector::Outcome StreamDetector::deliver(Run& run, const StreamHit& found) {
  const SweptQuery& query = found.query->swept;
  const SweptHit& hit = found.hit;
  if (found.query->replanned && repeated_.are_at_rest(hit)) return Outcome::arrived;
  Contact contact = contact_of(query, hit);
  if (found.query->replanned && repeated_.come_to_rest(found, instant())) {
    contact = possible_contacts({{region_feature(hit.a.body, 0), region_feature(hit.b.body, 0), 0}}, hit.time)[0];
    contact.relation = Relation::touching;
    run.report.guarantee = Guarantee::conservative;
    run.report.bound = std::numeric_limits<double>::infinity();
  }
  repeated_.add(hit, instant());
  run.report.bound = std::max(run.report.bound, distance_bound(query, hit));
  if (!hit.is_certain()) run.report.guarantee = Guarantee::conservative;
  reached_ = std::max(reached_, hit.time);
  if (!run.deliver(contact)) return Outcome::stopped;
  return changes_.empty() ? Outcome::arrived : Outcome::changed;
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
    if (!run.may_deliver()) return Outcome::interrupted;
    const Outcome outcome = deliver(run, pending_.pop());
    if (outcome != Outcome::arrived) return outcome;
    if (settings().earliest && run.delivered > 0) return Outcome::stopped;
  }
}

// As whole bodies.
std::vector<UnresolvedPair> StreamDetector::all_pairs() const {
  std::vector<UnresolvedPair> pairs;
  const std::vector<BodyId> ids = body_ids();
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t j = i; j < ids.size(); ++j)
      if (wants_bodies(ids[i], ids[j]))
        pairs.push_back(
            {region_feature(ids[i], 0), region_feature(ids[j], 0), std::numeric_limits<double>::infinity()});
  return pairs;
}

// Of what is known and not yet delivered: all, or, after the deadline, the first few, and pairs of bodies for the rest.
std::vector<Contact> StreamDetector::known_contacts(Run& run) {
  std::vector<Contact> contacts;
  const auto is_due = [&] { return !pending_.empty() && pending_.first().hit.time <= run.interval.t1; };
  const auto may_deliver_more = [&] {
    return contacts.size() < Run::kAtLeast ||
           (run.state.reason() != StopReason::memory && (contacts.size() % 32 != 0 || !run.state.is_late()));
  };
  while (is_due() && may_deliver_more()) {
    const StreamHit found = pending_.pop();
    contacts.push_back(contact_of(found.query->swept, found.hit));
    run.report.bound = std::max(run.report.bound, distance_bound(found.query->swept, found.hit));
  }
  if (!is_due()) return contacts;
  run.report.counters.add("contacts_left_out", pending_.size());
  run.report.bound = std::numeric_limits<double>::infinity();
  for (const Contact& c : possible_contacts(all_pairs(), pending_.first().hit.time)) contacts.push_back(c);
  return contacts;
}

// Everything that is known, and what is not.
void StreamDetector::finish_interrupted(Run& run) {
  std::vector<Contact> contacts = known_contacts(run);
  if (segment_.t1 < run.interval.t1) {
    run.report.bound = std::numeric_limits<double>::infinity();
    for (const Contact& c : possible_contacts(all_pairs(), segment_.t1)) contacts.push_back(c);
  }
  for (const Contact& c : possible_contacts(run.unresolved, run.unresolved_from)) contacts.push_back(c);
  for (const UnresolvedPair& pair : run.unresolved) run.report.bound = std::max(run.report.bound, pair.bound);
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
    const double end = active_ && now < segment_.t1 ? segment_.t1 : segment_end(now, interval.t1);
    run.tasks.set_progress_range((now - interval.t0) / interval.length(),
                                 (std::min(interval.t1, end) - interval.t0) / interval.length());
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
