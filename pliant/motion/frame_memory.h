// What keeps the positions of a frame alive. Internal to motion/.
#pragma once

#include <atomic>
#include <cstring>

#include "pliant/motion/frame.h"

namespace pliant {

struct Frame::Memory {
  std::vector<Vec3> own;              // or
  std::shared_ptr<const void> owner;  // of positions elsewhere
  bool shared = false;
  std::optional<std::array<Vec3, 2>> bounds;
  mutable std::atomic<bool> finite{false};  // they were looked at and are
};

namespace detail {

// Zero in the top bit: finite. Integer operations only, which compilers turn into SIMD as they stand.
inline std::uint64_t not_finite_bit(double x) {
  constexpr std::uint64_t kMagnitude = 0x7fff'ffff'ffff'ffff;
  constexpr std::uint64_t kLastExponent = 0x0010'0000'0000'0000;  // carries an exponent of all ones into the sign
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return (bits & kMagnitude) + kLastExponent;
}

bool all_finite(std::span<const Vec3> positions);
// Lower and upper ends; none of no positions.
std::optional<std::array<Vec3, 2>> bounds_of(std::span<const Vec3> positions);
// Copies all of them in the same pass, finite or not. `to` has room for them and does not overlap them.
bool copy_and_check(std::span<const Vec3> positions, Vec3* to);
// positions.size() if there is none.
std::size_t first_not_finite(std::span<const Vec3> positions);

}  // namespace detail
}  // namespace pliant
