// How AabbTree is built. Internal to bounds/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/core/simd.h"

namespace pliant {

// A primitive on its way into the tree: its box, clamped so that sums and differences of corners never overflow.
struct alignas(16) BuildItem {
  simd::Float4 lo;  // lane 3: 0
  simd::Float4 hi;

  static BuildItem of(const Aabb& box);
  // Twice the centre.
  simd::Float4 centre() const { return lo + hi; }
};

// Boxes and numbers of the primitives, permuted together while runs are cut.
struct BuildItems {
  std::vector<BuildItem> boxes;
  std::vector<std::uint32_t> ids;
  std::vector<BuildItem> spare_boxes;  // room to move them; a run uses only its own slots
  std::vector<std::uint32_t> spare_ids;

  BuildItems() = default;
  explicit BuildItems(std::span<const Aabb> primitives);
  std::uint32_t size() const { return static_cast<std::uint32_t>(ids.size()); }
};

// Bounds of the (doubled) centres of a run of items.
struct CentreBounds {
  simd::Float4 lo;
  simd::Float4 hi;

  static CentreBounds none();
  static CentreBounds of(const BuildItems& items, std::uint32_t begin, std::uint32_t end);
  void add(simd::Float4 centre) {
    lo = simd::min(lo, centre);
    hi = simd::max(hi, centre);
  }
  int longest_axis() const;
};

// A run of items cut in two, strictly inside.
struct Cut {
  std::uint32_t middle;
  CentreBounds left;
  CentreBounds right;
};

// Cuts must depend on nothing but the items.
Cut cut_by_sah(BuildItems& items, std::uint32_t begin, std::uint32_t end, const CentreBounds& bounds);
Cut cut_at_median(BuildItems& items, std::uint32_t begin, std::uint32_t end, const CentreBounds& bounds);

// Primitives along a Morton curve through their centres (21 bits an axis, ties by id).
struct MortonOrder {
  std::vector<std::uint64_t> codes;
  std::vector<std::uint32_t> ids;
};
MortonOrder sort_by_morton(Threads threads, std::span<const Aabb> boxes);
// Cuts a sorted run where the highest bit changes, in the middle if all codes are equal.
std::uint32_t cut_by_morton(std::span<const std::uint64_t> codes, std::uint32_t begin, std::uint32_t end);

}  // namespace pliant
