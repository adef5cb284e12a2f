// A small random generator that gives the same numbers on every platform, compiler and standard library.
#pragma once

#include <cstdint>

namespace pliant {

// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): one add and one
// mixing function a number, period 2^64, any seed is good. For shapes, scenes and sampling; not for secrets.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  // In [0, 1): a multiple of 2^-53.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  // In [low, high), up to the rounding of the last bit.
  double within(double low, double high) { return low + (high - low) * unit(); }

  // In [0, count), count > 0. The bias is below count / 2^64.
  std::uint64_t below(std::uint64_t count) { return bits() % count; }

  // A generator that is independent of this one's later numbers.
  Random split() { return Random(bits() ^ 0x6a09e667f3bcc909ULL); }

 private:
  std::uint64_t state_;
};

}  // namespace pliant
