// The static equilibrium of a solid under its own weight, by Newton's method: what moving solvers are measured against.
#pragma once

#include <vector>

#include "bench/peers/soft_cases.h"

namespace pliant::bench {

// Stable Neo-Hookean energy mu/2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2, linear tetrahedra, masses
// lumped. For bodies that are pulled, not pressed: full Newton steps from rest, until no vertex moves by more than
// 1e-12 m.
std::vector<Vec3> hanging_equilibrium(const SoftCase& solid);

}  // namespace pliant::bench
