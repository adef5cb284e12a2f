#include "pliant/check/frame_clock.h"

#include <algorithm>

namespace pliant {

double FrameClock::shown(double frame) const {
  if (times_.empty()) return first_ + step_ * frame;
  const auto before = std::min(static_cast<std::size_t>(frame), times_.size() - 1);
  if (before + 1 == times_.size()) return times_[before];
  return times_[before] + (times_[before + 1] - times_[before]) * (frame - static_cast<double>(before));
}

}  // namespace pliant
