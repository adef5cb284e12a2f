// Bodies that have come to rest stand still, at no cost, until something moves them.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/response/step.h"
#include "pliant/world/world_state.h"

namespace pliant {

struct SleepSettings {
  bool enabled = true;
  double speed = 0.01;  // m/s, root mean square over the body, below which it counts as calm
  double seconds =
      0.5;  // calm for so long: it sleeps (stands still) until something pushes it or what it lies on moves
};

struct Sleeper {
  const BodyModel* model = nullptr;
  bool obstacle = false;  // never sleeps
};

class Sleep {
 public:
  explicit Sleep(const SleepSettings& settings) : settings_(settings) {}
  void add() { calm_seconds_.push_back(0); }

  bool asleep(BodyId body) const { return settings_.enabled && calm_seconds_[body.index()] >= settings_.seconds; }
  // A push that moves any of its vertices faster than calm wakes a body.
  void wake_if_moved(const StepBody& body, double seconds);

  // After every frame, with the pairs of bodies that pushed each other in it. Returns those that fall asleep now.
  using Pairs = std::set<std::pair<BodyId, BodyId>>;
  std::vector<BodyId> frame_done(std::span<const Sleeper> bodies, const Pairs& pushed, double seconds);

  void save(WorldState& state) const;
  void load(const WorldState& state);

 private:
  bool calm(const Sleeper& body) const;
  void wake_what_lost_hold(std::span<const Sleeper> bodies);

  SleepSettings settings_;
  std::vector<double> calm_seconds_;
  Pairs touching_;  // pairs that pushed each other in the last frame in which one of them was awake
};

}  // namespace pliant
