// Every pair of features of a segment.
#pragma once

#include "pliant/detect/moving/moving_run.h"

namespace pliant {

// Interrupted, the part left over of a pair of bodies is all of it: regions 0.
SweptFindings search_moving_rows(const SweptQuery& query, SearchTasks& tasks);

}  // namespace pliant
