#include "pliant/detect/subdivided_boxes/box_table.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "pliant/bounds/overlap.h"

namespace pliant {
namespace {

// Cells of one grid are this many times as long as those of the one below.
constexpr double kCoarser = 4;
// So many grids span all of float, whatever the smallest cells; behind them comes one cell that holds everything.
constexpr std::uint32_t kMostGrids = 70;

template <class Visit>
void for_each_cell_of(const BoxGrid& grid, const AabbNode& box, Visit&& visit) {
  const BoxCell low = grid.at(box.lo);
  const BoxCell high = grid.at(box.hi);
  for (std::int32_t x = low[0]; x <= high[0]; ++x)
    for (std::int32_t y = low[1]; y <= high[1]; ++y)
      for (std::int32_t z = low[2]; z <= high[2]; ++z) visit(BoxCell{x, y, z});
}

}  // namespace

double BoxGrid::cells_covered(const AabbNode& box) const {
  const BoxCell low = at(box.lo);
  const BoxCell high = at(box.hi);
  double cells = 1;  // a product of three 32-bit numbers does not fit 64 bits
  for (std::size_t k = 0; k < 3; ++k) cells *= static_cast<double>(high[k]) - static_cast<double>(low[k]) + 1;
  return cells;
}

std::array<double, 3> usable_cell_size(std::span<const AabbNode> boxes, double wanted) {
  std::array<double, 3> sum{};
  double reach = 0;
  for (const AabbNode& box : boxes)
    for (std::size_t k = 0; k < 3; ++k) {
      sum[k] += std::min(double{box.hi[k]} - double{box.lo[k]}, 1e38);
      reach = std::max({reach, std::abs(double{box.lo[k]}), std::abs(double{box.hi[k]})});
    }
  const double least = std::max(std::min(reach, 1e39) * 1e-9, 1e-300);
  std::array<double, 3> size{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double mean = boxes.empty() ? 0 : sum[k] / static_cast<double>(boxes.size());
    size[k] = std::max(wanted > 0 ? wanted : 2 * mean, least);
  }
  return size;
}

void BoxTable::clear(std::size_t buckets) {
  entries_.clear();
  if (heads_.size() != buckets) {
    heads_.assign(buckets, {});
    stamp_ = 0;
  }
  if (++stamp_ == 0) {
    std::fill(heads_.begin(), heads_.end(), Head{});
    stamp_ = 1;
  }
}

void BoxTable::enter(std::size_t bucket, const BoxCell& cell, std::uint32_t level, std::uint32_t box) {
  entries_.push_back({cell, level, box, first_in(bucket)});
  heads_[bucket] = {stamp_, static_cast<std::uint32_t>(entries_.size() - 1)};
}

// One find_pairs().
class BoxTable::Search {
 public:
  Search(BoxTable& table, std::span<const AabbNode> boxes, const SubdivisionSettings& settings, std::size_t buckets)
      : table_(table), boxes_(boxes), hash_(settings, buckets) {
    std::array<double, 3> size = usable_cell_size(boxes, settings.cell_size);
    grids_.emplace_back(size);
    level_.resize(boxes.size());
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      while (grids_[level_[i]].cells_covered(boxes[i]) > static_cast<double>(settings.most_cells))
        if (++level_[i] == grids_.size()) add_grid(size);
      by_level_.resize(grids_.size());
      by_level_[level_[i]].push_back(i);
    }
  }

  void run(BudgetMeter& meter, FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted, Found& found) {
    for (auto level = static_cast<std::uint32_t>(by_level_.size()); level-- > 0;) {
      if (level > 0) found.coarse += by_level_[level].size();
      for (const std::uint32_t box : by_level_[level]) {
        if (!meter.spend(1 + found.tests - paid_)) return;
        paid_ = found.tests;
        meet(box, level, wanted, found);
      }
    }
    found.cells = table_.entries_.size();
    found.finished = true;
  }

 private:
  void add_grid(std::array<double, 3>& size) {
    for (double& length : size)
      length = grids_.size() < kMostGrids ? kCoarser * length : std::numeric_limits<double>::infinity();
    grids_.emplace_back(size);
  }

  void meet(std::uint32_t box, std::uint32_t own_level, FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted,
            Found& found) {
    others_.clear();
    for (std::uint32_t level = own_level; level < by_level_.size(); ++level) {
      if (level != own_level && by_level_[level].empty()) continue;
      for_each_cell_of(grids_[level], boxes_[box], [&](const BoxCell& cell) {
        const std::size_t bucket = hash_(cell);
        look(bucket, cell, level, box, found);
        if (level == own_level) table_.enter(bucket, cell, level, box);
      });
    }
    std::sort(others_.begin(), others_.end());
    for (const std::uint32_t other : others_) {
      const Pair pair{std::min(box, other), std::max(box, other)};
      if (wanted(pair.a, pair.b)) found.pairs.push_back(pair);
    }
  }

  // Distinct cells may share a bucket, hence the cell with every entry.
  void look(std::size_t bucket, const BoxCell& cell, std::uint32_t level, std::uint32_t box, Found& found) {
    for (std::uint32_t e = table_.first_in(bucket); e != kNone; e = table_.entries_[e].next) {
      const Entry& entry = table_.entries_[e];
      ++found.tests;
      if (entry.cell != cell || entry.level != level || !boxes_overlap(boxes_[box], boxes_[entry.box])) continue;
      if (grids_[level].meeting(boxes_[box], boxes_[entry.box]) == cell) others_.push_back(entry.box);
    }
  }

  BoxTable& table_;
  std::span<const AabbNode> boxes_;
  BoxHash hash_;
  std::vector<BoxGrid> grids_;
  std::vector<std::uint32_t> level_;
  std::vector<std::vector<std::uint32_t>> by_level_;
  std::vector<std::uint32_t> others_;
  std::uint64_t paid_ = 0;
};

BoxTable::Found BoxTable::find_pairs(std::span<const AabbNode> boxes, const SubdivisionSettings& settings,
                                     BudgetMeter& meter, FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted) {
  const std::size_t buckets = settings.buckets > 0 ? settings.buckets : std::bit_ceil(4 * boxes.size() + 1);
  clear(buckets);
  Found found;
  Search(*this, boxes, settings, buckets).run(meter, wanted, found);
  return found;
}

}  // namespace pliant
