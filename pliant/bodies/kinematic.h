// Bodies that nothing moves: obstacles that stand still, and ones that follow a motion.
#pragma once

#include "pliant/bodies/body.h"
#include "pliant/motion/motion.h"

namespace pliant {

// Stands where its mesh is: the ground, a wall. Infinite masses.
class FixedBody : public BodyModel {
 public:
  explicit FixedBody(const MeshPtr& mesh);

 private:
  StepStatus advance(double seconds, ParticleState& next) override;
};

struct KeyframeSettings {
  double frames_per_second = 24;
  double first_frame = 0;  // where the motion is when the body's time is 0
};

// Follows a motion, whatever it meets: infinite masses. A predicted step ends where the motion is then; its velocity
// is that of the straight line to there.
class KeyframedBody : public BodyModel {
 public:
  // Throws Error if the motion has another number of vertices or the frame rate is not positive.
  KeyframedBody(const MeshPtr& mesh, Motion motion, const KeyframeSettings& settings = {});

 private:
  StepStatus advance(double seconds, ParticleState& next) override;

  Motion motion_;
  KeyframeSettings settings_;
};

}  // namespace pliant
