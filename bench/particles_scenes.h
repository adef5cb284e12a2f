// The bodies and motions that bench/particles_bench.cpp measures.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "pliant/core/random.h"
#include "pliant/core/trig.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"

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

// A ball comes to the pot, glides along its side in touch with it, goes through it and away; both wobble.
class PotAndBall {
 public:
  explicit PotAndBall(int segments)
      : pot_(make_teapot({.segments = segments, .trimmed = true})),
        ball_(make_uv_sphere({.radius = 1.1, .segments = 30, .rings = 22})),
        pot_field_({.seed = 3, .amplitude = 0.1, .wavelength = 4}),
        ball_field_({.seed = 5, .amplitude = 0.1, .wavelength = 2}) {
    for (int frame = 0; frame < kFrames; ++frame) add(frame);
  }
  static constexpr int kFrames = 640;

  const MeshPtr& pot() const { return pot_; }
  const MeshPtr& ball() const { return ball_; }
  const std::vector<Vec3>& pot_at(int frame) const { return pots_[static_cast<std::size_t>(frame)]; }
  const std::vector<Vec3>& ball_at(int frame) const { return balls_[static_cast<std::size_t>(frame)]; }

 private:
  static constexpr int kApproach = 120, kGlide = 200, kThrough = 220;

  std::vector<Vec3> ball_from(int frame, double distance) const {
    const double t = static_cast<double>(frame) / kFrames;
    const double glided = std::clamp(static_cast<double>(frame - kApproach) / kGlide, 0.0, 1.0);
    const SinCos turn = sin_cos(kPi * (0.5 - 0.2 * glided));
    const Vec3 way(turn.cos, turn.sin, 0);
    return transformed(displaced(ball_->positions(), ball_field_, t),
                       rigid({1, 2, 3}, 4 * t, distance * way + Vec3(0, 0, 1.3)));
  }

  // The distance at which the two begin to touch in this frame.
  double touching(int frame) const {
    const auto detector = make_detector("bvh", settings_of(Mode::safe));
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

  void add(int frame) {
    const double t = static_cast<double>(frame) / kFrames;
    pots_.push_back(transformed(displaced(pot_->positions(), pot_field_, t), rigid(Vec3::UnitZ(), 0.3 * t)));
    double distance = 0;
    if (frame < kApproach) distance = 5.5 + (touching(frame) - 5.5) * frame / kApproach;
    else if (frame < kApproach + kGlide) distance = touching(frame) - 2e-5 * (1 + frame % 12);
    else if (frame == kApproach + kGlide) distance = start_ = touching(frame);
    else
      distance =
          start_ - (start_ + 5.5) * std::min(1.0, static_cast<double>(frame - kApproach - kGlide) / (kThrough + 80));
    balls_.push_back(ball_from(frame, distance));
  }

  MeshPtr pot_, ball_;
  SmoothField pot_field_, ball_field_;
  double start_ = 0;
  std::vector<std::vector<Vec3>> pots_, balls_;
};

}  // namespace pliant::bench
