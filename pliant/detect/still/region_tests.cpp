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

// Both sides are clipped to the boxes of each other first: most faces of two regions that touch are far from there. Of
// small regions the columns are taken as they are.
bool RegionTests::gather(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests, Scratch& scratch) const {
  constexpr std::uint32_t kSmall = 2 * LeafBoxes::kLanes;
  const AabbNode& region_a = tables_[pair.bodies.a]->node(pair.a);
  const AabbNode& region_b = tables_[pair.bodies.b]->node(pair.b);
  if (&region_a == &region_b) return gather_within(region_a, meter, tests);
  const bool clipped = region_b.count > kSmall;
  if (clipped) scratch.clip(tests.b().boxes, region_b, SplatBox(region_a.box()));
  const LeafBoxes& boxes = clipped ? scratch.boxes : tests.b().boxes;
  const std::uint32_t begin = clipped ? 0 : region_b.first, count = clipped ? scratch.count : region_b.count;
  bool allowed = meter.spend(1);
  for_each_overlapping(tests.a().boxes, SplatBox(region_b.box()), region_a.first, region_a.first + region_a.count,
                       [&](std::uint32_t row) {
                         allowed = allowed && meter.spend(count);
                         if (!allowed) return;
                         tests.found().box_tests += count;
                         const SplatBox box(tests.a().boxes[row]);
                         for (std::uint32_t k = 0; k < count; k += LeafBoxes::kLanes)
                           tests.gather(row, boxes.overlaps(box, begin + k, count - k), [&](std::uint32_t i) {
                             return clipped ? scratch.slots[k + i] : begin + k + i;
                           });
                       });
  tests.found().box_tests += region_a.count + (clipped ? region_b.count : 0);
  return allowed;
}

void RegionTests::Scratch::clip(const LeafBoxes& all, const AabbNode& region, const SplatBox& box) {
  slots.resize(std::max<std::size_t>(slots.size(), region.count));
  boxes.resize(std::max<std::size_t>(slots.size(), region.count));
  count = 0;
  for_each_overlapping(all, box, region.first, region.first + region.count, [&](std::uint32_t slot) {
    boxes.set(count, all[slot]);
    slots[count++] = slot;
  });
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
