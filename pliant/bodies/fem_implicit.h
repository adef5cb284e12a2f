// Backward Euler for FEM bodies, as the minimum of an incremental potential.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/fem_elements.h"

namespace pliant {

struct FemImplicitSettings {
  int newton_steps = 8;
  double tolerance = 1e-8;  // m
};

// Newton's method with line search on
//
//   1/2 (x - y)^T M (x - y) / h^2 + W(x) + D(x),   y = x0 + h v0 + h^2 a,
//
// W: elastic energy; D: h/2 times the viscous power at the strain rate sym(F0^T (F - F0)) / h, that is with the
// deformation at the start of the step, which makes it quadratic. The elastic Hessian is made positive semi-definite
// by leaving out the compressive part of the stress in its geometric term, so that sparse Cholesky needs no pivots and
// every direction goes down.
class FemImplicitSolver {
 public:
  // The elements must outlive the solver. Nodes with inverse mass 0 move with their velocity.
  FemImplicitSolver(const FemElements& elements, std::span<const double> inverse_masses,
                    const FemImplicitSettings& settings);
  ~FemImplicitSolver();

  // `accelerations`: gravity and external forces, m/s^2 per node.
  StepStatus step(double seconds, std::span<const Vec3> accelerations, ParticleState& state);

 private:
  class System;
  std::unique_ptr<System> system_;
};

}  // namespace pliant
