// Where the copies of a body stand. Internal to scene/.
#pragma once

#include <vector>

#include "pliant/scene/table_reader.h"

namespace pliant {

// The `positions` of a body's table, or those of its `repeat`: a lattice that starts at `position` and goes on in
// steps, x first, then y, then z, each place moved by up to `jitter` along each axis, the same on every run. Empty: one
// body, where `position` says. Throws Error for both at once.
std::vector<Vec3> read_copies(TableReader& body, const Vec3& position);

}  // namespace pliant
