// Positions that a program keeps changing, copied frame after frame into memory that is used again.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/motion/motion.h"

namespace pliant {

// Copies and checks in one pass. What it made stays as it is for as long as anybody holds the motion or a frame of it:
// memory is used again only when nobody else has it. So after a few frames nothing is allocated any more, unless
// motions are kept.
//
// Not safe for use from several threads at once; what it made is. Every function throws Error, and changes nothing, for
// a coordinate that is not finite (naming the vertex), frames of different size, or an interval that is not one.
class PositionBuffer {
 public:
  Motion at_rest(std::span<const Vec3> positions);
  Motion step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Interval when = {0, 1});
  // From a frame that is there already.
  Motion step(const Frame& x_t0, std::span<const Vec3> x_t1, Interval when = {0, 1});

 private:
  Frame copy(std::span<const Vec3> positions, const char* which);
  Motion motion_of(Frame x_t0, Frame x_t1, Interval when);

  // At most, and only if so many were in use at once: a method may still look at the step before, and a caller may
  // keep a few.
  static constexpr std::size_t kFrames = 8;
  static constexpr std::size_t kSteps = 4;
  std::vector<std::shared_ptr<Frame::Memory>> frames_;
  std::vector<std::shared_ptr<Motion::OneStep>> steps_;
};

}  // namespace pliant
