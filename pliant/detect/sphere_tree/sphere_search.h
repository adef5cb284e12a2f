// Safe search over pairs of sphere trees: at any moment nothing is lost that could still meet.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "pliant/bounds/sphere_tree/sphere_follower.h"
#include "pliant/detect/detail.h"
#include "pliant/detect/sphere_tree/finish_times.h"
#include "pliant/detect/sphere_tree/sphere_pairs.h"
#include "pliant/detect/sphere_tree/sphere_tree_settings.h"
#include "pliant/detect/still/still_detector.h"

namespace pliant {

// A body in a search.
struct SphereBody {
  BodyId id;
  SphereFollower* follower = nullptr;
  StillBody still;  // its positions are those of the follower; made when triangles are first asked for
  const Body* source = nullptr;
  double time = 0;
  bool welds = false;              // some of its vertices are copies of others
  std::uint32_t frozen_stamp = 0;  // of the follower

  StillBody freeze() const { return pliant::freeze(id, *source, time, true); }
};

// Two bodies, by number; or one with itself.
struct SphereBodyPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

// A node of a body's tree.
struct SphereNode {
  const SphereBody& body;
  std::uint32_t node = 0;
};

// As reports hold it, the sides in their order. `leaves`: both are, and they overlap.
UnresolvedPair unresolved_spheres(const SphereNode& a, const SphereNode& b, bool leaves);

struct SphereCounts {
  std::uint64_t pushed = 0;
  std::uint64_t tested = 0;
  std::uint64_t triangle_tests = 0;
  std::uint64_t most_open = 0;
  std::uint64_t deepest = 0;
};

// Cut invariant: every pair of leaves is below exactly one pair of open() or leaves(), or proved apart, or its
// triangles are tested. Each operation is a pair of spheres or of triangles; a pair is opened only if its operations
// are allowed, so that it stays whole otherwise.
class SphereSearch {
 public:
  SphereSearch(std::vector<SphereBody>& bodies, std::span<const SphereBodyPair> pairs,
               const SphereTreeMethodSettings& settings, const Detail& detail, const ContactFilter* filter);

  // Until there is nothing left, the budget is spent or, with first_only, something was found.
  void run(Pace& pace, const FinishTimes& finish, bool first_only);

  std::vector<SpherePair> open() const;  // to be opened
  std::size_t left_count() const { return open_count() + leaves_.size() + fine_.size(); }
  const std::vector<SpherePair>& leaves() const { return leaves_; }  // that overlap; triangles not tested
  const std::vector<SpherePair>& fine() const { return fine_; }      // that overlap and are not to be opened
  std::vector<FaceHit>& hits() { return hits_; }                     // some twice, where faces are cut
  const SphereCounts& counts() const { return counts_; }

  UnresolvedPair unresolved(const SpherePair& pair, bool leaves) const;

 private:
  SphereFollower& tree_a(const SpherePair& p) const { return *bodies_[pairs_[p.pair].a].follower; }
  SphereFollower& tree_b(const SpherePair& p) const { return *bodies_[pairs_[p.pair].b].follower; }
  bool is_self(const SpherePair& p) const { return pairs_[p.pair].a == pairs_[p.pair].b; }
  bool is_leaf_pair(const SpherePair& p) const {
    return tree_a(p).tree().is_leaf(p.a) && tree_b(p).tree().is_leaf(p.b);
  }
  bool is_deep_enough(const SphereTree& tree, std::uint32_t node) const {
    return tree.is_leaf(node) || tree.level(node) >= detail_.level;
  }
  bool is_fine_enough(const SpherePair& p) const;
  float size_of(const SpherePair& p, float most) const;

  void run_what_waits(bool first_only);
  std::size_t waiting() const;
  std::size_t open_count() const { return waiting() + selves_.size(); }
  bool go_on(std::uint32_t nanoseconds);  // after work
  bool pop(SpherePair& pair);
  void push(const SpherePair& pair);
  void queue(const SpherePair& pair);
  // What a pair falls into, that overlaps; none and false if the budget does not allow it.
  bool expand(const SpherePair& pair, std::vector<SpherePair>& into);
  // Before it.
  bool may_test(std::uint32_t tests, std::uint32_t nanoseconds) {
    return pace_->has_time_for(nanoseconds) && pace_->spend(tests);
  }
  static std::uint32_t time_for_children(const SphereFollower& tree, std::uint32_t node);
  void test_children(const SpherePair& pair, bool of_a, std::vector<SpherePair>& into);
  // Its size is that of the pair that falls into it.
  void add_if_overlapping(SpherePair pair, std::vector<SpherePair>& into);
  bool resolve(const SpherePair& pair);  // depth first
  void sort_in(const SpherePair& pair);
  void test_leaves(bool first_only);
  bool test_faces(const SpherePair& pair);
  static void freeze(SphereBody& body, const std::vector<FaceId>& faces);

  std::vector<SphereBody>& bodies_;
  std::span<const SphereBodyPair> pairs_;
  const SphereTreeMethodSettings& settings_;
  const Detail& detail_;
  const ContactFilter* filter_;
  Pace* pace_ = nullptr;  // of the run
  const FinishTimes* finish_ = nullptr;
  std::size_t queued_ = 0;                      // in the queues
  SizeBuckets buckets_;                         // largest first
  std::vector<std::deque<SpherePair>> queues_;  // in turn, by pair of bodies
  std::size_t turn_ = 0;
  std::vector<SpherePair> stack_;   // depth first, and what an interrupted resolution leaves
  std::vector<SpherePair> others_;  // pairs of different bodies, as they begin
  std::vector<SpherePair> selves_;  // bodies with themselves that have not begun
  std::vector<SpherePair> leaves_;
  std::vector<SpherePair> fine_;  // that are not to be opened
  std::vector<FaceHit> hits_;
  SphereCounts counts_;
};

}  // namespace pliant
