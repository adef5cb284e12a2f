// What is behind World: one frame after the other, each of steps that were proved free. Internal to world/.
#pragma once

#include <set>

#include "pliant/world/step_trial.h"
#include "pliant/world/world.h"
#include "pliant/world/world_bodies.h"

namespace pliant {

class World::Loop {
 public:
  explicit Loop(const WorldSettings& settings);  // throws Error for settings out of range
  Loop(const Loop&) = delete;                    // a trial refers to its members
  Loop& operator=(const Loop&) = delete;

  BodyId add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings);
  std::vector<StartOverlap> resolve_overlaps();
  FrameReport step(const World& world, const Budget& budget, WorldObserver* observer);
  WorldState snapshot() const;
  void restore(const WorldState& state);

  WorldBodies& bodies() { return bodies_; }
  const WorldBodies& bodies() const { return bodies_; }
  const WorldSettings& settings() const { return settings_; }
  std::string method() const { return trial_ ? trial_->method() : settings_.method; }
  double frame() const { return static_cast<double>(frame_) + fraction_; }
  const Sleep& sleep() const { return sleep_; }

 private:
  // Who is told of what is committed.
  struct Listener {
    const World& world;
    WorldObserver* observer;  // may be null
  };
  using Pairs = std::set<std::pair<BodyId, BodyId>>;

  bool advance_to(double target, const Budget& budget, const Listener& listener);
  double straight_seconds() const;
  std::vector<bool> proved_bodies(const PairTable& pairs) const;
  void commit(const Resolution& resolution, double fraction, const Listener& listener);
  void report_contacts(const Resolution& resolution, double fraction, const Listener& listener) const;
  void finish_frame();
  void forget_parted_pairs();
  void fail(const StepFailure& failure);

  WorldSettings settings_;
  WorldBodies bodies_;
  Sleep sleep_;
  std::unique_ptr<StepTrial> trial_;  // from the first step on
  std::vector<bool> proved_;          // of the frame
  Pairs overlapping_;
  Pairs pushed_;  // in this frame
  bool knows_overlaps_ = false;
  std::uint64_t frame_ = 0;
  double fraction_ = 0;
  double trial_fraction_ = 1;  // of a step that is tried at once: less after a deadline that came too early
  FrameReport report_;
};

}  // namespace pliant
