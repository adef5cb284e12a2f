// The scene with which the particles of method `particles` were published, as near as its text describes it: a ball
// comes to a teapot, glides along its side in touch with it, goes through it and away; both wobble. Made once, 640
// frames.
#pragma once

#include <vector>

#include "pliant/mesh/deform.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

class PotAndBall {
 public:
  // `segments` of a patch of the pot: 9 give about 5,800 triangles. The ball has 1,260.
  explicit PotAndBall(int segments);
  static constexpr int kFrames = 640;

  const MeshPtr& pot() const { return pot_; }
  const MeshPtr& ball() const { return ball_; }
  const std::vector<Vec3>& pot_at(int frame) const { return pots_[static_cast<std::size_t>(frame)]; }
  const std::vector<Vec3>& ball_at(int frame) const { return balls_[static_cast<std::size_t>(frame)]; }

 private:
  std::vector<Vec3> ball_from(int frame, double distance) const;
  double touching(int frame) const;
  void add(int frame);

  MeshPtr pot_, ball_;
  SmoothField pot_field_, ball_field_;
  double start_ = 0;  // the distance at which it begins to go through
  std::vector<std::vector<Vec3>> pots_, balls_;
};

}  // namespace pliant
