// The motion of some vertices of a whole.
#pragma once

#include <vector>

#include "pliant/motion/motion.h"

namespace pliant {

// Vertex i of the part is vertices[i] of the whole. Frames are taken from the whole when they are asked for, which
// several parts may share: it keeps its last few.
Motion part_of(const Motion& whole, std::vector<VertexId> vertices);

}  // namespace pliant
