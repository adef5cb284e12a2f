// One step, tried: where bodies would go, what meets on the way, how it is kept apart, and the proof. Internal to
// world/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "pliant/response/step_resolver.h"
#include "pliant/world/contact_steps.h"
#include "pliant/world/sleep.h"
#include "pliant/world/step_search.h"
#include "pliant/world/unproved_pairs.h"
#include "pliant/world/world_bodies.h"

namespace pliant {

// Why a step could not be tried to its end.
struct StepFailure {
  StepOutcome outcome = StepOutcome::done;
  std::vector<BodyId> bodies;
  std::string message;
};

class StepTrial {
 public:
  // All of these outlive it.
  StepTrial(WorldBodies& bodies, const WorldSettings& settings, const Sleep& sleep);

  void set_pairs(const PairTable& pairs) {
    search_.set_pairs(pairs);
    unproved_.set_pairs(pairs);
  }
  std::string method() const {
    return bodies_.rules()[0].response.kind == ResponseKind::proof ? search_.method() : bodies_.rules()[0].method;
  }

  // Unless the outcome is a free resolution, all models are as they were. Otherwise step() says where bodies end, and
  // those that took short steps are there already. Times, searches and inverted elements are noted in `report`.
  std::variant<Resolution, StepFailure> run(double seconds, const Budget& budget, FrameReport& report);
  Step& step() { return step_; }
  // Sleepers that something awake came near to, and whoever sleeps with them: they went along.
  const std::vector<BodyId>& woken() const { return woken_; }

 private:
  // Nothing: it went well.
  using Problem = std::optional<StepFailure>;
  Problem guess_ends();
  Problem move_obstacles();
  void aim_pins();
  std::vector<SteppedBody> stepped_bodies() const;
  Problem move(ContactSteps& steps, const Budget& budget);
  Problem trouble_in(std::span<const StepStatus> status);
  bool add(ContactSteps& steps, std::span<const Contact> contacts, std::span<const CarriedContact> carried = {});
  Report find_near(const Budget& budget);
  Report find_meeting(const Budget& budget);
  std::variant<Resolution, StepFailure> find_free(ContactSteps& steps, const Budget& budget);
  Resolution resolve(std::vector<Contact> meeting, const Budget& budget);
  void note(const UnprovedPairs::Work& work);
  void restore_bodies();
  bool is_predicted(BodyId body) const;
  bool wake_beside(std::span<const Contact> near, std::span<const CarriedContact> carried);

  WorldBodies& bodies_;
  const WorldSettings& settings_;
  const Sleep& sleep_;
  StepSearch search_;
  UnprovedPairs unproved_;
  ResolverSettings response_;
  StepResolver resolver_;
  Step step_;
  std::vector<CarriedContact> foreseen_;  // of dense surfaces, by the last find_near()
  std::vector<BodyId> woken_;
  std::vector<std::optional<BodyState>> before_;  // the committed states of bodies whose pins were aimed
  FrameReport* report_ = nullptr;                 // of the step that is tried
};

}  // namespace pliant
