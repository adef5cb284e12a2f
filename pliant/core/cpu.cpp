#include "pliant/core/cpu.h"

#include <atomic>
#include <cstdlib>

namespace pliant {
namespace {

bool detect_avx2() {
#if defined(PLIANT_AVX2) && (defined(__x86_64__) || defined(__i386__))
  if (std::getenv("PLIANT_NO_AVX2") != nullptr) return false;
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

std::atomic<bool>& allowed_flag() {
  static std::atomic<bool> allowed{true};
  return allowed;
}

}  // namespace

bool use_avx2() {
  static const bool available = detect_avx2();
  return available && allowed_flag().load(std::memory_order_relaxed);
}

void set_avx2_allowed(bool allowed) { allowed_flag().store(allowed, std::memory_order_relaxed); }

}  // namespace pliant
