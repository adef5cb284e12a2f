// Where the time of a step goes. Internal to world/.
#pragma once

#include <chrono>

namespace pliant {

// Adds the time that it lives to a sum, s.
class StageWatch {
 public:
  explicit StageWatch(double& seconds) : seconds_(seconds) {}
  ~StageWatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  StageWatch(const StageWatch&) = delete;
  StageWatch& operator=(const StageWatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace pliant
