#include "pliant/detect/kinetic/event_machine.h"

#include <algorithm>
#include <cmath>

#include "pliant/detect/moving/face_candidates.h"

namespace pliant::kinetic {
namespace {

void add(EventCounts& sum, const KineticTree::Counts& c) {
  sum.trees.leaf_events += c.leaf_events;
  sum.trees.tree_events += c.tree_events;
  sum.trees.changes += c.changes;
}

void add(EventCounts& sum, const SeparationList::Counts& c) {
  sum.lists.overlap_events += c.overlap_events;
  sum.lists.fathers_events += c.fathers_events;
  sum.lists.leaves_events += c.leaves_events;
  sum.lists.box_changes += c.box_changes;
  sum.lists.reschedulings += c.reschedulings;
  sum.lists.pair_tests += c.pair_tests;
}

double largest_coordinate(std::span<const Vec3> positions) {
  double largest = 0;
  for (const Vec3& x : positions) largest = std::max(largest, x.lpNorm<Eigen::Infinity>());
  return largest;
}

}  // namespace

void EventMachine::PairSearch::enter(const StreamQuery& new_query, BodyPair new_pair) {
  query = &new_query;
  pair = new_pair;
  found = {};
  known.clear();
}

// ---- starting ----

void EventMachine::start_anew() {
  for (auto& search : searches_)
    if (search) retire(*search);
  searches_.clear();
  search_of_.clear();
  queue_.clear();
  broken_ = false;
}

void EventMachine::retire(PairSearch& search) {
  add(past_, search.list->counts());
  search_of_.erase(search.ids);
}

void EventMachine::forget(BodyId body) {
  for (auto& search : searches_) {
    if (!search || (search->ids.first != body && search->ids.second != body)) continue;
    retire(*search);
    search.reset();
  }
  const auto tree = trees_.find(body);
  if (tree == trees_.end()) return;
  add(past_, tree->second->counts());
  trees_.erase(tree);
  // Another tree may come in its place, and count its certificates from the beginning.
  EventQueue others;
  for (const Event& event : queue_)
    if (event.kind != EventKind::box || event.owner != body.value) others.push(event);
  queue_ = std::move(others);
}

// Never smaller within a segment: lists that go on rely on them. True if all of them have to be looked at again.
bool EventMachine::grow_tolerances(const SweptQuery& query) {
  double largest = 0;
  for (const SweptBody& body : query.bodies)
    largest = std::max({largest, largest_coordinate(body.x_t0.positions()), largest_coordinate(body.x_t1.positions())});
  if (largest <= largest_) return false;
  // For the whole segment: lists compare positions of trees that took off earlier.
  constexpr double kLarge = 0x1p900;
  if (largest_ < 0) scale_ = largest > kLarge ? 0x1p-100 : 1;
  largest_ = largest;
  tolerances_ = ListTolerances::of(scale_ * largest, scale_ * query.min_separation, padding_);
  return true;
}

void EventMachine::fly(const StreamQuery& query) {
  const Interval segment = query.swept.segment;
  for (std::size_t i = 0; i < query.swept.bodies.size(); ++i) {
    const SweptBody& body = query.swept.bodies[i];
    if (!query.changed[i]) continue;
    auto& tree = trees_[body.id];
    if (!tree)
      tree = std::make_unique<KineticTree>(*body.mesh, body.x_t0.positions(), query.swept.threads, body.id.value);
    tree->fly({body.x_t0.positions(), body.x_t1.positions(), fraction_of(segment.t0), fraction_of(segment.t1), scale_},
              queue_);
  }
}

// Bodies whose swept boxes are apart need no list in this segment.
void EventMachine::choose_pairs(const StreamQuery& query) {
  const auto& bodies = query.swept.bodies;
  std::vector<Aabb> boxes;
  for (const SweptBody& body : bodies) {
    Aabb box = Aabb::of_points(body.x_t0.positions());
    box.add(Aabb::of_points(body.x_t1.positions()));
    boxes.push_back(box.empty() ? box : grown(box, 2 * (tolerances_.pad + tolerances_.hysteresis) / scale_));
  }
  std::set<BodyIds> near;
  const auto wanted = [&](std::uint32_t a, std::uint32_t b) {
    return query.swept.wants({a, b}) && bodies[a].mesh->face_count() > 0 && bodies[b].mesh->face_count() > 0;
  };
  for (const BodyPair pair : overlapping_body_pairs(boxes, wanted)) {
    if (!query.is_new(pair)) continue;
    const BodyIds ids{bodies[pair.a].id, bodies[pair.b].id};
    near.insert(ids);
    const auto [at, added] = search_of_.emplace(ids, static_cast<std::uint32_t>(searches_.size()));
    if (added) {
      searches_.push_back(std::make_unique<PairSearch>());
      searches_.back()->ids = ids;
      searches_.back()->list = std::make_unique<SeparationList>(*trees_[ids.first], *trees_[ids.second], at->second);
    }
    searches_[at->second]->enter(query, pair);
  }
  const auto is_changed = [&](BodyId id) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i].id == id) return query.changed[i] != 0;
    return true;
  };
  for (auto& search : searches_) {
    if (!search || near.count(search->ids) || !(is_changed(search->ids.first) || is_changed(search->ids.second)))
      continue;
    retire(*search);
    search.reset();
  }
}

bool EventMachine::revise(const StreamQuery& query, bool all, BudgetMeter& meter) {
  for (auto& search : searches_)
    if (search && (all || search->query == &query) && !search->list->revise(clock(meter))) return false;
  return true;
}

bool EventMachine::begin(const StreamQuery& query, BudgetMeter& meter) {
  const bool whole = std::find(query.changed.begin(), query.changed.end(), 0) == query.changed.end();
  if (broken_) start_anew();
  hits_.clear();
  if (whole) {
    queue_.clear();
    base_ = query.swept.segment;
    largest_ = -1;
    now_ = 0;
    horizon_ = base_.t0;
    // Numbers of lists that were given up are used again.
    std::vector<std::unique_ptr<PairSearch>> kept;
    for (auto& search : searches_)
      if (search) kept.push_back(std::move(search));
    searches_ = std::move(kept);
    for (std::uint32_t i = 0; i < searches_.size(); ++i) {
      search_of_[searches_[i]->ids] = i;
      searches_[i]->list->set_owner(i);
    }
  }
  end_ = fraction_of(query.swept.segment.t1);
  const bool all = grow_tolerances(query.swept);
  fly(query);
  choose_pairs(query);
  broken_ = !revise(query, all, meter);
  broken_ = !test_open_leaves(meter) || broken_;
  return !broken_;
}

// ---- going on ----

double EventMachine::next_event() const {
  return queue_.empty() ? std::numeric_limits<double>::infinity() : queue_.top().time;
}

bool EventMachine::advance(double t, BudgetMeter& meter) {
  const double target = std::min(fraction_of(t), end_);
  while (!broken_ && hits_.empty() && next_event() <= target) {
    const Event event = queue_.top();
    queue_.pop();
    now_ = std::max(now_, event.time);
    broken_ = !meter.spend() || !handle(event, meter);
    broken_ = !test_open_leaves(meter) || broken_;
  }
  if (broken_) return false;
  if (!hits_.empty()) {
    horizon_ = std::clamp(base_.t0 + now_ * base_.length(), horizon_, t);
    return true;
  }
  now_ = std::max(now_, target);
  horizon_ = std::max(horizon_, t);
  return true;
}

bool EventMachine::handle(const Event& event, BudgetMeter& meter) {
  if (event.kind != EventKind::box) {
    const auto& search = searches_[event.owner];
    return !search || search->list->handle(event, clock(meter));
  }
  const auto tree = trees_.find(BodyId(event.owner));
  return tree == trees_.end() || !tree->second->handle(event, queue_) || update_lists(event.owner, meter);
}

bool EventMachine::update_lists(std::uint32_t body, BudgetMeter& meter) {
  KineticTree& tree = *trees_[BodyId(body)];
  for (auto& search : searches_) {
    if (!search) continue;
    for (const KineticTree::Change change : tree.changed()) {
      if (search->ids.first.value == body && !search->list->box_changed(true, change, clock(meter))) return false;
      if (search->ids.second.value == body && !search->list->box_changed(false, change, clock(meter))) return false;
    }
  }
  tree.clear_changed();
  return true;
}

// ---- polygons ----

// A pair of triangles is tested over the whole query when it opens. One that opens again is tested again, with the same
// result: hits that are known are dropped.
// False if it was too late for some.
bool EventMachine::test_open_leaves(BudgetMeter& meter) {
  for (auto& search : searches_) {
    if (!search || search->list->opened_leaves().empty()) continue;
    const SweptQuery& query = search->query->swept;
    CandidateSolver solver(query, search->pair, earliest_, search->found, meter.state());
    const KineticTree& a = *trees_[search->ids.first];
    const KineticTree& b = *trees_[search->ids.second];
    for (const NodePair leaves : search->list->opened_leaves()) {
      if (search->found.late) break;
      add_face_candidates(query, search->pair, a.face(leaves.a), b.face(leaves.b), solver);
    }
    past_.leaf_pairs += search->list->opened_leaves().size();
    search->list->clear_opened_leaves();
    solver.flush();
    past_.feature_tests += search->found.pair_tests;
    std::erase_if(search->found.hits, [&](const SweptHit& hit) { return !search->known.emplace(hit.a, hit.b).second; });
    const bool late = search->found.late;
    if (!search->found.hits.empty()) hits_.push_back({std::move(search->found.hits), search->pair, search->query});
    search->found = {};
    if (late) return false;
  }
  return true;
}

std::vector<HitBlock> EventMachine::release_hits() { return std::exchange(hits_, {}); }

std::size_t EventMachine::hit_count() const {
  std::size_t sum = 0;
  for (const HitBlock& block : hits_) sum += block.hits.size();
  return sum;
}

// ---- inspection ----

EventCounts EventMachine::counts() const {
  EventCounts sum = past_;
  for (const auto& [id, tree] : trees_) add(sum, tree->counts());
  for (const auto& search : searches_)
    if (search) add(sum, search->list->counts());
  return sum;
}

std::size_t EventMachine::list_size() const {
  std::size_t sum = 0;
  for (const auto& search : searches_) sum += search ? search->list->size() : 0;
  return sum;
}

std::size_t EventMachine::bytes() const {
  std::size_t sum = queue_.size() * sizeof(Event);
  for (const auto& [id, tree] : trees_) sum += tree->bytes();
  for (const auto& search : searches_) sum += search ? search->list->bytes() : 0;
  return sum;
}

const KineticTree* EventMachine::tree(BodyId body) const {
  const auto at = trees_.find(body);
  return at == trees_.end() ? nullptr : at->second.get();
}

const SeparationList* EventMachine::list(BodyId a, BodyId b) const {
  const auto at = search_of_.find({a, b});
  return at == search_of_.end() ? nullptr : searches_[at->second]->list.get();
}

}  // namespace pliant::kinetic
