#include "pliant/detect/particles/region_search.h"

namespace pliant {

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

}  // namespace pliant
