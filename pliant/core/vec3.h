// The vector type of the whole library: positions are double (docs/architecture.md, Exactness).
#pragma once

#ifndef EIGEN_MPL2_ONLY
#define EIGEN_MPL2_ONLY
#endif
#include <Eigen/Core>

// With packets Eigen sums three products as (a + b) + c, without them as a + (b + c). So that answers have the same
// bits on every processor, vectors whose size is no multiple of a packet are computed without them, in the library and
// in what includes it: the CMake target and the pkg-config file say so. It costs no time.
#if defined(EIGEN_VECTORIZE) && EIGEN_UNALIGNED_VECTORIZE
#error "Compile with -DEIGEN_UNALIGNED_VECTORIZE=0: find_package(pliant) and pkg-config add it"
#endif

namespace pliant {

using Vec3 = Eigen::Vector3d;

// Positions are handed to kernels as plain arrays of three doubles, without padding.
static_assert(sizeof(Vec3) == 3 * sizeof(double));

}  // namespace pliant
