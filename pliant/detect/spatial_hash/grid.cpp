#include "pliant/detect/spatial_hash/grid.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// The published hash (41 * 471943 = 19349663 is not prime; that does no harm).
std::size_t bucket_of(const Cell& cell, std::size_t buckets) {
  const auto x = static_cast<std::uint64_t>(static_cast<std::int64_t>(cell[0]));
  const auto y = static_cast<std::uint64_t>(static_cast<std::int64_t>(cell[1]));
  const auto z = static_cast<std::uint64_t>(static_cast<std::int64_t>(cell[2]));
  return static_cast<std::size_t>(((x * 73856093u) ^ (y * 19349663u) ^ (z * 83492791u)) % buckets);
}

template <class Visit>
void for_each_cell(const CellGrid& grid, const AabbNode& box, Visit&& visit) {
  const Cell low = grid.lower(box);
  const Cell high = grid.upper(box);
  for (std::int32_t x = low[0]; x <= high[0]; ++x)
    for (std::int32_t y = low[1]; y <= high[1]; ++y)
      for (std::int32_t z = low[2]; z <= high[2]; ++z) visit(Cell{x, y, z});
}

}  // namespace

std::uint64_t CellGrid::cells_covered(const AabbNode& box) const {
  const Cell low = lower(box);
  const Cell high = upper(box);
  double cells = 1;  // a product of three 32-bit numbers does not fit 64 bits
  for (std::size_t i = 0; i < 3; ++i) cells *= double{static_cast<double>(high[i])} - static_cast<double>(low[i]) + 1;
  return static_cast<std::uint64_t>(std::min(cells, 1e18));
}

std::uint64_t CellTable::bytes_needed(std::span<const GridItem> items, const CellGrid& grid, std::uint64_t most_cells) {
  std::uint64_t entries = 0;
  for (const GridItem& item : items) {
    const std::uint64_t cells = grid.cells_covered(item.box);
    if (cells <= most_cells) entries += cells;
  }
  return entries * sizeof(Entry);
}

CellTable::CellTable(std::span<const GridItem> items, const CellGrid& grid, std::size_t buckets,
                     std::uint64_t most_cells)
    : offsets_(buckets + 1, 0) {
  std::vector<bool> listed_apart(items.size(), false);
  for (std::size_t i = 0; i < items.size(); ++i) {
    listed_apart[i] = grid.cells_covered(items[i].box) > most_cells;
    if (listed_apart[i]) oversize_.push_back(static_cast<std::uint32_t>(i));
    else for_each_cell(grid, items[i].box, [&](const Cell& cell) { ++offsets_[bucket_of(cell, buckets) + 1]; });
  }
  for (std::size_t b = 0; b < buckets; ++b) offsets_[b + 1] += offsets_[b];
  entries_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (listed_apart[i]) continue;
    for_each_cell(grid, items[i].box, [&](const Cell& cell) {
      entries_[next[bucket_of(cell, buckets)]++] = {cell, static_cast<std::uint32_t>(i)};
    });
  }
}

double usable_cell_size(std::span<const GridItem> items, double wanted) {
  double sum = 0;
  double reach = 0;
  for (const GridItem& item : items) {
    for (std::size_t i = 0; i < 3; ++i) {
      sum += std::min(double{item.box.hi[i]} - double{item.box.lo[i]}, 1e38);
      reach = std::max({reach, std::abs(double{item.box.lo[i]}), std::abs(double{item.box.hi[i]})});
    }
  }
  reach = std::min(reach, 1e39);
  const double twice_mean = items.empty() ? 0 : 2 * sum / (3.0 * static_cast<double>(items.size()));
  return std::max({wanted > 0 ? wanted : twice_mean, reach * 1e-9, 1e-300});
}

}  // namespace pliant
