// Bodies that nothing moves: obstacles that stand still, and ones that follow a motion.
#pragma once

#include <optional>

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
// is that of the straight line to there. A motion whose frames are pulled from a file can fail at any of them: such a
// step is in trouble, and nothing is thrown.
class KeyframedBody : public BodyModel {
 public:
  // Throws Error if the motion has another number of vertices, the frame rate is not positive, or its first frame can
  // not be read.
  KeyframedBody(const MeshPtr& mesh, Motion motion, const KeyframeSettings& settings = {});

 private:
  StepStatus advance(double seconds, ParticleState& next) override;

  std::optional<Frame> frame_at(double time) const;  // s; none: it cannot be read

  Motion motion_;
  KeyframeSettings settings_;
};

}  // namespace pliant
