// More chances for two regions whose particles did not find each other.
#pragma once

#include "pliant/detect/particles/body_regions.h"
#include "pliant/detect/particles/particle_walk.h"

namespace pliant {

// Both particles start again at the vertices nearest to the other region's middle, then to
// the middle of what their boxes have in common, then to its corners; from there they walk towards each other alone.
// The square of the distance to which they came, or of the first that is near enough. `restarts` of them at most.
struct RestartedRegion {
  const WalkingBody& body;
  const Regions& regions;
  std::uint32_t region;
};
double restart(const RestartedRegion& a, const RestartedRegion& b, int restarts, double near_enough_sq);

}  // namespace pliant
