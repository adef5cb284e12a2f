#include <cmath>

#include "pliant/core/random.h"
#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/scene/builtin.h"
#include "pliant/scene/cloth_frames.h"
#include "pliant/scene/function_frames.h"

namespace pliant {
namespace {

constexpr double kSwirlBall = 0.3;       // m, radius
constexpr double kSwirlClothSize = 2.0;  // m
constexpr double kSwirlStart = 0.02;     // m, of the cloth above the ball
constexpr double kPeriod = 3.0;          // s, of the ball's swing one way and back
constexpr double kSwing = 2.2;           // radians to either side

// The ball's angle: it swings to and fro, starting at full speed.
double ball_angle(double seconds) { return kSwing * sin_cos(2 * kPi / kPeriod * seconds).sin; }
double ball_speed(double seconds) { return kSwing * 2 * kPi / kPeriod * sin_cos(2 * kPi / kPeriod * seconds).cos; }

class TurningBall : public ClothObstacle {
 public:
  Nearest nearest(const Vec3& p) const override {
    const double distance = fixed_length(p);
    return {distance - kSwirlBall, distance > 0 ? Vec3(p / distance) : Vec3::UnitZ()};
  }
  Vec3 velocity(const Vec3& p, double seconds) const override { return ball_speed(seconds) * Vec3(-p.y(), p.x(), 0); }
};

}  // namespace

MovingScene make_swirl(const SceneSettings& settings) {
  Random random(settings.seed);
  const double ball_triangles = static_cast<double>(settings.triangles) / 12;
  const MeshPtr ball = make_icosphere(
      {.radius = kSwirlBall, .frequency = std::max(2, static_cast<int>(std::lround(std::sqrt(ball_triangles / 20))))});
  ClothSceneSettings cloth;
  cloth.cloth.size = kSwirlClothSize;
  cloth.cloth.height = kSwirlBall + kSwirlStart;
  cloth.cloth.friction = 2;
  cloth.cloth.frame_seconds = 1.0 / 24;
  cloth.ripples.seed = random.bits();
  cloth.obstacle = std::make_shared<TurningBall>();
  const auto cloth_triangles = static_cast<double>(settings.triangles - ball->face_count());
  cloth.cells = std::max(2, static_cast<int>(std::lround(std::sqrt(cloth_triangles / 2))));
  cloth.frames = settings.frames;
  cloth.chord_radius = kSwirlBall;
  const double frame_seconds = cloth.cloth.frame_seconds;
  MovingBody ball_body = moving_body("ball", *ball, settings.frames, [ball, frame_seconds](std::size_t frame) {
    return transformed(ball->positions(), rigid(Vec3::UnitZ(), ball_angle(static_cast<double>(frame) * frame_seconds)));
  });
  return {"swirl", {std::move(ball_body), make_cloth_body(cloth)}};
}

}  // namespace pliant
