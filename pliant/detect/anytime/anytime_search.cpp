#include "pliant/detect/anytime/anytime_search.h"
#include "pliant/bounds/box_distances.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace pliant {
namespace {

// What steps take, in nanoseconds, on an ordinary processor. Only ratios matter: the pace measures.
constexpr std::uint32_t kPairTime = 70;
constexpr std::uint32_t kPushTime = 8;
constexpr std::uint32_t kKernelTime = 15;
constexpr std::uint32_t kLeafTime = 150;
constexpr std::uint32_t kFilterTime = 60;  // of four pairs of triangles
constexpr std::uint32_t kTriangleTime = 120;
constexpr std::uint32_t kContactTime = 600;

// Of squares: no more than twice as large.
constexpr float kNearlySame = 4;

// Leaves that are tested one after the other, so that memory can be asked for those behind.
constexpr std::size_t kLeavesTogether = 16;

std::array<float, 6> ends_of(const Aabb& box) {
  return {box.lo[0], box.lo[1], box.lo[2], box.hi[0], box.hi[1], box.hi[2]};
}

// Squared, in float as the kernels have it: it orders pairs and proves nothing.
float size_of(const Aabb& a, const Aabb& b) {
  float sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const float far = std::max(a.hi[i] - b.lo[i], b.hi[i] - a.lo[i]);
    sum += far * far;
  }
  return sum;
}

std::uint32_t level_of(const AnytimeBody& body, const OpenSide& side) {
  if (side.child.is_leaf()) return std::numeric_limits<std::uint32_t>::max();
  return body.tree().level[side.ref.node()];
}

OpenSide root_of(const AnytimeBody& body) { return {WideRef{}, body.tree().child(WideRef{}), body.box(WideRef{})}; }

// Of eight lanes; without a table, since processors that have an instruction for it are not asked for.
std::uint32_t count_of(unsigned lanes) {
  lanes -= lanes >> 1 & 0x55;
  lanes = (lanes & 0x33) + (lanes >> 2 & 0x33);
  return (lanes + (lanes >> 4)) & 0x0f;
}

// In place: a copy of what was just written number by number would have to wait for it.
void set(OpenSide& side, const WideNode& children, WideRef ref) {
  side.ref = ref;
  side.child = children.child[ref.lane()];
  for (std::size_t i = 0; i < 3; ++i) {
    side.box.lo[i] = children.boxes.lo[i][ref.lane()];
    side.box.hi[i] = children.boxes.hi[i][ref.lane()];
  }
}

// The larger of two that are not both leaves.
bool b_is_to_be_opened(const OpenPair& pair) {
  const OpenSide &a = pair.a, &b = pair.b;
  return a.child.is_leaf() || (!b.child.is_leaf() && size_of(b.box, b.box) >= size_of(a.box, a.box));
}

}  // namespace

void AnytimeSearch::start(const AnytimeSearchSettings& settings, Pace& pace) {
  settings_ = settings;
  pace_ = &pace;
  kernels_ = wide::kernels();
  decided_ = decided_filter();
  bodies_.clear();
  between_.clear();
  within_.clear();
  deep_.clear();
  deep_mode_ = false;  // a search may have ended in an exception
  met_leaves_.clear();
  settled_.clear();
  contacts_.clear();
  spent_between_ = spent_within_ = 0;
  counts_ = {};
  over_ = false;
}

void AnytimeSearch::add(const Bodies& bodies) {
  const auto number = static_cast<std::uint32_t>(bodies_.size());
  bodies_.push_back(bodies);
  const OpenPair pair{root_of(*bodies.a), root_of(*bodies.b), number};
  push(pair, size_of(pair.a.box, pair.b.box));
}

OpenPair& AnytimeSearch::make_room(std::uint32_t bodies, float size_sq) {
  if (deep_mode_) return deep_.emplace_back();
  return (bodies_[bodies].a == bodies_[bodies].b ? within_ : between_).make_room(size_sq);
}

bool AnytimeSearch::may_go_on() {
  counts_.most_pairs = std::max<std::uint64_t>(counts_.most_pairs, left_count());
  pace_->reserve(ns_at_least_ + ns_per_pair_ * to_visit() + ns_per_contact_ * contacts_.size());
  if (contacts_.size() > 1 && contacts_.size() * sizeof(Contact) > settings_.most_bytes) {
    pace_->state().stop(StopReason::memory);
    return false;
  }
  return !over_ && pace_->spend();
}

// Bodies with themselves have far more pairs that nothing can be said about soon: they get their share and no more
// while there is something else.
PairQueue& AnytimeSearch::next_queue() {
  const auto all = static_cast<double>(spent_between_ + spent_within_ + 1);
  const bool within_is_due = static_cast<double>(spent_within_) < settings_.self_share * all;
  const bool within = !within_.empty() && (between_.empty() || within_is_due);
  ++(within ? spent_within_ : spent_between_);
  return within ? within_ : between_;
}

bool AnytimeSearch::run() {
  const bool finished = go_through();
  for (const MetLeaves& met : met_leaves_) push(met.pair, met.size_sq);
  met_leaves_.clear();
  return finished;
}

bool AnytimeSearch::go_through() {
  while (left_to_look_at()) {
    if (!may_go_on()) return false;
    PairQueue& queue = next_queue();
    if (between_.size() + within_.size() >= settings_.most_pairs) {
      resolve_depth_first(queue.pop_smallest());
      if (!deep_.empty()) return false;
    } else {
      const OpenPair pair = queue.pop_largest();
      look_ahead(queue);
      look_at(pair);
    }
    if (over_ || !pace_->worked(kPairTime)) break;
  }
  return !over_ && !left_to_look_at();
}

// Tests the last leaves, if there is nothing else.
bool AnytimeSearch::left_to_look_at() {
  if (between_.empty() && within_.empty() && !over_) test_met_leaves();
  return !between_.empty() || !within_.empty();
}

// Most of the time would be spent on waiting for memory.
void AnytimeSearch::look_ahead(const PairQueue& queue) const {
  const PairQueue::Next next = queue.next();
  if (next.second) {
    const OpenPair& pair = *next.second;
    const Bodies& bodies = bodies_[pair.bodies];
    if (pair.a.child.is_leaf()) bodies.a->prefetch_leaf(pair.a.child.index());
    else bodies.a->prefetch_early(pair.a.child.index());
    if (pair.b.child.is_leaf()) bodies.b->prefetch_leaf(pair.b.child.index());
    else bodies.b->prefetch_early(pair.b.child.index());
  }
  if (!next.first) return;
  const OpenPair& pair = *next.first;
  const Bodies& bodies = bodies_[pair.bodies];
  if (pair.leaves()) {
    bodies.a->prefetch_vertices(pair.a.child.index());
    bodies.b->prefetch_vertices(pair.b.child.index());
    return;
  }
  const bool b = b_is_to_be_opened(pair);
  (b ? bodies.b : bodies.a)->prefetch((b ? pair.b : pair.a).child.index());
}

// Needs room for no more than a few pairs for each level of the trees.
void AnytimeSearch::resolve_depth_first(const OpenPair& pair) {
  ++counts_.depth_first;
  deep_mode_ = true;
  OpenPair next = pair;
  while (true) {
    look_at(next);
    const bool late = !pace_->worked(kPairTime);
    if (deep_.empty() || over_ || late || !may_go_on()) break;
    next = deep_.back();
    deep_.pop_back();
  }
  deep_mode_ = false;
}

bool AnytimeSearch::is_fine_enough(const OpenPair& pair) const {
  const Detail& detail = settings_.detail;
  const Bodies& bodies = bodies_[pair.bodies];
  const bool by_level = detail.level != std::numeric_limits<std::uint32_t>::max();
  if (by_level && level_of(*bodies.a, pair.a) >= detail.level && level_of(*bodies.b, pair.b) >= detail.level)
    return true;
  const auto distance = [&](const OpenSide& side) { return distance_to(detail.viewer->position, side.box); };
  const double nearest = detail.viewer ? std::min(distance(pair.a), distance(pair.b)) : 0;
  return detail.fine_enough(farthest_distance(pair.a.box, pair.b.box), nearest);
}

void AnytimeSearch::look_at(const OpenPair& pair) {
  ++counts_.node_pairs;
  const Bodies& bodies = bodies_[pair.bodies];
  if (!settings_.detail.everything() && is_fine_enough(pair)) return settled_.push_back(pair);
  if (pair.leaves()) {
    if (!test_leaves(pair)) push(pair, size_of(pair.a.box, pair.b.box));
  } else if (bodies.a == bodies.b && pair.a.ref == pair.b.ref) {
    expand_self(pair, *bodies.a, pair.a.child.index());
  } else {
    expand(pair, b_is_to_be_opened(pair));
  }
  if (deep_mode_ || settings_.first_only || met_leaves_.size() >= kLeavesTogether) test_met_leaves();
}

// Leaves that overlap are tested soon, or wait if it is too late.
void AnytimeSearch::test_met_leaves() {
  const auto ask = [&](std::size_t i, auto&& asked) {
    if (i >= met_leaves_.size()) return;
    const OpenPair& pair = met_leaves_[i].pair;
    asked(*bodies_[pair.bodies].a, pair.a.child.index());
    asked(*bodies_[pair.bodies].b, pair.b.child.index());
  };
  for (std::size_t i = 0; i < met_leaves_.size(); ++i) {
    ask(i + 2, [](const AnytimeBody& body, std::uint32_t leaf) { body.prefetch_leaf(leaf); });
    ask(i + 1, [](const AnytimeBody& body, std::uint32_t leaf) { body.prefetch_vertices(leaf); });
    const OpenPair& pair = met_leaves_[i].pair;
    if (!settings_.detail.everything() && is_fine_enough(pair)) settled_.push_back(pair);
    else if (over_ || pace_->stopped() || !test_leaves(pair)) push(pair, met_leaves_[i].size_sq);
  }
  met_leaves_.clear();
}

// Two of nearly the same size are both opened: what is between would only go through the queue.
void AnytimeSearch::expand(const OpenPair& pair, bool opens_b) {
  const Bodies& bodies = bodies_[pair.bodies];
  const OpenSide &larger = opens_b ? pair.b : pair.a, &smaller = opens_b ? pair.a : pair.b;
  AnytimeBody &body = opens_b ? *bodies.b : *bodies.a, &other = opens_b ? *bodies.a : *bodies.b;
  const bool both =
      !smaller.child.is_leaf() && kNearlySame * size_of(smaller.box, smaller.box) >= size_of(larger.box, larger.box);
  const std::uint32_t took = body.time_for(larger.child.index());
  if (!pace_->has_time_for(took)) return push(pair, size_of(pair.a.box, pair.b.box));
  const Opened opened{body.node(larger.child.index()), larger.child.index(), opens_b, pair.bodies};
  pace_->worked(took);
  if (!both) return meet_children(opened, smaller);
  unsigned lanes = kernels_.overlaps(&opened.children.boxes.lo[0][0], ends_of(smaller.box).data());
  if (lanes == 0) return;
  const auto count = count_of(lanes);
  const std::uint32_t more_time = other.time_for(smaller.child.index()) + kKernelTime * count;
  if (!pace_->spend(count) || !pace_->has_time_for(more_time)) return meet_children(opened, smaller);
  pace_->worked(more_time);
  (bodies.a == bodies.b ? spent_within_ : spent_between_) += count;
  counts_.node_pairs += count;
  const Opened more{other.node(smaller.child.index()), smaller.child.index(), !opens_b, pair.bodies};
  for (; lanes != 0; lanes &= lanes - 1) {
    OpenSide child;
    set(child, opened.children, WideRef::of(opened.node, static_cast<std::uint32_t>(std::countr_zero(lanes))));
    meet_children(more, child);
  }
}

void AnytimeSearch::meet_children(const Opened& opened, const OpenSide& kept) {
  float size_sq[WideBoxes::kLanes];
  unsigned lanes = kernels_.overlaps_and_sizes(&opened.children.boxes.lo[0][0], ends_of(kept.box).data(), size_sq);
  pace_->worked(kPushTime * count_of(lanes));
  const bool all_wait = leaves_wait() || !kept.child.is_leaf();
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    const bool waits = all_wait || !opened.children.child[lane].is_leaf();
    if (!waits) met_leaves_.push_back({{}, size_sq[lane]});
    OpenPair& met = waits ? make_room(opened.bodies, size_sq[lane]) : met_leaves_.back().pair;
    (opened.is_b ? met.a : met.b) = kept;
    set(opened.is_b ? met.b : met.a, opened.children, WideRef::of(opened.node, lane));
    met.bodies = opened.bodies;
  }
}

void AnytimeSearch::meet(const OpenPair& pair, float size_sq) {
  if (pair.leaves() && !leaves_wait()) met_leaves_.push_back({pair, size_sq});
  else push(pair, size_sq);
}

// Every child with itself, and with those behind it that it overlaps.
void AnytimeSearch::expand_self(const OpenPair& pair, AnytimeBody& body, std::uint32_t node) {
  const std::uint32_t took = body.time_for(node);
  if (!pace_->has_time_for(took)) return push(pair, size_of(pair.a.box, pair.a.box));
  const WideNode& children = body.node(node);
  pace_->worked(took);
  for (std::uint32_t i = 0; i < WideBoxes::kLanes && !children.child[i].nothing(); ++i) {
    OpenSide own;
    set(own, children, WideRef::of(node, i));
    float size_sq[WideBoxes::kLanes];
    const unsigned others = kernels_.overlaps_and_sizes(&children.boxes.lo[0][0], ends_of(own.box).data(), size_sq);
    meet({own, own, pair.bodies}, size_sq[i]);
    for (unsigned lanes = others & ~((2u << i) - 1); lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      OpenPair met{own, {}, pair.bodies};
      set(met.b, children, WideRef::of(node, lane));
      meet(met, size_sq[lane]);
    }
    pace_->worked(kPairTime);
  }
}

// ---- leaves ----

void AnytimeSearch::gather(const OpenPair& pair) {
  const Bodies& bodies = bodies_[pair.bodies];
  const std::uint32_t leaf_a = pair.a.child.index(), leaf_b = pair.b.child.index();
  const bool same = bodies.a == bodies.b && leaf_a == leaf_b;
  const WideBoxes& boxes_a = bodies.a->face_boxes(leaf_a);
  const WideBoxes& boxes_b = bodies.b->face_boxes(leaf_b);
  const std::uint32_t first_a = bodies.a->tree().leaves[leaf_a].first, first_b = bodies.b->tree().leaves[leaf_b].first;
  candidates_.clear();
  unsigned rows = kernels_.overlaps(&boxes_a.lo[0][0], ends_of(pair.b.box).data());
  std::uint8_t overlaps[WideBoxes::kLanes];
  kernels_.overlaps_of_lanes(&boxes_a.lo[0][0], &boxes_b.lo[0][0], rows, overlaps);
  for (; rows != 0; rows &= rows - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(rows));
    unsigned columns = overlaps[i];
    if (same) columns &= ~((2u << i) - 1);
    for (; columns != 0; columns &= columns - 1) {
      const std::uint32_t a = first_a + i, b = first_b + static_cast<std::uint32_t>(std::countr_zero(columns));
      const bool swapped = bodies.a == bodies.b && bodies.a->face(b) < bodies.a->face(a);
      candidates_.push_back(swapped ? Candidate{b, a} : Candidate{a, b});
    }
  }
}

// All of it or nothing: false if the budget did not suffice.
bool AnytimeSearch::test_leaves(const OpenPair& pair) {
  const Bodies& bodies = bodies_[pair.bodies];
  gather(pair);
  if (!pace_->worked(kLeafTime) || !pace_->spend(candidates_.size())) return false;
  (bodies.a == bodies.b ? spent_within_ : spent_between_) += candidates_.size();
  counts_.triangle_tests += candidates_.size();
  if (bodies.a != bodies.b && !leave_out_apart(bodies)) return false;
  const std::size_t found_before = contacts_.size();
  for (const Candidate& candidate : candidates_) {
    if (test(bodies, candidate)) continue;
    contacts_.resize(found_before);
    over_ = false;
    return false;
  }
  if (settings_.first_only && contacts_.size() > found_before) over_ = true;
  return true;
}

// Most candidates are apart, and a few vector operations prove it.
bool AnytimeSearch::leave_out_apart(const Bodies& bodies) {
  FourCorners four_a, four_b;
  std::size_t kept = 0;
  for (std::size_t first = 0; first < candidates_.size(); first += 4) {
    const std::size_t count = std::min<std::size_t>(4, candidates_.size() - first);
    for (std::size_t i = 0; i < 4; ++i) {
      const Candidate& candidate = candidates_[first + std::min(i, count - 1)];
      const Triangle3 a = bodies.a->triangle_at(candidate.slot_a);
      const Triangle3 b = bodies.b->triangle_at(candidate.slot_b);
      four_a.set(i, a[0].data(), a[1].data(), a[2].data());
      four_b.set(i, b[0].data(), b[1].data(), b[2].data());
    }
    const unsigned apart = decided_(four_a, four_b).apart;
    for (std::size_t i = 0; i < count; ++i) {
      candidates_[kept] = candidates_[first + i];
      kept += (apart >> i & 1u) == 0 ? 1 : 0;
    }
    if (!pace_->worked(kFilterTime)) return false;
  }
  candidates_.resize(kept);
  return true;
}

bool AnytimeSearch::test(const Bodies& bodies, const Candidate& candidate) {
  const bool self = bodies.a == bodies.b;
  unsigned equalities = 0;
  if (self) {
    const Triangle a = bodies.a->corners(candidate.slot_a), b = bodies.b->corners(candidate.slot_b);
    equalities = corner_equalities(a, b);
    const SharedVertices& shared = kSharedByEqualities[equalities];
    for (std::size_t i = 0; i < std::min<std::size_t>(shared.count, 2); ++i)
      if (bodies.a->clear(a[shared.pairs[i][0]])) return pace_->worked(kTriangleTime);
  }
  const Triangle3 at_a = bodies.a->triangle_at(candidate.slot_a), at_b = bodies.b->triangle_at(candidate.slot_b);
  const Relation relation = triangle_triangle_relation(at_a, at_b, kSharedByEqualities[equalities]);
  if (relation == Relation::none) return pace_->worked(kTriangleTime);
  keep({bodies.id_a, bodies.a->face(candidate.slot_a), at_a}, {bodies.id_b, bodies.b->face(candidate.slot_b), at_b},
       relation);
  return pace_->worked(kContactTime);
}

void AnytimeSearch::keep(const FacePlace& a, const FacePlace& b, Relation relation) {
  if (settings_.filter && !settings_.filter->features(face_feature(a.body, a.face), face_feature(b.body, b.face)))
    return;
  contacts_.push_back(face_contact(a, b, relation, settings_.time));
}

}  // namespace pliant
