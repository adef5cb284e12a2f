// Soft animals, closed and outward: a rabbit and a serpent for scenes whose scanned meshes are not there, and a bear
// that stands on four legs.
#pragma once

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

enum class StandIn { rabbit, serpent, bear };

struct StandInSettings {
  StandIn animal = StandIn::rabbit;
  double size = 1;     // m, about the largest extent
  double cell = 0.05;  // of the size: length of the mesh's edges
};

// Sits on y = 0 up to its cells, looking along +x, y up: as the scans lie that it stands for. Throws Error for a size
// that is not positive or cells that are outside 0.01 to 0.1.
MeshPtr make_stand_in(const StandInSettings& settings = {});

}  // namespace pliant
