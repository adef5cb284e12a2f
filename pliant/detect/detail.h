// How finely pairs of regions are looked at where that is not a question of time: by level, by size, or by what a
// viewer can see of them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "pliant/core/vec3.h"

namespace pliant {

// Somebody who looks at the bodies from a place.
struct Viewer {
  Vec3 position = Vec3::Zero();
  double angle = 60;    // of view, from the lower to the upper edge of the screen, degrees; more than 0, less than 180
  double size = 0.005;  // what is smaller than this fraction of the screen's height needs no closer look
};

// A pair that is fine enough is reported as it is: a possible contact of two regions that were found to overlap, in the
// cut with `leaves`. Nothing is missed; what one rule finds fine enough is.
struct Detail {
  std::uint32_t level =
      std::numeric_limits<std::uint32_t>::max();  // both regions are at this level (root: 0) or leaves
  double size = 0;                                // no two points of the pair are farther apart
  std::optional<Viewer> viewer;

  bool everything() const;
  // Of a pair of which no two points are farther apart than `bound`. `nearest`: distance of the viewer from it, at
  // most.
  bool fine_enough(double bound, double nearest) const;
};

// Throws Error for a size that is negative or not finite, and for a viewer who cannot be.
void check_detail(const Detail& detail);

}  // namespace pliant
