// Pairs of regions whose boxes overlap.
#pragma once

#include <span>
#include <vector>

#include "pliant/core/budget_meter.h"
#include "pliant/detect/still/region_tests.h"

namespace pliant {

// The pairs of two bodies (or of one with itself) whose boxes overlap, ascending; those that are left out are proved
// apart. False, and some are missing, if the budget ran out.
bool overlapping_regions(std::span<const RegionTable* const> tables, BodyPair bodies, BudgetMeter& meter,
                         std::vector<RegionPair>& pairs);

}  // namespace pliant
