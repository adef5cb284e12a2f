// The vector type of the whole library: positions are double (decision 4 of docs/architecture.md).
#pragma once

#ifndef EIGEN_MPL2_ONLY
#define EIGEN_MPL2_ONLY
#endif
#include <Eigen/Core>

namespace pliant {

using Vec3 = Eigen::Vector3d;

// Positions are handed to kernels as plain arrays of three doubles, without padding.
static_assert(sizeof(Vec3) == 3 * sizeof(double));

}  // namespace pliant
