// Where a run of primitives is cut in two while a tree is built.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "pliant/bounds/aabb_tree_builder.h"

namespace pliant {
namespace {

constexpr int kMostBins = 16;

// Small runs do not repay the evaluation of many bins, and most runs are small.
int bin_count(std::uint32_t items) { return std::clamp(static_cast<int>(items / 2), 4, kMostBins); }

simd::Float4 all(float x) { return simd::Float4{x, x, x, x}; }

}  // namespace

BuildItem BuildItem::of(const Aabb& box) {
  const simd::Float4 most = all(std::numeric_limits<float>::max() / 8);
  const simd::Float4 lower{box.lo[0], box.lo[1], box.lo[2], 0};
  const simd::Float4 upper{box.hi[0], box.hi[1], box.hi[2], 0};
  return {simd::max(-most, simd::min(most, lower)), simd::max(-most, simd::min(most, upper))};
}

BuildItems::BuildItems(std::span<const Aabb> primitives)
    : boxes(primitives.size()), ids(primitives.size()), spare_boxes(primitives.size()), spare_ids(primitives.size()) {
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    boxes[i] = BuildItem::of(primitives[i]);
    ids[i] = static_cast<std::uint32_t>(i);
  }
}

CentreBounds CentreBounds::none() {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  return {all(kInf), all(-kInf)};
}

CentreBounds CentreBounds::of(const BuildItems& items, std::uint32_t begin, std::uint32_t end) {
  CentreBounds bounds = none();
  for (std::uint32_t i = begin; i < end; ++i) bounds.add(items.boxes[i].centre());
  return bounds;
}

int CentreBounds::longest_axis() const {
  const simd::Float4 extent = hi - lo;
  int axis = extent[1] > extent[0] ? 1 : 0;
  if (extent[2] > extent[axis]) axis = 2;
  return axis;
}

namespace {

struct Bin {
  simd::Float4 lo = all(std::numeric_limits<float>::infinity());
  simd::Float4 hi = all(-std::numeric_limits<float>::infinity());
  CentreBounds centres = CentreBounds::none();
  std::uint32_t count = 0;

  void add(const BuildItem& item, simd::Float4 centre) {
    lo = simd::min(lo, item.lo);
    hi = simd::max(hi, item.hi);
    centres.add(centre);
    ++count;
  }

  void add(const Bin& other) {
    lo = simd::min(lo, other.lo);
    hi = simd::max(hi, other.hi);
    count += other.count;
  }
  // Items times half the surface of their box.
  double cost() const {
    if (count == 0) return 0;
    const simd::Float4 extent = hi - lo;
    const double x = extent[0];
    const double y = extent[1];
    const double z = extent[2];
    return (x * y + y * z + z * x) * count;
  }
};

// The bin border (1 to count - 1) of least cost with items on both sides, or 0 if there is none.
int best_border(const std::array<Bin, kMostBins>& bins, int count) {
  std::array<double, kMostBins> right_cost;
  Bin right;
  for (int i = count; i-- > 1;) {
    right.add(bins[static_cast<std::size_t>(i)]);
    right_cost[static_cast<std::size_t>(i)] = right.cost();
  }
  const std::uint32_t total = bins[0].count + right.count;
  int best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  Bin left;
  for (int i = 1; i < count; ++i) {
    left.add(bins[static_cast<std::size_t>(i - 1)]);
    if (left.count == 0 || left.count == total) continue;
    const double cost = left.cost() + right_cost[static_cast<std::size_t>(i)];
    if (cost < best_cost) {
      best_cost = cost;
      best = i;
    }
  }
  return best;
}

// Moves items with is_left to the front, keeping their order. Without branches: which side an item goes to is as
// unpredictable as it can be.
template <class IsLeft>
void partition(BuildItems& items, std::uint32_t begin, std::uint32_t end, IsLeft&& is_left) {
  BuildItem* const boxes = items.boxes.data();
  BuildItem* const spare_boxes = items.spare_boxes.data();
  std::uint32_t* const ids = items.ids.data();
  std::uint32_t* const spare_ids = items.spare_ids.data();
  std::uint32_t left = begin;
  std::uint32_t right = begin;
  for (std::uint32_t i = begin; i < end; ++i) {
    const BuildItem box = boxes[i];
    const std::uint32_t id = ids[i];
    boxes[left] = spare_boxes[right] = box;
    ids[left] = spare_ids[right] = id;
    const std::uint32_t goes_left = is_left(box.centre()) ? 1 : 0;
    left += goes_left;
    right += 1 - goes_left;
  }
  std::copy(spare_boxes + begin, spare_boxes + right, boxes + left);
  std::copy(spare_ids + begin, spare_ids + right, ids + left);
}

}  // namespace

Cut cut_at_median(BuildItems& items, std::uint32_t begin, std::uint32_t end, const CentreBounds& bounds) {
  struct Entry {
    float centre;
    std::uint32_t id;
    BuildItem box;
  };
  const int axis = bounds.longest_axis();
  std::vector<Entry> run;
  for (std::uint32_t i = begin; i < end; ++i)
    run.push_back({items.boxes[i].centre()[axis], items.ids[i], items.boxes[i]});
  const std::uint32_t half = (end - begin) / 2;
  std::nth_element(run.begin(), run.begin() + half, run.end(), [](const Entry& a, const Entry& b) {
    return a.centre != b.centre ? a.centre < b.centre : a.id < b.id;
  });
  for (std::uint32_t i = begin; i < end; ++i) {
    items.boxes[i] = run[i - begin].box;
    items.ids[i] = run[i - begin].id;
  }
  const std::uint32_t middle = begin + half;
  return {middle, CentreBounds::of(items, begin, middle), CentreBounds::of(items, middle, end)};
}

Cut cut_by_sah(BuildItems& items, std::uint32_t begin, std::uint32_t end, const CentreBounds& bounds) {
  const int axis = bounds.longest_axis();
  const float low = bounds.lo[axis];
  const int count = bin_count(end - begin);
  const float scale = static_cast<float>(count) / (bounds.hi[axis] - low);
  if (!std::isfinite(scale)) return cut_at_median(items, begin, end, bounds);  // all centres (nearly) at one point
  const auto bin_of = [=](simd::Float4 centre) {
    return std::min(count - 1, static_cast<int>((centre[axis] - low) * scale));
  };

  std::array<Bin, kMostBins> bins;
  for (std::uint32_t i = begin; i < end; ++i) {
    const simd::Float4 centre = items.boxes[i].centre();
    bins[static_cast<std::size_t>(bin_of(centre))].add(items.boxes[i], centre);
  }
  const int border = best_border(bins, count);
  if (border == 0) return cut_at_median(items, begin, end, bounds);
  partition(items, begin, end, [=](simd::Float4 centre) { return bin_of(centre) < border; });
  Cut cut{begin, CentreBounds::none(), CentreBounds::none()};
  for (int i = 0; i < count; ++i) {
    const Bin& bin = bins[static_cast<std::size_t>(i)];
    if (i < border) cut.middle += bin.count;
    CentreBounds& side = i < border ? cut.left : cut.right;
    side.lo = simd::min(side.lo, bin.centres.lo);
    side.hi = simd::max(side.hi, bin.centres.hi);
  }
  return cut;
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

std::uint64_t morton_code(simd::Float4 centre, const CentreBounds& bounds) {
  std::uint64_t code = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double extent = double{bounds.hi[axis]} - double{bounds.lo[axis]};
    const double fraction = extent > 0 ? (double{centre[axis]} - double{bounds.lo[axis]}) / extent : 0;
    const auto cell = static_cast<std::uint64_t>(fraction * 0x1fffff);
    code |= spread_bits(cell) << (2 - axis);
  }
  return code;
}

struct CodedSlot {
  std::uint64_t code;
  std::uint32_t slot;
};

// Radix sort, eight bits at a time; stable, so equal codes stay in the order of their slots.
void sort_by_code(std::vector<CodedSlot>& entries) {
  constexpr int kDigits = 8;
  std::array<std::array<std::uint32_t, 256>, kDigits> counts{};
  for (const CodedSlot& entry : entries)
    for (std::size_t d = 0; d < kDigits; ++d) ++counts[d][entry.code >> (8 * d) & 255];
  std::vector<CodedSlot> other(entries.size());
  for (std::size_t d = 0; d < kDigits; ++d) {
    const auto most = *std::max_element(counts[d].begin(), counts[d].end());
    if (most == entries.size()) continue;  // all have the same digit
    std::uint32_t next = 0;
    for (std::uint32_t& count : counts[d]) next += std::exchange(count, next);
    for (const CodedSlot& entry : entries) other[counts[d][entry.code >> (8 * d) & 255]++] = entry;
    entries.swap(other);
  }
}

}  // namespace

MortonOrder sort_by_morton(Threads threads, std::span<const Aabb> boxes) {
  CentreBounds bounds = CentreBounds::none();
  for (const Aabb& box : boxes) bounds.add(BuildItem::of(box).centre());
  std::vector<CodedSlot> entries(boxes.size());
  parallel_for(threads, boxes.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      entries[i] = {morton_code(BuildItem::of(boxes[i]).centre(), bounds), static_cast<std::uint32_t>(i)};
  });
  if (threads.resolved() == 1) {
    sort_by_code(entries);
  } else {
    parallel_sort(threads, entries.begin(), entries.end(), [](const CodedSlot& a, const CodedSlot& b) {
      return a.code != b.code ? a.code < b.code : a.slot < b.slot;
    });
  }
  MortonOrder order{std::vector<std::uint64_t>(boxes.size()), std::vector<std::uint32_t>(boxes.size())};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    order.codes[i] = entries[i].code;
    order.ids[i] = entries[i].slot;
  }
  return order;
}

std::uint32_t cut_by_morton(std::span<const std::uint64_t> codes, std::uint32_t begin, std::uint32_t end) {
  const std::uint64_t first = codes[begin];
  const std::uint64_t last = codes[end - 1];
  if (first == last) return begin + (end - begin) / 2;
  const std::uint64_t highest = std::bit_floor(first ^ last);
  const auto cut = std::partition_point(codes.begin() + begin, codes.begin() + end,
                                        [highest](std::uint64_t code) { return (code & highest) == 0; });
  return static_cast<std::uint32_t>(cut - codes.begin());
}

}  // namespace pliant
