// Forces of a closed surface of springs with gas inside (M. Matyka and M. Ollila, "A pressure model for soft body
// simulation", 2003; J. Mesit and R. Guha, "Line-triangle test for collision detection and response in soft bodies").
//
//   spring i-j:  f_i = (k (l - L) + c (v_j - v_i) . d) d,  d the direction from i to j, l the length, L at rest;
//   gas:         P = nRT / V (isothermal),  each corner of face (a, b, c) gets (P - P_out) / 6 (b - a) x (c - a).
//
// The papers estimate V by bounding shapes or with absolute values; here it is the divergence theorem's, so that the
// gas force is exactly nRT grad ln V and the energy of the springs, -nRT ln V and P_out V is conserved.
//
// There the springs are at rest in the shape that is given, and a body grows until their tension carries the pressure.
// If it is to stay as it is given, they are shortened by one common factor instead (the virial theorem: tension times
// length, summed, is three times pressure times volume); only its shape settles, by a little.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pliant/bodies/gas_layout.h"
#include "pliant/bodies/pressure_materials.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// What explicit steps must resolve, as bounds on the largest eigenvalues.
struct OscillationBound {
  double omega_sq = 0;  // 1/s^2
  double gamma = 0;     // 1/s, of damping
};

// Immutable; safe to share between threads.
class PressureForces {
 public:
  // Throws Error if the mesh is not closed and outward, has a vertex on no face or an edge of no length, or a number of
  // the material is out of range.
  PressureForces(MeshPtr mesh, const PressureMaterial& material, bool grows = false);

  const MeshPtr& mesh() const { return mesh_; }
  const GasLayout& layout() const { return *layout_; }
  double rest_volume() const { return rest_volume_; }                        // m^3
  double least_volume() const { return kLeastVolume * rest_volume_; }        // below it pressure does not rise further
  double gas_constant() const { return material_.pressure * rest_volume_; }  // nRT, J
  double excess_pressure(double volume) const;                               // Pa, over that outside

  // A third of each face to each corner, kg.
  std::vector<double> lumped_masses() const;
  // Relative to the mean of the vertices, against cancellation far from the origin; may be below least_volume().
  double volume(std::span<const Vec3> x) const;
  double pressure(std::span<const Vec3> x) const;  // Pa, absolute, inside

  void add_forces(std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> forces) const;
  double energy(std::span<const Vec3> x) const;  // of springs and gas, J; up to a constant

  // Proved for the Hessian at x: springs by the stiffness at each vertex (those shorter than at rest only push apart
  // sideways, which oscillates at no frequency), the change of pressure exactly, the turning of faces by Gershgorin.
  OscillationBound bound(std::span<const Vec3> x, std::span<const double> inverse_masses) const;
  // The same of what the kernel has measured.
  OscillationBound bound(const gas::GasSums& measured, std::span<const double> inverse_masses) const;

 private:
  static constexpr double kLeastVolume = 1e-3;
  void add_springs();
  void stretch_springs();
  GasSpring spring(VertexId a, VertexId b, double stiffness) const;

  MeshPtr mesh_;
  PressureMaterial material_;
  double rest_volume_ = 0;
  std::vector<GasSpring> edges_, bending_;
  std::vector<double> damping_;  // by vertex: twice that of its springs, N s/m
  std::optional<GasLayout> layout_;
};

Vec3 mean_of(std::span<const Vec3> points);

}  // namespace pliant
