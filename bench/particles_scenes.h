// The bodies and motions that bench/particles_bench.cpp measures.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "pliant/core/random.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/scene/pot_and_ball.h"

namespace pliant::bench {

inline DetectorSettings settings_of(Mode mode, MethodSettings own = {}) {
  DetectorSettings settings;
  settings.mode = mode;
  settings.self = false;
  settings.threads = {1};
  settings.method = std::move(own);
  return settings;
}

inline Vec3 random_direction(Random& random) {
  while (true) {
    const Vec3 p(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1));
    if (p.norm() > 0.1 && p.norm() < 1) return p.normalized();
  }
}

inline MeshPtr ball_of(std::size_t triangles) {
  const MeshPtr ball = make_icosphere(
      {.frequency = std::max(1, static_cast<int>(std::lround(std::sqrt(static_cast<double>(triangles) / 20))))});
  const SmoothField field({.seed = 2, .amplitude = 0.1, .wavelength = 1.5});
  return with_positions(*ball, displaced(ball->positions(), field));
}

// Two wobbling balls, just in touch or deep in each other.
struct TwoBalls {
  static constexpr int kFrames = 24;
  MeshPtr mesh;
  std::vector<Frame> a, b;

  TwoBalls(std::size_t triangles, double distance)
      : mesh(make_icosphere({.frequency = std::max(
                                 1, static_cast<int>(std::lround(std::sqrt(static_cast<double>(triangles) / 40))))})) {
    const SmoothField field({.seed = 9, .amplitude = 0.15, .wavelength = 1.5});
    for (int k = 0; k < kFrames; ++k) {
      const double t = 0.1 * k / kFrames;
      a.push_back(Frame::own(displaced(mesh->positions(), field, t)));
      b.push_back(Frame::own(transformed(displaced(mesh->positions(), field, 1 + t),
                                         rigid({1, 2, 3}, 0.5 + t, {distance - 0.2 * t, 0.1, 0.2}))));
    }
  }
};

}  // namespace pliant::bench
