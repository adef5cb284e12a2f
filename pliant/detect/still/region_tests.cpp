#include "pliant/detect/still/region_tests.h"

#include <algorithm>
#include <bit>

namespace pliant {

bool RegionTests::gather_within(const AabbNode& region, BudgetMeter& meter, FaceTests& tests) const {
  if (!meter.spend(1 + std::uint64_t{region.count} * region.count / 2)) return false;
  const std::uint32_t last = region.first + region.count;
  for (std::uint32_t i = region.first; i < last; ++i) {
    const SplatBox box(tests.a().boxes[i]);
    for (std::uint32_t first = i + 1; first < last; first += LeafBoxes::kLanes) {
      tests.found().box_tests += std::min(last - first, LeafBoxes::kLanes);
      tests.gather(i, tests.a().boxes.overlaps(box, first, last - first),
                   [first](std::uint32_t k) { return first + k; });
    }
  }
  return true;
}

namespace {

constexpr std::uint32_t kFew = 2 * region_kernel::kLanes;

std::array<float, 6> lo_hi_of(const Aabb& box) {
  return {box.lo[0], box.lo[1], box.lo[2], box.hi[0], box.hi[1], box.hi[2]};
}

}  // namespace

// Clipped as below, but where they lie: to copy so few would take longer than to test them.
bool RegionTests::gather_few(const AabbNode& region_a, const AabbNode& region_b, BudgetMeter& meter, FaceTests& tests,
                             Scratch& scratch) const {
  if (!meter.spend(1 + std::uint64_t{region_a.count} * region_b.count)) return false;
  std::vector<std::uint32_t>& numbers = scratch.numbers;
  while (numbers.size() < std::size_t{region_b.first} + kFew + region_kernel::kLanes)
    numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
  const std::array<float, 6> lo_hi = lo_hi_of(region_b.box());
  region_kernel::FewCrossing crossing{{},
                                      region_a.first,
                                      region_a.first + region_a.count,
                                      lo_hi.data(),
                                      {numbers.data() + region_b.first, {}},
                                      region_b.count};
  for (std::size_t k = 0; k < 6; ++k) {
    crossing.rows.bounds[k] = tests.a().boxes.bounds(k);
    crossing.columns.bounds[k] = tests.b().boxes.bounds(k) + region_b.first;
  }
  const region_kernel::Crossed crossed =
      kernels_.cross_few(crossing, tests.room(kFew * kFew + region_kernel::kLanes).data());
  tests.gathered(crossed.pairs);
  tests.found().box_tests += region_a.count + crossed.rows * region_b.count;
  return true;
}

// The first side is clipped to the other's box, the other to what is left of the first: most faces of two regions that
// touch are far from there.
bool RegionTests::gather(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests, Scratch& scratch) const {
  const AabbNode& region_a = tables_[pair.bodies.a]->node(pair.a);
  const AabbNode& region_b = tables_[pair.bodies.b]->node(pair.b);
  if (&region_a == &region_b) return gather_within(region_a, meter, tests);
  if (std::max(region_a.count, region_b.count) <= kFew) return gather_few(region_a, region_b, meter, tests, scratch);
  ClippedFaces &a = scratch.a, &b = scratch.b;
  a.clip(kernels_, tests.a().boxes, region_a, region_b.box());
  b.count = 0;
  if (a.count > 0) b.clip(kernels_, tests.b().boxes, region_b, a.bounds(kernels_));
  tests.found().box_tests += region_a.count + (a.count > 0 ? region_b.count : 0) + a.count * b.count;
  if (!meter.spend(1 + std::uint64_t{a.count} * b.count)) return false;
  constexpr std::uint32_t kMostColumns = FaceTests::kBatch / 4;
  for (std::uint32_t first = 0; first < b.count; first += kMostColumns) {
    const std::uint32_t count = std::min(kMostColumns, b.count - first);
    for (std::uint32_t row = 0; row < a.count;) {
      const std::span<FaceTests::Candidate> room = tests.room(count + region_kernel::kLanes);
      const region_kernel::Crossed crossed = kernels_.cross(
          {a.rows(), row, a.count, b.columns(first), count, static_cast<std::uint32_t>(room.size())}, room.data());
      tests.gathered(crossed.pairs);
      row = crossed.rows;
    }
  }
  return true;
}

void RegionTests::ClippedFaces::clip(const region_kernel::Kernels& kernels, const LeafBoxes& all,
                                     const AabbNode& region, const Aabb& box) {
  const std::size_t most = region.count + region_kernel::kLanes;
  if (slots.size() < most) {
    slots.resize(most);
    boxes.resize(most);
  }
  region_kernel::BoxRows from{};
  for (std::size_t k = 0; k < 6; ++k) from.bounds[k] = all.bounds(k);
  const std::array<float, 6> lo_hi = lo_hi_of(box);
  count = kernels.clip(from, region.first, region.first + region.count, lo_hi.data(), rows());
}

Aabb RegionTests::ClippedFaces::bounds(const region_kernel::Kernels& kernels) {
  std::array<float, 6> lo_hi{};
  kernels.unite(rows(), count, lo_hi.data());
  return {{lo_hi[0], lo_hi[1], lo_hi[2]}, {lo_hi[3], lo_hi[4], lo_hi[5]}};
}

region_kernel::Clipped RegionTests::ClippedFaces::rows() {
  region_kernel::Clipped rows{slots.data(), {}};
  for (std::size_t k = 0; k < 6; ++k) rows.bounds[k] = boxes.bounds(k);
  return rows;
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
