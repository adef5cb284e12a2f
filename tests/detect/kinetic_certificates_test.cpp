// The certificates of kinetic trees and lists: how many there are, what they name, and that time can be cut anywhere.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "tests/detect/kinetic_machines.h"
#include "tests/detect/kinetic_streams.h"

namespace pliant::testing {
namespace {

using kinetic::Event;
using kinetic::EventKind;
using kinetic::EventMachine;
using kinetic::EventQueue;
using kinetic::KineticTree;
using kinetic::kSides;
using kinetic::SeparationList;

// Cases are small: many of them for each seed.
constexpr int kCases = 10;

// ---- trees ----

// How often each side of each node went by another vertex in one segment.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> changes_of(KineticTree& tree, EventQueue& queue) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> changes;
  while (!queue.empty() && queue.top().time <= 1) {
    const Event event = queue.top();
    queue.pop();
    tree.handle(event, queue);
    for (const KineticTree::Change change : tree.changed()) ++changes[{change.node, change.side}];
    tree.clear_changed();
  }
  return changes;
}

// Within a segment a node's bound is an upper envelope of straight lines: every vertex is outermost at most once.
void expect_few_changes(const Mover& mover) {
  const Body body{mover.mesh, mover.motion, 0};
  const SweptBody swept =
      sweep_body(BodyId(0), body, mover.motion.positions_at(0), mover.motion.positions_at(1), /*weld=*/true);
  KineticTree tree(*mover.mesh, swept.x_t0.positions(), {1}, 0);
  EventQueue queue;
  tree.fly({swept.x_t0.positions(), swept.x_t1.positions()}, queue);
  for (const auto& [where, count] : changes_of(tree, queue))
    RC_ASSERT(count <= vertices_below(tree, swept, where.first).size() - 1);
}

RC_GTEST_PROP(KineticCertificates, NoSideOfANodeChangesMoreOftenThanItHasOtherVertices, (std::uint64_t seed)) {
  Dice dice(seed);
  for (int i = 0; i < kCases; ++i)
    for (const Mover& mover : tie_heavy_movers(dice)) expect_few_changes(mover);
  expect_few_changes(thrown(dice, crumpled_sheet(dice, 4, 0.02), 2, dice.uniform(0.01, 2), Vec3::Zero()));
}

// ---- events and pairs ----

std::vector<const SeparationList*> lists_of(const Machine& m) {
  std::vector<const SeparationList*> lists;
  for (const SweptBody& a : m.bodies())
    for (const SweptBody& b : m.bodies())
      if (const SeparationList* list = m.machine.list(a.id, b.id)) lists.push_back(list);
  return lists;
}

const SeparationList* list_that_owns(const Machine& m, const Event& event) {
  for (const SeparationList* list : lists_of(m))
    if (list->owner() == event.owner) return list;
  return nullptr;
}

using Certificate = std::tuple<bool, std::uint32_t, std::uint32_t>;  // of a box, owner, subject

// All events that still count. Each certificate has one at most, and none is of a pair that is gone.
std::map<Certificate, Event> current_events(const Machine& m) {
  std::map<Certificate, Event> current;
  for (const Event& event : m.machine.queue()) {
    const bool box = event.kind == EventKind::box;
    if (box) {
      if (!m.machine.tree(BodyId(event.owner))->is_current(event)) continue;
    } else {
      const SeparationList* list = list_that_owns(m, event);
      RC_ASSERT(list != nullptr);
      const SeparationList::Pair& pair = list->pairs()[event.subject];
      if (pair.stamp != event.stamp) continue;
      RC_ASSERT(!pair.vacant);
      RC_ASSERT(pair.open == (event.kind == EventKind::closing));
    }
    RC_ASSERT(current.emplace(Certificate(box, event.owner, event.subject), event).second);
  }
  return current;
}

// Every pair that is apart is in the chain of the side of a, and of b, that it relies on, and nothing else is.
void expect_consistent_links(const SeparationList& list, const KineticTree& a, const KineticTree& b) {
  std::size_t apart = 0;
  for (const SeparationList::Pair& pair : list.pairs()) apart += !pair.vacant && pair.listed && !pair.open ? 1 : 0;
  for (const bool on_a : {true, false}) {
    std::size_t linked = 0;
    for (std::uint32_t node = 0; node < (on_a ? a : b).node_count(); ++node) {
      for (std::uint32_t side = 0; node != 1 && side < kSides; ++side) {
        std::uint32_t previous = SeparationList::kNone;
        for (std::uint32_t i = list.first_relying(on_a, {node, side}); i != SeparationList::kNone;) {
          const SeparationList::Pair& pair = list.pairs()[i];
          RC_ASSERT(!pair.vacant);
          RC_ASSERT(pair.listed);
          RC_ASSERT(!pair.open);
          RC_ASSERT((on_a ? pair.nodes.a : pair.nodes.b) == node);
          RC_ASSERT((on_a ? pair.apart_by : kinetic::opposite(pair.apart_by)) == side);
          RC_ASSERT((on_a ? pair.previous_a : pair.previous_b) == previous);
          RC_ASSERT(++linked <= apart);
          previous = i;
          i = on_a ? pair.next_a : pair.next_b;
        }
      }
    }
    RC_ASSERT(linked == apart);
  }
}

// Children name their parents, parents are open and inner, and nothing else hangs in the tree of pairs.
void expect_consistent_pairs(const SeparationList& list) {
  std::size_t reached = 0, used = 0;
  for (const SeparationList::Pair& pair : list.pairs()) used += pair.vacant ? 0 : 1;
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const std::uint32_t index = stack.back();
    stack.pop_back();
    const SeparationList::Pair& pair = list.pairs()[index];
    RC_ASSERT(++reached <= used);
    RC_ASSERT(pair.listed == (!pair.open || list.is_leaf_pair(pair)));
    RC_ASSERT((pair.children == SeparationList::kNone) == pair.listed);
    if (pair.children == SeparationList::kNone) continue;
    for (std::uint32_t i = pair.children; i < pair.children + 4; ++i) {
      if (list.pairs()[i].vacant) continue;
      RC_ASSERT(list.pairs()[i].parent == index);
      stack.push_back(i);
    }
  }
  RC_ASSERT(reached == used);
}

void expect_consistent(const Machine& m) {
  current_events(m);
  for (const SweptBody& a : m.bodies()) {
    for (const SweptBody& b : m.bodies()) {
      const SeparationList* list = m.machine.list(a.id, b.id);
      if (!list) continue;
      expect_consistent_links(*list, *m.machine.tree(a.id), *m.machine.tree(b.id));
      expect_consistent_pairs(*list);
    }
  }
}

std::vector<Mover> crossing_movers(Dice& dice) {
  if (dice.below(2) == 0) return tie_heavy_movers(dice);
  return {thrown(dice, crumpled_sheet(dice, 3, 0.02), 2, 0.3, Vec3::Zero()),
          thrown(dice, loose_soup(dice, 6, 0.5, 0.3), 2, 0.3, dice.point(-1, 1))};
}

RC_GTEST_PROP(KineticCertificates, AreUniqueAndNameNothingThatIsGone, (std::uint64_t seed)) {
  Dice dice(seed);
  Machine m(crossing_movers(dice));
  expect_consistent(m);
  for (double now = 0; now < 1;) {
    now = std::min(1.0, m.machine.next_event());
    RC_ASSERT(m.advance(now));
    expect_consistent(m);
  }
}

// ---- one state, however it was reached ----

struct State {
  std::vector<std::uint32_t> winners;
  std::vector<Listed> lists;
  std::map<Certificate, Event> events;
  std::uint64_t event_count = 0;
};

State state_of(const Machine& m) {
  State state;
  for (const SweptBody& body : m.bodies()) {
    const KineticTree& tree = *m.machine.tree(body.id);
    for (std::uint32_t node = 0; node < tree.node_count(); ++node)
      for (std::uint32_t side = 0; node != 1 && side < kSides; ++side) state.winners.push_back(tree.winner(node, side));
  }
  for (const SeparationList* list : lists_of(m)) state.lists.push_back(listed_in(*list));
  state.events = current_events(m);
  state.event_count = m.machine.counts().events();
  return state;
}

void expect_same(const State& x, const State& y) {
  RC_ASSERT(x.winners == y.winners);
  RC_ASSERT(x.lists == y.lists);
  RC_ASSERT(x.event_count == y.event_count);
  RC_ASSERT(x.events.size() == y.events.size());
  for (auto a = x.events.begin(), b = y.events.begin(); a != x.events.end(); ++a, ++b) {
    RC_ASSERT(a->first == b->first);
    RC_ASSERT(a->second.time == b->second.time);
    RC_ASSERT(a->second.stamp == b->second.stamp);
  }
}

RC_GTEST_PROP(KineticCertificates, ManySmallAdvancesEndInTheStateOfOneLargeOne, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers = crossing_movers(dice);
  const double end = dice.uniform(0.2, 1);
  Machine once(movers), often(movers);
  RC_ASSERT(once.advance(end));
  const std::uint32_t steps = 2 + dice.below(20);
  for (std::uint32_t i = 1; i < steps; ++i) RC_ASSERT(often.advance(end * i / steps));
  RC_ASSERT(often.advance(end));
  expect_same(state_of(once), state_of(often));
}

// ---- memory ----

// Carried through keyframes 0 to 8 at even speed.
Mover passing(const MeshPtr& mesh, double from, double to) {
  std::vector<Frame> frames;
  for (int k = 0; k <= 8; ++k) {
    std::vector<Vec3> x = positions_of(*mesh);
    for (Vec3& p : x) p.z() += from + (to - from) * k / 8;
    frames.push_back(Frame::own(std::move(x)));
  }
  return {mesh, Motion::keyframes(std::move(frames))};
}

TEST(KineticCertificates, ListsAndMemoryReturnInTheStreamAfterBodiesHavePassedEachOther) {
  Dice dice(5);
  const std::vector<Mover> movers{passing(loose_soup(dice, 300, 1, 0.1), 6, -6),
                                  passing(loose_soup(dice, 300, 1, 0.1), -6, 6)};
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, movers, {.self = false});
    std::vector<std::uint64_t> sizes, bytes;
    std::size_t contacts = 0;
    for (int k = 0; k < 8; ++k) {
      const Report segment = detect_in_cuts(*detector, k, k + 1, 3);
      contacts += segment.contacts.size();
      sizes.push_back(segment.counters["list_size"]);
      bytes.push_back(segment.counters["bytes"]);
    }
    EXPECT_GT(contacts, 100u) << method;
    EXPECT_GT(*std::max_element(sizes.begin(), sizes.end()), 200u) << method;
    EXPECT_EQ(sizes.back(), sizes.front()) << method;
    EXPECT_LE(bytes.back(), bytes.front()) << method;
  }
}

}  // namespace
}  // namespace pliant::testing
