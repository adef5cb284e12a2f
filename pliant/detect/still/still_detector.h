// The frame of every still method: freeze, search, order, report.
#pragma once

#include <vector>

#include "pliant/detect/body_pairs.h"
#include "pliant/detect/regions.h"
#include "pliant/detect/still/search_tasks.h"
#include "pliant/detect/still/still_bodies.h"

namespace pliant {

// All bodies at one instant.
struct StillScene {
  double time = 0;
  std::vector<StillBody> bodies;
  const ContactFilter* filter = nullptr;  // of features; null: all

  StillPair pair(std::uint32_t a, std::uint32_t b) const { return {bodies[a], bodies[b], filter}; }
};

struct StillFindings {
  std::vector<FaceHit> hits;  // any order, each pair once
  std::vector<UnresolvedPair> unresolved;
  Counters counters;

  void take(const TaskFindings& found);
};

// Derived classes implement search(). Interrupted searches name what they left in `unresolved`, so that the report
// stays conservative.
class StillDetector : public Detector {
 protected:
  enum class Goal : std::uint8_t { all, any };

  using Detector::Detector;

  // With Goal::any it may return as soon as one hit is found, nothing unresolved.
  virtual StillFindings search(const StillScene& scene, BudgetState& state, Goal goal) = 0;

  bool wants(const StillScene& scene, BodyPair pair) const {
    return wants_bodies(scene.bodies[pair.a].id, scene.bodies[pair.b].id);
  }

  // Without an accelerating structure, the part left over of a pair of bodies is all of it: region 0.
  static UnresolvedPair whole_bodies(const StillBody& a, const StillBody& b);
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;

  double last_time() const { return last_time_; }

  Report find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) override;
  std::optional<bool> find_any(const Interval& interval, const Budget& budget) override;

 private:
  StillScene freeze_all(double time);

  double last_time_ = 0;
};

}  // namespace pliant
