// What single queries and batches share: the full solver behind the filters.
#pragma once

#include "pliant/ccd/ccd.h"

namespace pliant::ccd {

// Everything but the filters (filter.h). Any coordinates.
CcdResult solve(CcdKind kind, const CcdQuery& query, const CcdOptions& options, Interval interval);

}  // namespace pliant::ccd
