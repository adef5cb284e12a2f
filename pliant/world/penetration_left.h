// How deep bodies are in each other that no proof keeps apart.
#pragma once

#include <vector>

#include "pliant/world/world.h"

namespace pliant {

struct PenetrationLeft {
  BodyId a, b;
  double depth = 0;  // m, of the deepest point of either surface inside the other (detect/penetration.h)
};

// The deepest pair that is answered without a proof; 0 deep if none is. Of pairs of closed bodies, at their present
// positions: those of the dense surfaces where penalty springs act on these. To some thousandths of the smaller
// body.
PenetrationLeft deepest_penetration(const World& world);

}  // namespace pliant
