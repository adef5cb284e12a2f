// How AabbTree is built. Internal to bounds/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/aabb_tree.h"

namespace pliant {

// A primitive on its way into the tree.
struct alignas(32) BuildItem {
  std::array<float, 3> lo;
  std::uint32_t id;
  std::array<float, 3> hi;
  std::uint32_t key;  // spare: keeps the size at 32 bytes

  Aabb box() const { return {lo, hi}; }
  // Centre, clamped so that differences of two of them never overflow.
  float centre(std::size_t axis) const {
    constexpr float kMost = std::numeric_limits<float>::max() / 4;
    const float low = std::max(-kMost, std::min(kMost, lo[axis]));
    const float high = std::max(-kMost, std::min(kMost, hi[axis]));
    return 0.5f * low + 0.5f * high;
  }
};

// Cuts [begin, end) in two and returns the cut, strictly inside. Must depend on nothing but the items.
std::uint32_t split_by_sah(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end);
std::uint32_t split_at_median(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end);

// Items sorted along a Morton curve (21 bits an axis, ties by id) with their codes.
std::vector<std::uint64_t> sort_by_morton(Threads threads, std::vector<BuildItem>& items);
// Cuts a sorted run where the highest bit changes, in the middle if all codes are equal.
std::uint32_t split_by_morton(std::span<const std::uint64_t> codes, std::uint32_t begin, std::uint32_t end);

}  // namespace pliant
