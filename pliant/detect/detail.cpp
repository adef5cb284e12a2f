#include "pliant/detect/detail.h"

#include <cmath>
#include <string>

#include "pliant/core/error.h"

namespace pliant {

bool Detail::everything() const { return level == std::numeric_limits<std::uint32_t>::max() && size <= 0 && !viewer; }

bool Detail::fine_enough(double bound, double nearest) const {
  if (bound <= size) return true;
  if (!viewer) return false;
  constexpr double kRadians = 3.14159265358979323846 / 180;
  const double height = 2 * nearest * std::tan(0.5 * viewer->angle * kRadians);  // what the screen shows that far away
  return bound <= viewer->size * height;
}

void check_detail(const Detail& detail) {
  if (!std::isfinite(detail.size) || detail.size < 0)
    throw Error("the size at which detail ends is not a length", "give 0 (everything) or more");
  if (!detail.viewer) return;
  const Viewer& viewer = *detail.viewer;
  if (!viewer.position.allFinite()) throw Error("the viewer's position is not finite", "give a place");
  if (!(viewer.angle > 0 && viewer.angle < 180))
    throw Error("the viewer's angle of view is " + std::to_string(viewer.angle) + " degrees",
                "give more than 0 and less than 180");
  if (!(viewer.size >= 0 && viewer.size <= 1))
    throw Error("the smallest size on the viewer's screen is " + std::to_string(viewer.size),
                "give a fraction of the screen's height, 0 to 1");
}

}  // namespace pliant
