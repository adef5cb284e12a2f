#include "pliant/detect/particles/region_search.h"

#include <algorithm>
#include <bit>

namespace pliant {
namespace {

// Calls visit(slot) for the boxes [first, last) that overlap `box`.
template <class Visit>
void for_each_overlapping(const LeafBoxes& boxes, const SplatBox& box, std::uint32_t first, std::uint32_t last,
                          Visit&& visit) {
  for (; first < last; first += LeafBoxes::kLanes)
    for (unsigned bits = boxes.overlaps(box, first, last - first); bits != 0; bits &= bits - 1)
      visit(first + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

void list_overlapping(const LeafBoxes& boxes, const AabbNode& own, const AabbNode& other,
                      std::vector<std::uint32_t>& slots) {
  slots.clear();
  for_each_overlapping(boxes, SplatBox(other.box()), own.first, own.first + own.count,
                       [&](std::uint32_t slot) { slots.push_back(slot); });
}

}  // namespace

bool overlapping_regions(std::span<const RegionTable* const> tables, BodyPair bodies, BudgetMeter& meter,
                         std::vector<RegionPair>& pairs) {
  const RegionTable& a = *tables[bodies.a];
  const RegionTable& b = *tables[bodies.b];
  const bool self = bodies.a == bodies.b;
  bool finished = true;
  for_each_overlapping(a.boxes(), SplatBox(b.bounds()), 0, a.count(), [&](std::uint32_t r) {
    finished = finished && meter.spend(1 + b.count() / LeafBoxes::kLanes);
    if (!finished) return;
    if (self) pairs.push_back({bodies, r, r});
    for_each_overlapping(b.boxes(), SplatBox(a.node(r).box()), self ? r + 1 : 0, b.count(), [&](std::uint32_t s) {
      pairs.push_back({bodies, r, s});
    });
  });
  return finished;
}

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

// Both sides are clipped to the boxes of each other first: most faces of two regions that touch are far from there.
bool RegionTests::gather(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests, Scratch& scratch) const {
  const AabbNode& region_a = tables_[pair.bodies.a]->node(pair.a);
  const AabbNode& region_b = tables_[pair.bodies.b]->node(pair.b);
  if (&region_a == &region_b) return gather_within(region_a, meter, tests);
  list_overlapping(tests.a().boxes, region_a, region_b, scratch.rows);
  list_overlapping(tests.b().boxes, region_b, region_a, scratch.columns);
  const auto count = static_cast<std::uint32_t>(scratch.columns.size());
  tests.found().box_tests += region_a.count + region_b.count;
  if (!meter.spend(1 + scratch.rows.size() * count)) return false;
  scratch.boxes.resize(count);
  for (std::uint32_t k = 0; k < count; ++k) scratch.boxes.set(k, tests.b().boxes[scratch.columns[k]]);
  tests.found().box_tests += scratch.rows.size() * count;
  for (const std::uint32_t row : scratch.rows) {
    const SplatBox box(tests.a().boxes[row]);
    for (std::uint32_t first = 0; first < count; first += LeafBoxes::kLanes)
      tests.gather(row, scratch.boxes.overlaps(box, first, count - first),
                   [&](std::uint32_t k) { return scratch.columns[first + k]; });
  }
  return true;
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
