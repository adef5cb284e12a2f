// Recordings of `pliant run` as something to check (check/check.h).
#pragma once

#include <string>
#include <vector>

#include "pliant/check/check.h"
#include "pliant/detect/filters.h"

namespace pliant {

struct RecordedRun {
  std::vector<CheckBody> bodies;
  std::vector<double> times;  // of the rows, in frames
  FilterPtr filter;           // what the scene left out is left out; null: nothing
  std::string left_out;       // the same in words
};

struct RunInfo;

// Pairs of bodies that the run kept apart, those that it answered without a proof included; null: all.
FilterPtr wanted_pairs(const RunInfo& info);

// Throws Error for a folder that is no recording, or whose files do not fit its run.json. Pairs that were answered
// without a proof are left out unless they are asked for.
RecordedRun read_recorded_run(const std::string& folder, bool with_unproved = false);

}  // namespace pliant
