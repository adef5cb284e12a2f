// A body by stuffing, with cells that are small enough for it. Internal to asset/.
#pragma once

#include "pliant/asset/tetrahedralise.h"

namespace pliant {

// `surface` must be sound. `area`: of a smooth surface like it, which the cells are chosen by. Cells are made smaller,
// unless their size is given, as long as more than 2 % of the volume is lost or the body falls into pieces. Warnings
// tell what is thinner than two cells.
TetBody stuff_body(const TriangleMesh& surface, double area, const TetSettings& settings);

}  // namespace pliant
