// Ctrl-C as a flag.
#pragma once

#include <atomic>
#include <stdexcept>

namespace pliant::app {

// The user has asked to stop, and what was being written is taken away.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

// While one lives, the first SIGINT or SIGTERM sets the flag instead of ending the program; the second ends it. A file
// that grows beyond a limit is an error of the writing call, not a signal. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  const std::atomic<bool>& stop() const;
  void throw_if_stopped() const;  // Stopped
};

}  // namespace pliant::app
