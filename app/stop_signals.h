// Ctrl-C as a flag.
#pragma once

#include <atomic>

namespace pliant::app {

// While one lives, the first SIGINT or SIGTERM sets the flag instead of ending the program; the second ends it. A file
// that grows beyond a limit is an error of the writing call, not a signal. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  const std::atomic<bool>& stop() const;
};

}  // namespace pliant::app
