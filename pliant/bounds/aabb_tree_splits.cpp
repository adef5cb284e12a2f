// Where a run of primitives is cut in two while a tree is built.
#include <algorithm>
#include <bit>

#include "pliant/bounds/aabb_tree_builder.h"

namespace pliant {
namespace {

constexpr std::size_t kBins = 16;

struct CentreBounds {
  std::array<float, 3> lo;
  std::array<float, 3> hi;

  std::size_t longest_axis() const {
    std::size_t axis = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (hi[i] - lo[i] > hi[axis] - lo[axis]) axis = i;
    return axis;
  }
};

CentreBounds centre_bounds(std::span<const BuildItem> items) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  CentreBounds bounds{{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
  for (const BuildItem& item : items) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float c = item.centre(axis);
      bounds.lo[axis] = std::min(bounds.lo[axis], c);
      bounds.hi[axis] = std::max(bounds.hi[axis], c);
    }
  }
  return bounds;
}

struct Bin {
  Aabb box;
  std::uint32_t count = 0;
};

double half_area(const Aabb& box) {
  if (box.empty()) return 0;
  const double x = double{box.hi[0]} - double{box.lo[0]};
  const double y = double{box.hi[1]} - double{box.lo[1]};
  const double z = double{box.hi[2]} - double{box.lo[2]};
  return x * y + y * z + z * x;
}

// The bin border (1 to kBins - 1) of least cost, or 0 if no border has a finite cost and both sides filled.
std::size_t best_border(const std::array<Bin, kBins>& bins) {
  std::array<double, kBins> right_cost{};
  Bin right;
  for (std::size_t i = kBins; i-- > 1;) {
    right.box.add(bins[i].box);
    right.count += bins[i].count;
    right_cost[i] = half_area(right.box) * right.count;
  }
  std::size_t best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  Bin left;
  const std::uint32_t total = bins[0].count + right.count;
  for (std::size_t i = 1; i < kBins; ++i) {
    left.box.add(bins[i - 1].box);
    left.count += bins[i - 1].count;
    if (left.count == 0 || left.count == total) continue;
    const double cost = half_area(left.box) * left.count + right_cost[i];
    if (cost < best_cost) {
      best_cost = cost;
      best = i;
    }
  }
  return best;
}

}  // namespace

std::uint32_t split_at_median(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end) {
  const auto run = items.subspan(begin, end - begin);
  const std::size_t axis = centre_bounds(run).longest_axis();
  const std::uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(run.begin(), run.begin() + (middle - begin), run.end(), [axis](const BuildItem& a, const BuildItem& b) {
    const float ca = a.centre(axis);
    const float cb = b.centre(axis);
    return ca != cb ? ca < cb : a.id < b.id;
  });
  return middle;
}

std::uint32_t split_by_sah(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end) {
  const auto run = items.subspan(begin, end - begin);
  const CentreBounds bounds = centre_bounds(run);
  const std::size_t axis = bounds.longest_axis();
  const float low = bounds.lo[axis];
  const float scale = static_cast<float>(kBins) / (bounds.hi[axis] - low);
  if (!std::isfinite(scale)) return split_at_median(items, begin, end);  // all centres (nearly) at one place
  const auto bin_of = [=](const BuildItem& item) {
    return std::min(kBins - 1, static_cast<std::size_t>((item.centre(axis) - low) * scale));
  };

  std::array<Bin, kBins> bins;
  for (const BuildItem& item : run) {
    Bin& bin = bins[bin_of(item)];
    bin.box.add(item.box());
    ++bin.count;
  }
  const std::size_t border = best_border(bins);
  if (border == 0) return split_at_median(items, begin, end);
  const auto cut = std::partition(run.begin(), run.end(), [&](const BuildItem& item) { return bin_of(item) < border; });
  return begin + static_cast<std::uint32_t>(cut - run.begin());
}

namespace {

// The low 21 bits of x, spread to every third bit.
std::uint64_t spread_bits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x001f00000000ffffULL;
  x = (x | x << 16) & 0x001f0000ff0000ffULL;
  x = (x | x << 8) & 0x100f00f00f00f00fULL;
  x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
  x = (x | x << 2) & 0x1249249249249249ULL;
  return x;
}

std::uint64_t morton_code(const BuildItem& item, const CentreBounds& bounds) {
  std::uint64_t code = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double extent = double{bounds.hi[axis]} - double{bounds.lo[axis]};
    const double share = extent > 0 ? (double{item.centre(axis)} - double{bounds.lo[axis]}) / extent : 0;
    const auto cell = static_cast<std::uint64_t>(share * 0x1fffff);
    code |= spread_bits(cell) << (2 - axis);
  }
  return code;
}

}  // namespace

std::vector<std::uint64_t> sort_by_morton(Threads threads, std::vector<BuildItem>& items) {
  struct Entry {
    std::uint64_t code;
    std::uint32_t place;
  };
  const CentreBounds bounds = centre_bounds(items);
  std::vector<Entry> entries(items.size());
  parallel_for(threads, items.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) entries[i] = {morton_code(items[i], bounds), static_cast<std::uint32_t>(i)};
  });
  parallel_sort(threads, entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.code != b.code ? a.code < b.code : a.place < b.place;
  });
  std::vector<BuildItem> sorted(items.size());
  std::vector<std::uint64_t> codes(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    sorted[i] = items[entries[i].place];
    codes[i] = entries[i].code;
  }
  items = std::move(sorted);
  return codes;
}

std::uint32_t split_by_morton(std::span<const std::uint64_t> codes, std::uint32_t begin, std::uint32_t end) {
  const std::uint64_t first = codes[begin];
  const std::uint64_t last = codes[end - 1];
  if (first == last) return begin + (end - begin) / 2;
  const std::uint64_t highest = std::bit_floor(first ^ last);
  const auto cut = std::partition_point(codes.begin() + begin, codes.begin() + end,
                                        [highest](std::uint64_t code) { return (code & highest) == 0; });
  return static_cast<std::uint32_t>(cut - codes.begin());
}

}  // namespace pliant
