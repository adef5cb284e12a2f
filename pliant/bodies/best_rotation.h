// The rotation between two poses of one set of points.
#pragma once

#include <span>

#include "pliant/core/vec3.h"

namespace pliant {

// The rotation that, after both are centred, takes `from` nearest to `to` in the sum of weight times distance squared.
// Always a rotation, never a mirror image; some rotation where the points are nearly on a line or in one point.
Eigen::Matrix3d best_rotation(std::span<const Vec3> from, std::span<const Vec3> to, std::span<const double> weights);

// sum of weight times point over the sum of weights.
Vec3 weighted_centre(std::span<const Vec3> points, std::span<const double> weights);

}  // namespace pliant
