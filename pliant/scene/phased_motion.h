// How an obstacle moves that is turned and pushed for given times, one after the other.
#pragma once

#include <span>
#include <vector>

#include "pliant/core/rigid.h"
#include "pliant/motion/motion.h"
#include "pliant/scene/scene_file.h"

namespace pliant {

// Where phases have taken a body at `seconds`: turned about `centre`, which moves along.
RigidTransform phased_transform(std::span<const MotionPhase> phases, const Vec3& centre, double seconds);

// The mesh's positions under it, turning about the middle of its box, at keyframes `frames_per_second` apart. It does
// not end. Between keyframes vertices go straight, so a turning body is a little smaller in between.
Motion phased_motion(const MeshPtr& mesh, std::vector<MotionPhase> phases, double frames_per_second);

}  // namespace pliant
