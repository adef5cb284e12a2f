#include "pliant/detect/still/region_tests.h"

#include <algorithm>
#include <bit>

namespace pliant {
namespace {

using region_kernel::kLanes;

constexpr std::uint32_t kFew = 2 * kLanes;

std::array<float, 6> lo_hi_of(const Aabb& box) {
  return {box.lo[0], box.lo[1], box.lo[2], box.hi[0], box.hi[1], box.hi[2]};
}

}  // namespace

bool RegionTests::gather_within(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests) const {
  const AabbNode& region = node(pair.bodies.a, pair.a);
  if (!meter.spend(1 + std::uint64_t{region.count} * region.count / 2)) return false;
  const WideBoxes* const blocks = tables_[pair.bodies.a]->face_boxes().data();
  const std::uint32_t last = region.first + region.count;
  for (std::uint32_t i = region.first; i + 1 < last; ++i) {
    const std::array<float, 6> box = lo_hi_of(blocks[i / kLanes].box(i % kLanes));
    tests.found().box_tests += last - i - 1;
    for (std::uint32_t first = (i + 1) / kLanes * kLanes; first < last; first += kLanes) {
      unsigned columns = overlaps_(blocks[first / kLanes].lo[0], box.data());
      if (first <= i) columns &= ~0u << (i + 1 - first);
      tests.gather(i, columns, [first](std::uint32_t k) { return first + k; });
    }
  }
  return true;
}

// Clipped as below, but where they lie: to copy so few would take longer than to test them.
bool RegionTests::gather_few(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests) const {
  const region_kernel::Region a = blocks_of(pair.bodies.a, pair.a), b = blocks_of(pair.bodies.b, pair.b);
  if (!meter.spend(1 + std::uint64_t{a.count} * b.count)) return false;
  const std::array<float, 6> lo_hi = lo_hi_of(node(pair.bodies.b, pair.b).box());
  const region_kernel::Crossed crossed =
      kernels_.cross_few(a, lo_hi.data(), b, tests.room(kFew * kFew + kLanes).data());
  tests.gathered(crossed.pairs);
  tests.found().box_tests += a.count + crossed.rows * b.count;
  return true;
}

// The first side is clipped to the other's box, the other to what is left of the first: most faces of two regions that
// touch are far from there.
bool RegionTests::gather(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests, Scratch& scratch) const {
  if (pair.bodies.a == pair.bodies.b && pair.a == pair.b) return gather_within(pair, meter, tests);
  const region_kernel::Region region_a = blocks_of(pair.bodies.a, pair.a), region_b = blocks_of(pair.bodies.b, pair.b);
  if (std::max(region_a.count, region_b.count) <= kFew) return gather_few(pair, meter, tests);
  ReachingFaces& a = scratch.a;
  ClippedFaces& b = scratch.b;
  a.find(kernels_, region_a, node(pair.bodies.b, pair.b).box());
  b.count = 0;
  if (a.count > 0) b.clip(kernels_, region_b, a.lo_hi);
  tests.found().box_tests += region_a.count + (a.count > 0 ? region_b.count : 0) + a.count * b.count;
  if (!meter.spend(1 + std::uint64_t{a.count} * b.count)) return false;
  const float* const rows = tables_[pair.bodies.a]->face_boxes()[0].lo[0];
  constexpr std::uint32_t kMostColumns = FaceTests::kBatch / 4;
  for (std::uint32_t first = 0; first < b.count; first += kMostColumns) {
    const std::uint32_t count = std::min(kMostColumns, b.count - first);
    for (std::uint32_t row = 0; row < a.count;) {
      const std::span<FaceTests::Candidate> room = tests.room(count);
      const region_kernel::Crossed crossed = kernels_.cross(
          {rows, a.slots.data(), row, a.count, b.columns(first), count, static_cast<std::uint32_t>(room.size())},
          room.data());
      tests.gathered(crossed.pairs);
      row = crossed.rows;
    }
  }
  return true;
}

void RegionTests::ReachingFaces::find(const region_kernel::Kernels& kernels, const region_kernel::Region& region,
                                      const Aabb& box) {
  if (slots.size() < region.count + kLanes) slots.resize(region.count + kLanes);
  const std::array<float, 6> within = lo_hi_of(box);
  count = kernels.reach(region, within.data(), {slots.data(), lo_hi.data()});
}

void RegionTests::ClippedFaces::clip(const region_kernel::Kernels& kernels, const region_kernel::Region& region,
                                     const std::array<float, 6>& lo_hi) {
  const std::size_t most = region.count + 2 * std::size_t{kLanes};
  if (slots.size() < most) {
    slots.resize(most);
    boxes.resize(most);
  }
  region_kernel::Clipped rows{slots.data(), {}};
  for (std::size_t k = 0; k < 6; ++k) rows.bounds[k] = boxes.bounds(k);
  count = kernels.clip(region, lo_hi.data(), rows);
}

region_kernel::Columns RegionTests::ClippedFaces::columns(std::uint32_t first) const {
  region_kernel::Columns columns{slots.data() + first, {}};
  for (std::size_t k = 0; k < 6; ++k) columns.bounds[k] = boxes.bounds(k) + first;
  return columns;
}

std::vector<std::span<const RegionPair>> cut_into_runs(std::span<const RegionPair> pairs, std::size_t most) {
  std::vector<std::span<const RegionPair>> runs;
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = begin + 1;
    while (end < pairs.size() && end - begin < most && pairs[end].bodies == pairs[begin].bodies) ++end;
    runs.push_back(pairs.subspan(begin, end - begin));
    begin = end;
  }
  return runs;
}

}  // namespace pliant
