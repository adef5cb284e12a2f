// The rotation between two poses of a few points.
#pragma once

#include <span>

#include "pliant/core/vec3.h"

namespace pliant {

// A rotation, to rounding, that takes `from` near `to`, both given from their means; nearly the best one. Some rotation
// where the points are on a line or in one point. A function of its arguments alone: no state, no trigonometry.
Eigen::Matrix3d fit_rotation(std::span<const Vec3> from, std::span<const Vec3> to);

}  // namespace pliant
