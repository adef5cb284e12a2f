// The frame of every still method: freeze, search, order, report.
#pragma once

#include <vector>

#include "pliant/detect/body_pairs.h"
#include "pliant/detect/ordered_hits.h"
#include "pliant/detect/regions.h"
#include "pliant/detect/search_tasks.h"
#include "pliant/detect/still/still_bodies.h"

namespace pliant {

// All bodies at one instant.
struct StillQuery {
  double time = 0;
  std::vector<StillBody> bodies;
  const ContactFilter* filter = nullptr;  // of features; null: all
  bool candidates_only = false;           // DetectorSettings

  StillPair pair(std::uint32_t a, std::uint32_t b) const { return {bodies[a], bodies[b], filter, candidates_only}; }
};

// What one task of a search found.
struct TaskFindings {
  std::vector<FaceHit> hits;
  std::vector<BodyPair> pairs;  // of their bodies
  std::uint64_t box_tests = 0;
  std::uint64_t triangle_tests = 0;
  std::uint64_t candidates = 0;  // of a search for them only
  bool finished = false;         // false: something of the task was left out

  bool certain() const { return !hits.empty(); }
  void add(const FaceHit& hit) {
    hits.push_back(hit);
    const BodyPair pair{hit.body_a, hit.body_b};
    if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
  }
};

struct StillFindings {
  OrderedHits<FaceHit> hits;    // each pair once
  std::vector<BodyPair> pairs;  // of their bodies; some several times
  std::vector<UnresolvedPair> unresolved;
  Counters counters;
  bool statistical = false;  // something may have been missed, even if nothing is unresolved
  bool interrupted = false;  // the budget ended it early, even if nothing is unresolved

  void add(TaskFindings&& found);
};

// Derived classes implement search(). Interrupted searches name what they left in `unresolved`, so that the report
// stays conservative; heuristic ones say that they are statistical, and their reports say so in any case. If the budget
// ends while contacts are made of what was found, those that are left out are named as pairs of whole bodies.
class StillDetector : public Detector {
 protected:
  enum class Goal : std::uint8_t { all, any };

  using Detector::Detector;

  // With Goal::any it may return as soon as one hit is found, nothing unresolved.
  virtual StillFindings search(const StillQuery& query, BudgetState& state, Goal goal) = 0;

  bool wants(const StillQuery& query, BodyPair pair) const {
    return wants_bodies(query.bodies[pair.a].id, query.bodies[pair.b].id);
  }

  // Of a search that had no time to begin: all pairs of bodies that are wanted and whose boxes overlap.
  StillFindings nothing_found(const StillQuery& query) const;
  // Without an accelerating structure, the part left over of a pair of bodies is all of it: region 0.
  static UnresolvedPair whole_bodies(const StillBody& a, const StillBody& b);
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;

  double last_time() const { return last_time_; }

  Report find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) override;
  std::optional<bool> find_any(const Interval& interval, const Budget& budget) override;

 private:
  StillQuery freeze_all(double time);
  std::vector<UnresolvedPair> left_out(const StillQuery& query, std::vector<BodyPair> pairs, std::uint32_t first) const;

  double last_time_ = 0;
};

}  // namespace pliant
