// Pinned vertices of surface bodies.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "pliant/core/error.h"
#include "pliant/core/ids.h"

namespace pliant {

// The masses with those of pinned vertices infinite. Throws Error for a pin that is no vertex.
inline std::vector<double> with_pins(std::vector<double> masses, std::span<const VertexId> pinned) {
  for (const VertexId v : pinned) {
    if (v.index() >= masses.size())
      throw Error("pin " + std::to_string(v.value) + " is not a vertex",
                  "the mesh has " + std::to_string(masses.size()) + " vertices");
    masses[v.index()] = std::numeric_limits<double>::infinity();
  }
  return masses;
}

}  // namespace pliant
