// Bodies that have come to rest stand still, at no cost, until something moves them.
//
// Slow is not at rest: what floats free goes on for ever, and what a slow press pushes has to push back. So a body
// falls asleep only on something that holds it and does not move, and wakes when pushes have added up to a way that
// could be felt, however slow they are. Bodies that push each other fall asleep and wake together: one that stood still
// in a stack that still heaves would be an obstacle to it that gives way.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/response/step.h"
#include "pliant/world/sleep_settings.h"
#include "pliant/world/world_state.h"

namespace pliant {

struct Sleeper {
  const BodyModel* model = nullptr;
  bool obstacle = false;  // never sleeps
  bool pinned = false;    // some of its vertices are held where they are
};

class Sleep {
 public:
  explicit Sleep(const SleepSettings& settings) : settings_(settings) {}
  void add() {
    calm_seconds_.push_back(0);
    crept_.push_back(0);
  }

  bool asleep(BodyId body) const { return settings_.enabled && calm_seconds_[body.index()] >= settings_.seconds; }
  // Those that sleep with it: it and whoever it touched when it fell asleep, and so on. Nothing of what is awake.
  std::vector<BodyId> sleeping_with(BodyId body) const;
  void wake(BodyId body);  // and whoever sleeps with it
  // A push wakes a body that moves any of its vertices faster than calm, or farther than `way` (m) together with all
  // pushes since it fell asleep.
  void wake_if_moved(const StepBody& body, double seconds, double way);

  // After every frame, with the pairs of bodies that pushed each other in it. Returns those that fall asleep now.
  using Pairs = std::set<std::pair<BodyId, BodyId>>;
  std::vector<BodyId> frame_done(std::span<const Sleeper> bodies, const Pairs& pushed, double seconds);

  void save(WorldState& state) const;
  void load(const WorldState& state);

 private:
  bool calm(const Sleeper& body) const;
  bool stirs(BodyId body, std::span<const Sleeper> bodies) const;
  void wake_what_lost_hold(std::span<const Sleeper> bodies);
  std::vector<bool> held(std::span<const Sleeper> bodies, const Pairs& pushed) const;
  void calm_down_together(std::span<const Sleeper> bodies, const Pairs& pushed);

  SleepSettings settings_;
  std::vector<double> calm_seconds_;
  std::vector<double> crept_;  // m, by body: how far pushes have moved it, at most, since it fell asleep
  Pairs touching_;             // pairs that pushed each other in the last frame in which one of them was awake
};

}  // namespace pliant
