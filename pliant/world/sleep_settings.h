// When bodies that have come to rest stand still (world/sleep.h).
#pragma once

namespace pliant {

struct SleepSettings {
  bool enabled = true;
  double speed = 0.01;   // m/s, root mean square over the body, below which it counts as calm
  double seconds = 0.5;  // calm for so long: it sleeps (stands still) until it is pushed or what it lies on moves
};

}  // namespace pliant
