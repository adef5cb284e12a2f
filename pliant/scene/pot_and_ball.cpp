#include "pliant/scene/pot_and_ball.h"

#include <algorithm>

#include "pliant/core/trig.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/shapes.h"

namespace pliant {
namespace {

constexpr int kApproach = 120, kGlide = 200, kThrough = 220;  // frames
constexpr double kFar = 5.5;

}  // namespace

PotAndBall::PotAndBall(int segments)
    : pot_(make_teapot({.segments = segments, .trimmed = true})),
      ball_(make_uv_sphere({.radius = 1.1, .segments = 30, .rings = 22})),
      pot_field_({.seed = 3, .amplitude = 0.1, .wavelength = 4}),
      ball_field_({.seed = 5, .amplitude = 0.1, .wavelength = 2}) {
  for (int frame = 0; frame < kFrames; ++frame) add(frame);
}

std::vector<Vec3> PotAndBall::ball_from(int frame, double distance) const {
  const double t = static_cast<double>(frame) / kFrames;
  const double glided = std::clamp(static_cast<double>(frame - kApproach) / kGlide, 0.0, 1.0);
  const SinCos turn = sin_cos(kPi * (0.5 - 0.2 * glided));
  const Vec3 way(turn.cos, turn.sin, 0);
  return transformed(displaced(ball_->positions(), ball_field_, t),
                     rigid({1, 2, 3}, 4 * t, distance * way + Vec3(0, 0, 1.3)));
}

// The distance at which the two begin to touch in this frame.
double PotAndBall::touching(int frame) const {
  DetectorSettings settings{.self = false};
  settings.threads = {1};
  const auto detector = make_detector("bvh", settings);
  detector->add_body(pot_, Motion::at_rest(with_positions(*pot_, pots_.back())));
  detector->add_body(ball_);
  double apart = 4.5, meeting = 2.2;
  for (int k = 0; k < 24; ++k) {
    const double middle = 0.5 * (apart + meeting);
    detector->set_positions(BodyId(1), ball_from(frame, middle));
    (detector->collides(Interval::instant(0)).value_or(false) ? meeting : apart) = middle;
  }
  return meeting;
}

void PotAndBall::add(int frame) {
  const double t = static_cast<double>(frame) / kFrames;
  pots_.push_back(transformed(displaced(pot_->positions(), pot_field_, t), rigid(Vec3::UnitZ(), 0.3 * t)));
  double distance = 0;
  if (frame < kApproach) distance = kFar + (touching(frame) - kFar) * frame / kApproach;
  else if (frame < kApproach + kGlide) distance = touching(frame) - 2e-5 * (1 + frame % 12);
  else if (frame == kApproach + kGlide) distance = start_ = touching(frame);
  else {
    const double gone = std::min(1.0, static_cast<double>(frame - kApproach - kGlide) / (kThrough + 80));
    distance = start_ - (start_ + kFar) * gone;
  }
  balls_.push_back(ball_from(frame, distance));
}

}  // namespace pliant
