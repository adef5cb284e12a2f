// What `pliant run` says when it is over, and what every run from the command needs.
#pragma once

#include <string>
#include <vector>

#include "pliant/world/record_run.h"

namespace pliant::app {

void print_run(const RunEnding& ending, const std::string& folder);

// Where `make assets` and installations put meshes.
std::vector<std::string> asset_folders();

}  // namespace pliant::app
