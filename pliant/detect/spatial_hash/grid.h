// The table of the spatial hash. Internal to spatial_hash/.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/core/ids.h"

namespace pliant {

// A face of a frozen body, with its box.
struct GridItem {
  AabbNode box;  // `first` is the face, `count` the body's index
  FaceId face() const { return FaceId(box.first); }
  std::uint32_t body() const { return box.count; }
};

using Cell = std::array<std::int32_t, 3>;

// Which cell a coordinate lies in. Monotone, also where it clamps: what overlaps in space shares a cell.
class CellGrid {
 public:
  explicit CellGrid(double cell_size) : per_length_(1 / cell_size) {}
  std::int32_t index(float x) const {
    constexpr double kMost = 2e9;
    const double cell = std::floor(double{x} * per_length_);
    return static_cast<std::int32_t>(std::max(-kMost, std::min(kMost, cell)));
  }
  Cell lower(const AabbNode& box) const { return {index(box.lo[0]), index(box.lo[1]), index(box.lo[2])}; }
  Cell upper(const AabbNode& box) const { return {index(box.hi[0]), index(box.hi[1]), index(box.hi[2])}; }
  // The cell where two overlapping boxes are reported: that of the lower corner of what they have in common.
  Cell meeting(const AabbNode& a, const AabbNode& b) const {
    Cell cell;
    for (std::size_t i = 0; i < 3; ++i) cell[i] = index(std::max(a.lo[i], b.lo[i]));
    return cell;
  }
  std::uint64_t cells_covered(const AabbNode& box) const;

 private:
  double per_length_;
};

// Items by bucket; distinct cells may share a bucket, hence the cell with every entry.
class CellTable {
 public:
  struct Entry {
    Cell cell;
    std::uint32_t item;
  };
  // Items that cover more than `most_cells` cells are left out and listed apart.
  CellTable(std::span<const GridItem> items, const CellGrid& grid, std::size_t buckets, std::uint64_t most_cells);

  // Bytes that the table of these items would need.
  static std::uint64_t bytes_needed(std::span<const GridItem> items, const CellGrid& grid, std::uint64_t most_cells);

  std::size_t bucket_count() const { return offsets_.size() - 1; }
  std::span<const Entry> bucket(std::size_t index) const {
    return std::span(entries_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]);
  }
  std::size_t entry_count() const { return entries_.size(); }
  std::span<const std::uint32_t> oversize() const { return oversize_; }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> oversize_;
};

// Edge length of the cells for these items: the one that is wanted, or twice their mean extent if that is 0; no less
// than what keeps cell numbers apart.
double usable_cell_size(std::span<const GridItem> items, double wanted);

}  // namespace pliant
