#include "pliant/detect/subdivided_boxes/box_table.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "pliant/bounds/wide_kernel.h"

namespace pliant {
namespace {

constexpr std::uint32_t kLanes = WideBoxes::kLanes;
// Cells of one grid are this many times as long as those of the one below.
constexpr double kCoarser = 4;
// So many grids span all of float, whatever the smallest cells; behind them comes one cell that holds everything.
constexpr std::uint32_t kMostGrids = 70;

template <class Visit>
void for_each_cell_of(const CellRange& range, Visit&& visit) {
  for (std::int32_t x = range.low[0]; x <= range.high[0]; ++x)
    for (std::int32_t y = range.low[1]; y <= range.high[1]; ++y)
      for (std::int32_t z = range.low[2]; z <= range.high[2]; ++z) visit(BoxCell{x, y, z});
}

// The comparison of arrays is a call.
bool same(const BoxCell& a, const BoxCell& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

std::uint16_t lowest_axes(const BoxCell& cell, const CellRange& range) {
  return static_cast<std::uint16_t>((cell[0] == range.low[0]) | (cell[1] == range.low[1]) << 1 |
                                    (cell[2] == range.low[2]) << 2);
}

}  // namespace

double CellRange::count() const {
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
  if (buckets_.size() != buckets) {
    buckets_.assign(buckets, {});
    stamp_ = 0;
  }
  if (++stamp_ == 0) {
    std::fill(buckets_.begin(), buckets_.end(), Bucket{});
    stamp_ = 1;
  }
}

// One find_pairs().
class BoxTable::Search {
 public:
  Search(BoxTable& table, std::span<const AabbNode> boxes, const SubdivisionSettings& settings, std::size_t buckets)
      : table_(table), boxes_(boxes), hash_(settings, buckets) {
    std::array<double, 3> size = usable_cell_size(boxes, settings.cell_size);
    grids_.emplace_back(size);
    by_level_.resize(1);
    table_.cells_.clear();
    table_.pairs_.clear();
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      std::uint32_t level = 0;
      CellRange cells = grids_[level].cells_of(boxes[i]);
      while (cells.count() > static_cast<double>(settings.most_cells)) {
        if (++level == grids_.size()) add_grid(size);
        cells = grids_[level].cells_of(boxes[i]);
      }
      table_.cells_.push_back(cells);
      by_level_.resize(grids_.size());
      by_level_[level].push_back(i);
    }
  }

  void run(BudgetMeter& meter, FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted,
           std::span<const std::uint8_t> apart, Found& found) {
    if (!make_rows(meter, found)) return;
    for (auto level = static_cast<std::uint32_t>(by_level_.size()); level-- > 0;) {
      if (level > 0) found.coarse += by_level_[level].size();
      for (const std::uint32_t box : by_level_[level]) {
        if (!meter.spend(found.tests - paid_)) return;
        paid_ = found.tests;
        const std::uint32_t body = boxes_[box].first;
        meet({box, body < apart.size() && apart[body] != 0 ? body : kNone, static_cast<std::uint16_t>(level), 0, {}},
             wanted, found);
      }
    }
    found.finished = true;
  }

 private:
  void add_grid(std::array<double, 3>& size) {
    for (double& length : size)
      length = grids_.size() < kMostGrids ? kCoarser * length : std::numeric_limits<double>::infinity();
    grids_.emplace_back(size);
  }

  // A row for every bucket, as long as what will be in it. False: the budget ran out.
  bool make_rows(BudgetMeter& meter, Found& found) {
    std::vector<std::uint32_t> used;
    for (std::uint32_t level = 0; level < by_level_.size(); ++level)
      for (const std::uint32_t box : by_level_[level]) {
        if (!meter.spend(1)) return false;
        for_each_cell_of(table_.cells_[box], [&](const BoxCell& cell) {
          const std::size_t index = hash_(cell);
          if (table_.bucket(index).count++ == 0) used.push_back(static_cast<std::uint32_t>(index));
          ++found.cells;
        });
      }
    std::uint32_t slots = 0;
    for (const std::uint32_t index : used) {
      Bucket& bucket = table_.buckets_[index];
      bucket.first = slots;
      slots += (std::exchange(bucket.count, 0) + kLanes - 1) / kLanes * kLanes;
    }
    if (slots > table_.entries_.size()) {
      table_.rows_.resize(slots / kLanes);
      table_.entries_.resize(slots);
    }
    return true;
  }

  void meet(Entry own, FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted, Found& found) {
    others_.clear();
    const AabbNode& box = boxes_[own.box];
    const std::array<float, 6> lo_hi{box.lo[0], box.lo[1], box.lo[2], box.hi[0], box.hi[1], box.hi[2]};
    const std::uint32_t own_level = own.level;
    for (std::uint32_t level = own_level; level < by_level_.size(); ++level) {
      if (level != own_level && by_level_[level].empty()) continue;
      const CellRange cells = level == own_level ? table_.cells_[own.box] : grids_[level].cells_of(box);
      own.level = static_cast<std::uint16_t>(level);
      for_each_cell_of(cells, [&](const BoxCell& cell) {
        Bucket& bucket = table_.bucket(hash_(cell));
        own.cell = cell;
        own.lowest = lowest_axes(cell, cells);
        const std::uint32_t count = ends_with(bucket, own.body) ? bucket.others : bucket.count;
        look(bucket.first, bucket.first + count, own, lo_hi.data());
        found.tests += count;
        if (level == own_level) enter(bucket, own);
      });
    }
    std::sort(others_.begin(), others_.end());
    for (const std::uint32_t other : others_) {
      const Pair pair{std::min(own.box, other), std::max(own.box, other)};
      if (wanted(pair.a, pair.b)) table_.pairs_.push_back(pair);
    }
  }

  // Boxes come body by body: a row often ends with others of the body that looks, and its own pairs are not wanted.
  bool ends_with(const Bucket& bucket, std::uint32_t body) const {
    return body != kNone && bucket.count > 0 && table_.entries_[bucket.first + bucket.count - 1].body == body;
  }

  // Two boxes share several cells, and distinct cells may share a bucket: they meet in the one cell that has the lower
  // corner of what they share, where along every axis one of them has no lower cell (numbering is monotone).
  void look(std::uint32_t first, std::uint32_t last, const Entry& own, const float* lo_hi) {
    constexpr unsigned kAllAxes = 7;
    for (; first < last; first += kLanes) {
      unsigned bits = overlaps_(table_.rows_[first / kLanes].lo[0], lo_hi);
      if (last - first < kLanes) bits &= (1u << (last - first)) - 1;  // behind them: what was there before
      for (; bits != 0; bits &= bits - 1) {
        const Entry& entry = table_.entries_[first + static_cast<std::uint32_t>(std::countr_zero(bits))];
        if ((entry.lowest | own.lowest) != kAllAxes || !same(entry.cell, own.cell) || entry.level != own.level)
          continue;
        if (entry.box == own.box || (entry.body == own.body && own.body != kNone)) continue;
        others_.push_back(entry.box);
      }
    }
  }

  void enter(Bucket& bucket, const Entry& own) {
    if (!ends_with(bucket, own.body)) bucket.others = bucket.count;
    const std::uint32_t slot = bucket.first + bucket.count++;
    table_.entries_[slot] = own;
    table_.rows_[slot / kLanes].set(slot % kLanes, boxes_[own.box].box());
  }

  BoxTable& table_;
  std::span<const AabbNode> boxes_;
  BoxHash hash_;
  std::vector<BoxGrid> grids_;
  std::vector<std::vector<std::uint32_t>> by_level_;
  std::vector<std::uint32_t> others_;
  std::uint64_t paid_ = 0;
  decltype(&wide::portable::overlaps) overlaps_ = wide::kernels().overlaps;
};

BoxTable::Found BoxTable::find_pairs(std::span<const AabbNode> boxes, const SubdivisionSettings& settings,
                                     BudgetMeter& meter, FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted,
                                     std::span<const std::uint8_t> apart) {
  const std::size_t buckets = settings.buckets > 0 ? settings.buckets : std::bit_ceil(boxes.size() + 1);
  clear(buckets);
  Found found;
  Search(*this, boxes, settings, buckets).run(meter, wanted, apart, found);
  found.pairs = pairs_;
  return found;
}

}  // namespace pliant
