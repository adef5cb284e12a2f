// Which integrator suits a mesh and its material, by measuring them.
#pragma once

#include "pliant/bodies/fem.h"
#include "pliant/bodies/fem_elements.h"

namespace pliant {

struct FemMeasure {
  double sliver_share = 0;  // of the tets: with an altitude below 1/8 of their longest edge
  double wave_cells = 0;    // how many mean edges a wave of pressure goes in the time given
};
FemMeasure measure(const FemElements& elements, double seconds);

// vertex_descent, or conjugate_gradients where its sweeps over single vertices would leave too much open.
FemIntegrator choose_integrator(const FemMeasure& measure);

}  // namespace pliant
