#include "pliant/detect/kinetic/separation_list.h"

#include <algorithm>

namespace pliant::kinetic {

SeparationList::SeparationList(const KineticTree& a, const KineticTree& b, std::uint32_t owner)
    : a_(&a), b_(&b), self_(&a == &b), owner_(owner) {
  first_a_.assign(std::size_t{a.node_count()} * kSides, kNone);
  first_b_.assign(std::size_t{b.node_count()} * kSides, kNone);
  pairs_.resize(1);
  pairs_[0].nodes = {0, 0};
}

// ---- gaps ----

// How far a's side is beyond the opposite side of b, and how fast that grows; padded.
Outward SeparationList::gap(const Pair& pair, std::uint32_t side, const Clock& clock) const {
  const Outward x = a_->bound(pair.nodes.a, side, clock.now);
  const Outward y = b_->bound(pair.nodes.b, opposite(side), clock.now);
  return {-(x.position + y.position) - 2 * clock.tolerances.pad, -(x.speed + y.speed)};
}

// The side that keeps the pair apart longest, of those that do by more than `enough`.
SeparationList::Apart SeparationList::find_apart(const Pair& pair, double enough, const Clock& clock) const {
  Apart best;
  double widest = 0;
  for (std::uint32_t side = 0; side < kSides; ++side) {
    const Outward g = gap(pair, side, clock);
    if (!(g.position > enough)) continue;
    const double until = g.speed < 0 ? clock.now - g.position / g.speed : std::numeric_limits<double>::infinity();
    const bool longer = !best.apart || until > best.until || (until == best.until && g.position > widest);
    if (!longer) continue;
    best = {true, static_cast<std::uint8_t>(side), until};
    widest = g.position;
  }
  return best;
}

// When the first of the sides will be apart by the hysteresis if no box changes.
double SeparationList::separation_time(const Pair& pair, const Clock& clock) const {
  double first = std::numeric_limits<double>::infinity();
  for (std::uint32_t side = 0; side < kSides; ++side) {
    const Outward g = gap(pair, side, clock);
    if (g.speed > 0) first = std::min(first, clock.now + (clock.tolerances.hysteresis - g.position) / g.speed);
  }
  return std::max(first, clock.now);
}

// ---- links ----

void SeparationList::link(std::uint32_t index) {
  Pair& pair = pairs_[index];
  std::uint32_t& first_a = first_a_[pair.nodes.a * kSides + pair.apart_by];
  std::uint32_t& first_b = first_b_[pair.nodes.b * kSides + opposite(pair.apart_by)];
  pair.previous_a = pair.previous_b = kNone;
  pair.next_a = first_a;
  pair.next_b = first_b;
  if (first_a != kNone) pairs_[first_a].previous_a = index;
  if (first_b != kNone) pairs_[first_b].previous_b = index;
  first_a = first_b = index;
}

void SeparationList::unlink(std::uint32_t index) {
  const Pair& pair = pairs_[index];
  if (pair.previous_a != kNone) pairs_[pair.previous_a].next_a = pair.next_a;
  else first_a_[pair.nodes.a * kSides + pair.apart_by] = pair.next_a;
  if (pair.next_a != kNone) pairs_[pair.next_a].previous_a = pair.previous_a;
  if (pair.previous_b != kNone) pairs_[pair.previous_b].next_b = pair.next_b;
  else first_b_[pair.nodes.b * kSides + opposite(pair.apart_by)] = pair.next_b;
  if (pair.next_b != kNone) pairs_[pair.next_b].previous_b = pair.previous_b;
}

// ---- structure ----

std::uint32_t SeparationList::new_block() {
  if (!vacant_blocks_.empty()) {
    const std::uint32_t first = vacant_blocks_.back();
    vacant_blocks_.pop_back();
    return first;
  }
  const auto first = static_cast<std::uint32_t>(pairs_.size());
  pairs_.resize(pairs_.size() + 4);
  return first;
}

void SeparationList::add_children(std::uint32_t index) {
  const NodePair nodes = pairs_[index].nodes;
  const bool diagonal = is_diagonal(pairs_[index]);
  const std::uint32_t block = new_block();
  pairs_[index].children = block;
  std::uint32_t slot = block;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    Pair& child = pairs_[slot++];
    child.nodes = {a, b};
    child.parent = index;
    child.children = kNone;
    child.vacant = false;
    child.open = false;
  };
  const std::uint32_t of_a = a_->is_leaf(nodes.a) ? 1 : 2, of_b = b_->is_leaf(nodes.b) ? 1 : 2;
  for (std::uint32_t i = 0; i < of_a; ++i) {
    for (std::uint32_t j = diagonal ? i : 0; j < of_b; ++j)
      add(of_a == 1 ? nodes.a : a_->left(nodes.a) + i, of_b == 1 ? nodes.b : b_->left(nodes.b) + j);
  }
}

void SeparationList::remove_descendants(std::uint32_t index) {
  std::vector<std::uint32_t> fathers{index};
  while (!fathers.empty()) {
    const std::uint32_t block = pairs_[fathers.back()].children;
    pairs_[fathers.back()].children = kNone;
    fathers.pop_back();
    if (block == kNone) continue;
    for (std::uint32_t i = block; i < block + 4; ++i) {
      Pair& pair = pairs_[i];
      if (pair.vacant) continue;
      unlist(i);
      if (pair.children != kNone) fathers.push_back(i);
      pair.vacant = true;
      ++pair.stamp;
    }
    vacant_blocks_.push_back(block);
  }
}

// Into the list, and out of it: pairs that are apart, and overlapping leaves.
void SeparationList::enlist(std::uint32_t index) {
  pairs_[index].listed = true;
  ++listed_;
  if (!pairs_[index].open) link(index);
}

void SeparationList::unlist(std::uint32_t index) {
  if (!pairs_[index].listed) return;
  pairs_[index].listed = false;
  --listed_;
  if (!pairs_[index].open) unlink(index);
}

void SeparationList::close(std::uint32_t index, const Apart& apart, const Clock& clock) {
  unlist(index);
  remove_descendants(index);
  pairs_[index].open = false;
  pairs_[index].apart_by = apart.side;
  enlist(index);
  schedule_opening(index, apart.until, clock);
}

void SeparationList::schedule_opening(std::uint32_t index, double time, const Clock& clock) {
  const std::uint32_t stamp = ++pairs_[index].stamp;
  if (time <= clock.end) clock.queue.push({time, EventKind::opening, 0, owner_, index, stamp});
}

void SeparationList::schedule_closing(std::uint32_t index, const Clock& clock) {
  const std::uint32_t stamp = ++pairs_[index].stamp;
  if (is_diagonal(pairs_[index])) return;
  const double time = separation_time(pairs_[index], clock);
  if (time <= clock.end) clock.queue.push({time, EventKind::closing, 0, owner_, index, stamp});
}

void SeparationList::open(std::uint32_t index, const Clock& clock) {
  pairs_[index].open = true;
  schedule_closing(index, clock);
  if (!is_leaf_pair(pairs_[index])) {
    if (pairs_[index].children == kNone) add_children(index);
    return;
  }
  enlist(index);
  // A triangle is no pair with itself.
  if (!is_diagonal(pairs_[index])) opened_.push_back(pairs_[index].nodes);
}

// ---- events ----

// Decides about a pair that is not listed, and goes down to the deepest pairs that are apart.
bool SeparationList::settle(std::uint32_t start, const Clock& clock) {
  stack_.assign(1, start);
  while (!stack_.empty()) {
    const std::uint32_t index = stack_.back();
    stack_.pop_back();
    if (!clock.meter.spend()) return false;
    ++counts_.pair_tests;
    const bool diagonal = is_diagonal(pairs_[index]);
    const Apart apart = diagonal ? Apart{} : find_apart(pairs_[index], 0.25 * clock.tolerances.hysteresis, clock);
    if (apart.apart) {
      close(index, apart, clock);
      continue;
    }
    open(index, clock);
    const std::uint32_t block = pairs_[index].children;
    if (block == kNone) continue;
    for (std::uint32_t i = block; i < block + 4; ++i)
      if (!pairs_[i].vacant) stack_.push_back(i);
  }
  return true;
}

bool SeparationList::revise(const Clock& clock) {
  if (a_->node_count() == 0 || b_->node_count() == 0) return true;
  pairs_[0].vacant = false;
  std::fill(first_a_.begin(), first_a_.end(), kNone);
  std::fill(first_b_.begin(), first_b_.end(), kNone);
  for (Pair& pair : pairs_) pair.listed = false;
  listed_ = 0;
  opened_.clear();
  return settle(0, clock);
}

bool SeparationList::handle(const Event& event, const Clock& clock) {
  const Pair& pair = pairs_[event.subject];
  if (pair.vacant || pair.stamp != event.stamp) return true;
  return pair.open ? handle_closing(event.subject, clock) : handle_opening(event.subject, clock);
}

bool SeparationList::handle_opening(std::uint32_t index, const Clock& clock) {
  unlist(index);
  if (!settle(index, clock)) return false;
  ++(pairs_[index].open ? counts_.overlap_events : counts_.reschedulings);
  return true;
}

bool SeparationList::handle_closing(std::uint32_t index, const Clock& clock) {
  if (!clock.meter.spend()) return false;
  ++counts_.pair_tests;
  const double enough = 0.5 * clock.tolerances.hysteresis;
  Apart apart = find_apart(pairs_[index], enough, clock);
  if (!apart.apart) {
    schedule_closing(index, clock);
    ++counts_.reschedulings;
    return true;
  }
  ++(is_leaf_pair(pairs_[index]) ? counts_.leaves_events : counts_.fathers_events);
  // Up to the highest pair that is apart.
  for (std::uint32_t up = pairs_[index].parent; up != kNone && !is_diagonal(pairs_[up]); up = pairs_[up].parent) {
    const Apart above = find_apart(pairs_[up], enough, clock);
    if (!above.apart) break;
    index = up;
    apart = above;
  }
  close(index, apart, clock);
  return true;
}

bool SeparationList::box_changed(bool of_a, KineticTree::Change change, const Clock& clock) {
  concerned_.clear();
  for (std::uint32_t i = first_relying(of_a, change); i != kNone; i = of_a ? pairs_[i].next_a : pairs_[i].next_b)
    concerned_.push_back(i);
  counts_.box_changes += concerned_.size();
  for (const std::uint32_t index : concerned_) {
    const Outward g = gap(pairs_[index], pairs_[index].apart_by, clock);
    if (g.position > 0.25 * clock.tolerances.hysteresis) {
      const double until = g.speed < 0 ? clock.now - g.position / g.speed : std::numeric_limits<double>::infinity();
      schedule_opening(index, until, clock);
    } else if (!handle_opening(index, clock)) {
      return false;
    }
  }
  return true;
}

std::size_t SeparationList::bytes() const {
  return pairs_.capacity() * sizeof(Pair) + opened_.capacity() * sizeof(NodePair) +
         (first_a_.size() + first_b_.size() + vacant_blocks_.capacity() + stack_.capacity() + concerned_.capacity()) *
             sizeof(std::uint32_t);
}

}  // namespace pliant::kinetic
