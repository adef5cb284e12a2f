#include <cmath>

#include "pliant/core/random.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/scene/builtin.h"
#include "pliant/scene/function_frames.h"

namespace pliant {
namespace {

constexpr double kSphere = 1.1;  // radius, where the teapot's body has 2
constexpr double kAside = 5.5;   // how far apart, along x, the two are at both ends

// From 0 in the first to 1 in the last frame.
double fraction_done(std::size_t frame, std::size_t frames) {
  return frames > 1 ? static_cast<double>(frame) / static_cast<double>(frames - 1) : 0;
}

// Wobbles in its own space, then turns and moves.
MovingBody drifting(std::string name, const MeshPtr& shape, std::size_t frames, const SmoothFieldSettings& wobble,
                    const std::function<RigidTransform(double)>& pose) {
  const SmoothField field(wobble);
  return moving_body(std::move(name), *shape, frames, [=](std::size_t frame) {
    const double fraction = fraction_done(frame, frames);
    return transformed(displaced(shape->positions(), field, fraction), pose(fraction));
  });
}

}  // namespace

// The ball goes through the pot from one side to the other while the pot turns half around.
MovingScene make_teapot_sphere(const SceneSettings& settings) {
  Random random(settings.seed);
  const auto triangles = static_cast<double>(settings.triangles);
  // About 4 to 1 in faces; the ball, which comes in more sizes, takes what the pot leaves.
  const int segments = std::max(2, static_cast<int>(std::lround(std::sqrt(triangles * 0.8 / 64))));
  const MeshPtr pot = make_teapot({.segments = segments, .trimmed = true});
  const double left = std::max(80.0, triangles - static_cast<double>(pot->face_count()));
  const MeshPtr ball =
      make_icosphere({.radius = kSphere, .frequency = static_cast<int>(std::lround(std::sqrt(left / 20)))});
  const double turn = 2 * kPi * random.unit(), aside = random.within(-0.6, 0.6);
  // Slopes stay below 0.16: the trimmed pot's parts, 0.02 apart and more, keep apart in the first frame.
  MovingBody moving_pot =
      drifting("teapot", pot, settings.frames, {.seed = random.bits(), .amplitude = 0.1, .wavelength = 4},
               [turn](double fraction) { return rigid(Vec3::UnitZ(), turn + kPi * fraction); });
  MovingBody moving_ball =
      drifting("sphere", ball, settings.frames, {.seed = random.bits(), .amplitude = 0.15, .wavelength = 2},
               [aside](double fraction) {
                 const Vec3 at(kAside * (2 * fraction - 1), aside, 1.6 + 0.5 * sin_cos(2 * kPi * fraction).sin);
                 return rigid(Vec3(1, 2, 3), 3 * fraction, at);
               });
  return {"teapot-sphere", {std::move(moving_pot), std::move(moving_ball)}};
}

}  // namespace pliant
