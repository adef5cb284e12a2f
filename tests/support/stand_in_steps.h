// Generated steps and queries of continuous collision in the formats of PLIANT_TEST_DATA; their truth is the rational
// oracle's.
#pragma once

#include "tests/ccd/scene_data.h"

namespace pliant::testing {

// Generated steps of small sheets thrown about on integer grids, a coarse one among them, full of features that touch,
// lie in one plane or on one line; then those of PLIANT_TEST_DATA, where it is there.
std::vector<CcdStep> all_ccd_steps();

// Folders of .ccdq files: a generated one; then that of PLIANT_TEST_DATA, where it is there.
std::vector<std::filesystem::path> query_folders();

}  // namespace pliant::testing
