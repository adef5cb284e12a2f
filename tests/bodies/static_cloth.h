// The truth about cloth that hangs still: where elastic forces and gravity balance, by Newton's method in double.
#pragma once

#include <span>
#include <vector>

#include "pliant/bodies/cloth_elements.h"
#include "pliant/core/vec3.h"

namespace pliant {

// Gradient of the elastic energy, J/m.
std::vector<Vec3> cloth_gradient(const ClothElements& elements, std::span<const Vec3> x);

struct ClothLoad {
  std::span<const double> masses;  // kg, infinite for pins
  Vec3 gravity = Vec3(0, 0, -9.81);
};

struct StaticCloth {
  std::vector<Vec3> x;
  double residual = 0;  // N, the largest force that is left on a vertex
  int steps = 0;
};

// From `start` on: exact or, where that is indefinite, projected Hessian, sparse LDLT, a regularisation that fades,
// line search. Until no force is above `tolerance` (N) or `most_steps` are done.
StaticCloth static_cloth(const ClothElements& elements, const ClothLoad& load, std::span<const Vec3> start,
                         double tolerance, int most_steps = 200);

}  // namespace pliant
