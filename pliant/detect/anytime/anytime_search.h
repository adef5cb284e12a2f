// The search of the anytime method: pairs of boxes, the largest first, down to exact triangles, until it is told to
// stop.
#pragma once

#include <span>
#include <vector>

#include "pliant/detect/anytime/anytime_body.h"
#include "pliant/detect/anytime/pair_queue.h"
#include "pliant/detect/body_pairs.h"
#include "pliant/detect/detail.h"
#include "pliant/detect/still/still_bodies.h"
#include "pliant/geometry/apart_filter.h"

namespace pliant {

struct AnytimeSearchSettings {
  double self_share = 0.25;  // of the operations, for bodies with themselves while there are other pairs too
  std::uint32_t most_pairs = 1u << 18;
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();  // of contacts
  // Pairs that are left will not be listed, only the largest of every two bodies is asked for. Leaves then wait for
  // their turn like other pairs: the bound falls sooner, contacts come later and more pairs are open.
  bool largest_only = false;
  Detail detail;
  bool first_only = false;                // end with the first contact
  const ContactFilter* filter = nullptr;  // of features; null: all
  double time = 0;
};

// One for all calls of a detector, so that memory is used again.
//
// At every moment each pair of faces of the bodies given is either in a contact, or below exactly one open or settled
// pair, or proved apart.
class AnytimeSearch {
 public:
  struct Bodies {
    AnytimeBody* a;
    AnytimeBody* b;  // the same as a: a body with itself
    BodyId id_a;
    BodyId id_b;
  };

  // Forgets everything; bodies are ready.
  void start(const AnytimeSearchSettings& settings, Pace& pace);
  void add(const Bodies& bodies);
  // Until all is done (true), or the budget is spent.
  bool run();

  const std::vector<Bodies>& bodies() const { return bodies_; }
  std::size_t contact_count() const { return contacts_.size(); }
  const std::vector<Contact>& contacts() const { return contacts_; }  // in the order in which they were found
  // Pairs that were not looked at; and those that were and are fine enough (detect/detail.h).
  template <class Visit>
  void for_each_open(Visit&& visit) const {
    between_.for_each(visit);
    within_.for_each(visit);
    for (const OpenPair& pair : deep_) visit(pair);
  }
  // Those of them that decide the bound of every two bodies, and others.
  template <class Visit>
  void for_each_largest(Visit&& visit) const {
    if (bodies_.size() > 1) return for_each_open(visit);
    between_.for_each_largest(visit);
    within_.for_each_largest(visit);
    for (const OpenPair& pair : deep_) visit(pair);
  }
  const std::vector<OpenPair>& settled() const { return settled_; }
  std::size_t left_count() const {
    return between_.size() + within_.size() + deep_.size() + met_leaves_.size() + settled_.size();
  }
  // Of them, those that are visited when the search is over.
  std::size_t to_visit() const {
    if (!settings_.largest_only || bodies_.size() > 1) return left_count();
    return between_.largest_count() + within_.largest_count() + deep_.size() + met_leaves_.size() + settled_.size();
  }

  // What is done with each pair of to_visit(), and with each contact, when the search is over: it ends that much
  // earlier.
  void set_finish_times(double ns_at_least, double ns_per_pair, double ns_per_contact) {
    ns_at_least_ = static_cast<std::uint64_t>(ns_at_least);
    ns_per_pair_ = static_cast<std::uint64_t>(ns_per_pair);
    ns_per_contact_ = static_cast<std::uint64_t>(ns_per_contact);
  }

  struct Counts {
    std::uint64_t node_pairs = 0;
    std::uint64_t triangle_tests = 0;
    std::uint64_t most_pairs = 0;   // open at once
    std::uint64_t depth_first = 0;  // pairs that were resolved depth first because there were too many
  };
  const Counts& counts() const { return counts_; }
  std::size_t bytes() const { return between_.bytes() + within_.bytes(); }

 private:
  bool go_through();
  bool left_to_look_at();
  bool may_go_on();
  PairQueue& next_queue();
  void resolve_depth_first(const OpenPair& pair);
  void look_ahead(const PairQueue& queue) const;
  void look_at(const OpenPair& pair);
  void expand_self(const OpenPair& pair, AnytimeBody& body, std::uint32_t node);
  // A node whose children are met.
  struct Opened {
    const WideNode& children;
    std::uint32_t node;
    bool is_b;
    std::uint32_t bodies;
  };
  void expand(const OpenPair& pair, bool opens_b);
  void meet_children(const Opened& opened, const OpenSide& kept);
  void meet(const OpenPair& pair, float size_sq);
  void test_met_leaves();
  bool leaves_wait() const { return settings_.largest_only && !deep_mode_ && settings_.detail.everything(); }
  bool is_fine_enough(const OpenPair& pair) const;
  OpenPair& make_room(std::uint32_t bodies, float size_sq);
  void push(const OpenPair& pair, float size_sq) { make_room(pair.bodies, size_sq) = pair; }

  bool test_leaves(const OpenPair& pair);
  struct Candidate {
    std::uint32_t slot_a;
    std::uint32_t slot_b;
  };
  void gather(const OpenPair& pair);
  bool leave_out_apart(const Bodies& bodies);
  bool test(const Bodies& bodies, const Candidate& candidate);
  void keep(const FacePlace& a, const FacePlace& b, Relation relation);

  AnytimeSearchSettings settings_;
  Pace* pace_ = nullptr;
  wide::Kernels kernels_{};
  DecidedFilter decided_ = nullptr;
  std::vector<Bodies> bodies_;
  PairQueue between_;           // different bodies
  PairQueue within_;            // bodies with themselves
  std::vector<OpenPair> deep_;  // what is left of a pair that is resolved depth first
  bool deep_mode_ = false;
  struct MetLeaves {
    OpenPair pair;
    float size_sq;
  };
  std::vector<MetLeaves> met_leaves_;  // to be tested next; empty before and after a run
  std::vector<OpenPair> settled_;
  std::vector<Contact> contacts_;
  std::vector<Candidate> candidates_;
  std::uint64_t ns_at_least_ = 0;
  std::uint64_t ns_per_pair_ = 0;
  std::uint64_t ns_per_contact_ = 0;
  std::uint64_t spent_between_ = 0;
  std::uint64_t spent_within_ = 0;
  Counts counts_;
  bool over_ = false;
};

}  // namespace pliant
