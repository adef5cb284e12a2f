#include "app/stop_signals.h"

#include <csignal>

namespace pliant::app {
namespace {

std::atomic<bool> g_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

void set_stop(int) { g_stop = true; }

}  // namespace

StopSignals::StopSignals() {
  g_stop = false;
  struct sigaction action {};
  action.sa_handler = set_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

StopSignals::~StopSignals() {
  for (const int number : {SIGINT, SIGTERM, SIGXFSZ}) std::signal(number, SIG_DFL);
}

const std::atomic<bool>& StopSignals::stop() const { return g_stop; }

void StopSignals::throw_if_stopped() const {
  if (g_stop) throw Stopped();
}

}  // namespace pliant::app
