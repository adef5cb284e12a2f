// Frames as people count them.
#pragma once

#include <cstddef>
#include <vector>

namespace pliant {

// Numbers of frames for reports: those of a file, counted from a first one, or times given for them.
class FrameClock {
 public:
  FrameClock() = default;  // 0, 1, 2, ...
  FrameClock(double first, double step) : first_(first), step_(step) {}
  // One a frame; must not go backwards, must not be empty.
  explicit FrameClock(std::vector<double> times) : times_(std::move(times)) {}

  // `frame` counts the frames that were read, from 0; what lies between two frames is shown between their numbers.
  double shown(double frame) const;

 private:
  double first_ = 0;
  double step_ = 1;
  std::vector<double> times_;
};

}  // namespace pliant
