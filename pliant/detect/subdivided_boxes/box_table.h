// The hash table of boxes: which of them share a cell, and overlap. Internal to subdivided_boxes/.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/bounds/wide_boxes.h"
#include "pliant/core/budget_meter.h"
#include "pliant/core/function_ref.h"
#include "pliant/detect/subdivided_boxes/box_settings.h"

namespace pliant {

using BoxCell = std::array<std::int32_t, 3>;

// All cells from one corner to the other.
struct CellRange {
  BoxCell low, high;
  double count() const;
};

// Cells with an edge length for each axis. Monotone, also where it clamps: what overlaps in space shares a cell.
class BoxGrid {
 public:
  // Lengths are positive; infinite ones make one cell of everything.
  explicit BoxGrid(const std::array<double, 3>& cell_size) {
    for (std::size_t k = 0; k < 3; ++k) per_length_[k] = 1 / cell_size[k];
  }
  std::int32_t index(std::size_t axis, float x) const {
    constexpr double kMost = 2e9;
    const double cell = std::floor(double{x} * per_length_[axis]);
    // Not a number is what an infinite bound of a box makes of an infinite cell.
    return std::isnan(cell) ? 0 : static_cast<std::int32_t>(std::max(-kMost, std::min(kMost, cell)));
  }
  BoxCell at(const std::array<float, 3>& corner) const {
    return {index(0, corner[0]), index(1, corner[1]), index(2, corner[2])};
  }
  CellRange cells_of(const AabbNode& box) const { return {at(box.lo), at(box.hi)}; }

 private:
  std::array<double, 3> per_length_;
};

// Edges of the cells for these boxes: the one that is wanted, or twice the mean extent of the boxes, axis by axis; no
// less than what keeps cell numbers apart.
std::array<double, 3> usable_cell_size(std::span<const AabbNode> boxes, double wanted);

// The box hash function of the paper: (x px + y py + z pz) mod buckets, of floored, maybe negative, cell numbers in
// unsigned arithmetic. A power of two as the number of buckets saves a division.
class BoxHash {
 public:
  BoxHash(const SubdivisionSettings& settings, std::size_t buckets)
      : x_(settings.prime_x), y_(settings.prime_y), z_(settings.prime_z), buckets_(buckets) {
    if ((buckets & (buckets - 1)) == 0) mask_ = buckets - 1;
  }
  std::size_t operator()(const BoxCell& cell) const {
    const auto wide = [](std::int32_t i) { return static_cast<std::uint64_t>(std::int64_t{i}); };
    const std::uint64_t sum = wide(cell[0]) * x_ + wide(cell[1]) * y_ + wide(cell[2]) * z_;
    return static_cast<std::size_t>(buckets_ == mask_ + 1 ? sum & mask_ : sum % buckets_);
  }

 private:
  std::uint64_t x_, y_, z_;
  std::size_t buckets_;
  std::size_t mask_ = 0;
};

// Kept from frame to frame; buckets are cleared by a stamp, not by writing to all of them.
class BoxTable {
 public:
  struct Pair {
    std::uint32_t a, b;  // numbers of boxes, a < b
  };
  struct Found {
    std::span<const Pair> pairs;  // each once, in an order that depends on the boxes alone; until the next search
    std::uint64_t cells = 0;      // that boxes were entered in
    std::uint64_t tests = 0;      // of two boxes
    std::uint64_t coarse = 0;     // boxes in larger cells than the smallest
    bool finished = false;        // false: the budget ran out
  };

  // All pairs that overlap and are wanted(a, b). Every box is entered in all cells that it covers, and meets those that
  // are there already: the paper hashes corners only, which misses what lies between them. A box that would cover
  // more than most_cells goes to a grid of cells four times as long, and so on; such boxes are entered first, and
  // smaller ones look for them there. `apart`: by body (the `first` of a box), whether none of its own pairs is wanted,
  // which saves asking; empty: of no body.
  Found find_pairs(std::span<const AabbNode> boxes, const SubdivisionSettings& settings, BudgetMeter& meter,
                   FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted, std::span<const std::uint8_t> apart = {});

  std::size_t bytes() const {
    return buckets_.capacity() * sizeof(Bucket) + rows_.capacity() * sizeof(WideBoxes) +
           entries_.capacity() * sizeof(Entry) + cells_.capacity() * sizeof(CellRange) +
           pairs_.capacity() * sizeof(Pair);
  }

 private:
  // What is in a bucket stands in one row of whole blocks, so that a box is tested against eight at once.
  struct Bucket {
    std::uint32_t stamp = 0;
    std::uint32_t first = 0;   // slot of the row, a multiple of eight
    std::uint32_t count = 0;   // entered so far
    std::uint32_t others = 0;  // of them, those before the run of one body that ends the row
  };
  // A box in one of its cells.
  struct Entry {
    std::uint32_t box;
    std::uint32_t body;  // kNone: its own pairs are wanted too
    std::uint16_t level;
    std::uint16_t lowest;  // bit k: none of its cells is lower along axis k
    BoxCell cell;
  };
  class Search;

  Bucket& bucket(std::size_t index) {
    Bucket& one = buckets_[index];
    if (one.stamp != stamp_) one = {stamp_, 0, 0, 0};
    return one;
  }
  void clear(std::size_t buckets);

  static constexpr std::uint32_t kNone = 0xffffffff;
  std::vector<Bucket> buckets_;
  std::vector<WideBoxes> rows_;
  std::vector<Entry> entries_;    // by slot in the rows
  std::vector<CellRange> cells_;  // by box, of its own level
  std::vector<Pair> pairs_;       // that were found
  std::uint32_t stamp_ = 0;
};

}  // namespace pliant
