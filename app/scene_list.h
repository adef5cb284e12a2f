// The scenes that come along, for people.
#pragma once

#include <string>

namespace pliant::app {

// A table of every scene: the same for `pliant run --list` and `pliant bench --help`.
std::string scene_list();

}  // namespace pliant::app
