// Sub-steps of a sheet: backward Euler, one symmetric cycle of two-level vertex block descent each (a sweep, the coarse
// correction, a sweep the other way round). Symmetric, because errors that an unsymmetric cycle leaves can grow from
// step to step.
//
// Solves in float about an origin near the body; positions and velocities are double, and change only by what elastic
// forces, gravity and air do to them: free flight and the momentum of a part without pins are kept to rounding.
#pragma once

#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/cloth_coarse.h"
#include "pliant/bodies/cloth_elements.h"
#include "pliant/bodies/cloth_layout.h"

namespace pliant {

struct ClothAir {
  Vec3 wind = Vec3::Zero();  // m/s
  double density = 0;        // kg/m^3; 0: none
  double drag = 0, lift = 0;
};

// What acts on every sub-step of a step.
struct ClothLoads {
  Vec3 gravity = Vec3::Zero();   // m/s^2
  std::span<const Vec3> forces;  // N, one per vertex
  ClothAir air;
};

class ClothSolver {
 public:
  // `masses` in kg, infinite for pins. `damping` in s: viscosity over stiffness, beyond what a step damps by itself.
  ClothSolver(const ClothElements& elements, std::span<const double> masses, double longest_substep);

  // Moves the state on by `count` sub-steps of `h` seconds.
  void advance(double h, int count, const ClothLoads& loads, ParticleState& state);

 private:
  void load(const ParticleState& state);
  void store(ParticleState& state) const;
  void substep(double h, const ClothLoads& loads);
  void accelerate(double h, const ClothLoads& loads);
  void minimise(double h);
  void keep_momentum();
  void finish(double h);
  void fill_rows(std::span<const Vec3> x);

  std::vector<double> masses_;             // by row; 0: a lane without a vertex, or a pin
  std::vector<std::int32_t> part_of_row_;  // connected parts without pins; -1: another
  std::size_t part_count_ = 0;
  double stretch_, damping_;
  ClothLayout layout_;
  ClothCoarse coarse_;

  Vec3 origin_ = Vec3::Zero();
  std::vector<Vec3> x_, v_, change_;             // by row; change_: what the solve adds to y
  std::vector<float> rows_, gradient_;           // four each
  std::vector<float> y_, lanes_v_, lanes_air_;   // lanes of blocks
  std::vector<float> rest_faces_, rest_hinges_;  // with damping
};

}  // namespace pliant
