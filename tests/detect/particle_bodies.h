// Bodies for tests of the particle method.
#pragma once

#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/support/soups.h"

namespace pliant::testing {

// Without symmetry, so that no two distances on it are equal.
inline MeshPtr lumpy_ball(std::uint64_t seed, int frequency = 8, double radius = 1) {
  const MeshPtr ball = make_icosphere({.radius = radius, .frequency = frequency});
  const SmoothField field({.seed = seed, .amplitude = 0.15 * radius, .wavelength = 1.5 * radius});
  return with_positions(*ball, displaced(ball->positions(), field));
}

}  // namespace pliant::testing
