// The kinetic separation list of two kinetic trees, or of one with itself.
#pragma once

#include <algorithm>
#include <vector>

#include "pliant/bounds/traverse.h"
#include "pliant/core/budget_meter.h"
#include "pliant/detect/kinetic/kinetic_tree.h"

namespace pliant::kinetic {

// How boxes are compared. Lengths; M is the largest coordinate of any vertex at either end of the segment.
//
// Boxes are grown by `pad` on every side (and half of a minimum separation). kPad M, the least, is far more than what
// rounding and late events can make a box too small: 8u M for every level of the tree, and 4u M for a bound's place. It
// also covers how far anything moves in an instant (StreamDetector::kInstant), so that a change of plan may be taken up
// that much late. A pair that is open closes when it is apart by `hysteresis` more: between an opening and a closing a
// gap has to travel that far, or a box to change, so that no tie and no rounding can make it go back and forth for
// ever. Among denormal numbers rounding does not become smaller with the coordinates, and kPad M would be 0: so there
// is a least pad, far above 2^-1074 and with room for a part of it.
struct ListTolerances {
  static constexpr double kPad = 0x1p-24;
  static constexpr double kLeastPad = 0x1p-1000;
  double pad = 0;
  double hysteresis = 0;

  static ListTolerances of(double largest_coordinate, double min_separation, double padding = kPad) {
    const double pad = std::max(padding * largest_coordinate, kLeastPad);
    return {pad + 0.5 * min_separation, pad};
  }
};

// After Weller and Zachmann (see kinetic.h): the pairs of boxes at which a traversal of both trees would end, kept
// right by events. A pair is an inner node of the traversal tree or a leaf (two triangles), and overlapping or not.
//
// Where it differs from the paper: overlapping inner pairs are kept as well, with one certificate each. The paper keeps
// the certificate of a father at each of its up to four sons and has to refresh it when a father's box changes. Then
// every pair has one certificate: "these will overlap" (BV-overlap) or "these will be apart" (fathers-do-not-overlap
// for inner pairs, leaves-do-not-overlap for leaves). A closed pair's certificate names one side that keeps it apart,
// so that a BV-change concerns only the pairs that rely on that side; an open pair's can only come too early when boxes
// change, since bounds only ever become faster (kinetic_tree.h), and is looked at again when it comes.
class SeparationList {
 public:
  // `b` is the same tree for a body with itself.
  SeparationList(const KineticTree& a, const KineticTree& b, std::uint32_t owner);

  struct Pair {
    NodePair nodes{};
    std::uint32_t parent = kNone;
    std::uint32_t children = kNone;  // first of four slots; unused ones are vacant
    std::uint32_t stamp = 0;
    bool vacant = true;
    bool listed = false;  // apart, or an overlapping leaf
    bool open = false;
    std::uint8_t apart_by = 0;  // closed: the side of a that is beyond the opposite side of b
    // Others that rely on the same side of a, and of b.
    std::uint32_t next_a = kNone, previous_a = kNone;
    std::uint32_t next_b = kNone, previous_b = kNone;
  };
  static constexpr std::uint32_t kNone = 0xffff'ffffu;

  // The number that its events bear; to be changed only when none is queued.
  void set_owner(std::uint32_t owner) { owner_ = owner; }
  std::uint32_t owner() const { return owner_; }

  // What an update works with. Leaf pairs that open are added to opened_leaves().
  struct Clock {
    double now;
    double end;
    ListTolerances tolerances;
    EventQueue& queue;
    BudgetMeter& meter;
  };

  // All of these return false if the budget ran out: the list is then of no use any more.
  //
  // Looks at all pairs again: at the start of a segment, and when flight plans change. All open leaf pairs are added to
  // opened_leaves().
  bool revise(const Clock& clock);
  // An opening or closing. Events that do not count any more are ignored.
  bool handle(const Event& event, const Clock& clock);
  // A side of a node of tree a (or of tree b) goes by another vertex.
  bool box_changed(bool of_a, KineticTree::Change change, const Clock& clock);

  // Leaf pairs that opened since they were cleared.
  const std::vector<NodePair>& opened_leaves() const { return opened_; }
  void clear_opened_leaves() { opened_.clear(); }

  // All pairs, for inspection, and the first of those that rely on a side of a node of tree a (or of tree b).
  const std::vector<Pair>& pairs() const { return pairs_; }
  std::uint32_t first_relying(bool on_a, KineticTree::Change on) const {
    return (on_a ? first_a_ : first_b_)[on.node * kSides + on.side];
  }
  bool is_leaf_pair(const Pair& pair) const { return a_->is_leaf(pair.nodes.a) && b_->is_leaf(pair.nodes.b); }
  // Separation list as defined in the paper: pairs that are apart, and overlapping leaves.
  std::size_t size() const { return listed_; }
  std::size_t bytes() const;

  struct Counts {
    std::uint64_t overlap_events = 0;  // BV-overlap
    std::uint64_t fathers_events = 0;  // fathers-do-not-overlap
    std::uint64_t leaves_events = 0;   // leaves-do-not-overlap
    std::uint64_t box_changes = 0;     // BV-change, of pairs that it concerns
    std::uint64_t reschedulings = 0;   // certificates that failed without consequence
    std::uint64_t pair_tests = 0;      // of boxes
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Apart {
    bool apart = false;
    std::uint8_t side = 0;
    double until = 0;
  };

  bool is_diagonal(const Pair& pair) const { return self_ && pair.nodes.a == pair.nodes.b; }
  Outward gap(const Pair& pair, std::uint32_t side, const Clock& clock) const;
  Apart find_apart(const Pair& pair, double enough, const Clock& clock) const;
  double separation_time(const Pair& pair, const Clock& clock) const;

  bool settle(std::uint32_t start, const Clock& clock);
  bool handle_opening(std::uint32_t index, const Clock& clock);
  bool handle_closing(std::uint32_t index, const Clock& clock);
  void close(std::uint32_t index, const Apart& apart, const Clock& clock);
  void open(std::uint32_t index, const Clock& clock);
  void add_children(std::uint32_t index);
  void remove_descendants(std::uint32_t index);
  void schedule_opening(std::uint32_t index, double time, const Clock& clock);
  void schedule_closing(std::uint32_t index, const Clock& clock);

  void enlist(std::uint32_t index);
  void unlist(std::uint32_t index);
  void link(std::uint32_t index);
  void unlink(std::uint32_t index);
  std::uint32_t new_block();

  const KineticTree* a_;
  const KineticTree* b_;
  bool self_;
  std::uint32_t owner_;
  std::vector<Pair> pairs_;                   // slot 0 is the root, blocks of four behind it
  std::vector<std::uint32_t> vacant_blocks_;  // their first slots
  std::vector<std::uint32_t> first_a_;        // by node and side of a: closed pairs that rely on it
  std::vector<std::uint32_t> first_b_;
  std::vector<NodePair> opened_;
  std::vector<std::uint32_t> stack_;      // scratch
  std::vector<std::uint32_t> concerned_;  // scratch
  std::size_t listed_ = 0;
  Counts counts_;
};

}  // namespace pliant::kinetic
