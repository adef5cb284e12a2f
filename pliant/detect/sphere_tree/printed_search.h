// The search of the paper as it is printed, with its lists and its counts.
#pragma once

#include "pliant/detect/sphere_tree/sphere_search.h"

namespace pliant {

// An entity of PAIRLIST: whose node it is counts, since the two change places all the time.
struct PrintedPair {
  std::uint32_t pair = 0;  // of bodies
  std::uint32_t tree_1 = 0;
  std::uint32_t node_1 = 0;
  std::uint32_t tree_2 = 0;
  std::uint32_t node_2 = 0;
};

// Figure 7: the first pair of PAIRLIST is tested; if its spheres overlap and the second is no leaf, pairs of the
// second's children and the first are put at the end, roles exchanged; if the second is a leaf and the first is not,
// the pair goes to the end with roles exchanged, and is tested again; two leaves go to COLLISIONLIST. The clock is
// looked at before each pair. Several pairs of bodies have a list each and take turns (Hubbard 1995). With depth_first
// figure 4 instead: the last pair first, and what is left at the end was never heard of.
class PrintedSearch {
 public:
  PrintedSearch(std::vector<SphereBody>& bodies, std::span<const SphereBodyPair> pairs, bool depth_first);

  void run(Pace& pace, const FinishTimes& finish);

  struct Counts {
    std::uint64_t pushed = 0;
    std::uint64_t tested = 0;
    std::uint64_t retested = 0;  // pairs that went to the end with roles exchanged
    std::uint64_t longest_list = 0;
  };
  const Counts& counts() const { return counts_; }
  std::vector<PrintedPair> pair_list() const;
  const std::vector<PrintedPair>& collision_list() const { return collision_list_; }
  UnresolvedPair unresolved(const PrintedPair& pair, bool leaves) const;

 private:
  SphereFollower& tree(std::uint32_t body) const { return *bodies_[body].follower; }
  bool pop(PrintedPair& pair);
  void push(const PrintedPair& pair);
  void test(const PrintedPair& pair);

  std::vector<SphereBody>& bodies_;
  bool depth_first_;
  std::vector<std::deque<PrintedPair>> lists_;  // by pair of bodies
  std::size_t turn_ = 0;
  std::size_t size_ = 0;
  std::vector<PrintedPair> collision_list_;
  Counts counts_;
};

}  // namespace pliant
