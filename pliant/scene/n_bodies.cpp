#include <cmath>

#include "pliant/core/error.h"
#include "pliant/core/random.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/scene/builtin.h"
#include "pliant/scene/function_frames.h"

namespace pliant {
namespace {

constexpr double kReach = 1;      // no shape is larger than a ball of this radius, wobbling included
constexpr double kSpacing = 2.3;  // between the places where bodies start
constexpr double kAmplitude = 0.2;
constexpr double kSize = kReach - kAmplitude;

// Four kinds of shapes in turn, of about as many triangles as asked for.
MeshPtr make_soft_shape(std::size_t number, double triangles) {
  const auto root = [triangles](double per_square, int least) {
    return std::max(least, static_cast<int>(std::lround(std::sqrt(triangles / per_square))));
  };
  switch (number % 4) {
    case 0:
      return make_icosphere({.radius = kSize, .frequency = root(20, 1)});
    case 1: {
      const int n = root(4, 3);
      return make_torus({.radius = 0.68 * kSize, .tube_radius = 0.32 * kSize, .segments = 2 * n, .sides = n});
    }
    case 2: {
      const int n = root(24, 1);  // 4 n around, 3 n along
      return make_capsule({.radius = 0.5 * kSize, .length = kSize, .segments = 4 * n, .cap_rings = n, .side_rings = n});
    }
    default: {
      const int n = root(12, 1);
      return make_box({.size = Vec3::Constant(2 * kSize / std::sqrt(3.0)), .cells = {n, n, n}});
    }
  }
}

// A cubic lattice that is just large enough, around the origin.
std::vector<Vec3> starting_places(std::size_t count) {
  int edge = 1;
  while (static_cast<std::size_t>(edge) * edge * edge < count) ++edge;
  std::vector<Vec3> places;
  for (int z = 0; z < edge; ++z)
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x) places.emplace_back(kSpacing * (Vec3(x, y, z) - Vec3::Constant((edge - 1) / 2.0)));
  return places;
}

void shuffle(std::vector<Vec3>& places, Random& random) {
  for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random.below(i)]);
}

}  // namespace

// Each body drifts from its place towards that of another and back, turning and wobbling.
MovingScene make_n_bodies(const SceneSettings& settings) {
  if (settings.bodies == 0 || settings.bodies > settings.triangles / 100)
    throw Error(
        std::to_string(settings.bodies) + " bodies of " + std::to_string(settings.triangles) + " triangles together",
        "ask for 1 or more, of 100 triangles each");
  Random random(settings.seed);
  std::vector<Vec3> from = starting_places(settings.bodies), to = from;
  shuffle(from, random);
  shuffle(to, random);
  MovingScene scene{"n-bodies", {}};
  double left = static_cast<double>(settings.triangles);
  for (std::size_t i = 0; i < settings.bodies; ++i) {
    const MeshPtr shape = make_soft_shape(i, left / static_cast<double>(settings.bodies - i));
    left -= static_cast<double>(shape->face_count());
    const SmoothField wobble({.seed = random.bits(), .amplitude = kAmplitude, .wavelength = 2});
    const Vec3 axis{random.within(-1, 1), random.within(-1, 1), random.within(1, 2)};  // braces: in this order
    const double first_turn = 2 * kPi * random.unit(), turns = random.within(-2, 2);
    const Vec3 start = from[i], end = to[i];
    scene.bodies.push_back(moving_body(
        std::string(shape->origin().name) + " " + std::to_string(i), *shape, settings.frames, [=](std::size_t frame) {
          // Half a swing takes kFrames frames, whatever the number of frames.
          constexpr double kFrames = 60;
          const double time = static_cast<double>(frame) / kFrames;
          const double swing = (1 - sin_cos(kPi * time).cos) / 2;
          const RigidTransform pose = rigid(axis, first_turn + turns * time, start + swing * (end - start));
          return transformed(displaced(shape->positions(), wobble, time), pose);
        }));
  }
  return scene;
}

}  // namespace pliant
