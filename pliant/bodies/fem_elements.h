// Linear tetrahedra of one of two materials.
//
// Green strain and a linear law of stress (St. Venant-Kirchhoff), elastic and viscous:
// J. O'Brien and J. Hodgins, "Graphical modeling and animation of brittle fracture", SIGGRAPH 1999, with the factors of
// 1/2 where continuum mechanics has them (the same forces):
//
//   F = Ds Dm^-1,  E = 1/2 (F^T F - I),  E' = 1/2 (F^T F' + F'^T F),
//   S = lambda tr(E) I + 2 mu E + phi tr(E') I + 2 psi E',  f_i = -V F S grad N_i.
//
// Stable Neo-Hookean (after B. Smith, F. De Goes and T. Kim, "Stable Neo-Hookean flesh simulation", ACM TOG 2018,
// without their logarithm; fem_descent.h says what takes its place):
//
//   Psi = mu/2 (|F|^2 - 3) - mu (J - 1) + L/2 (J - 1)^2,  J = det F,  L = lambda + mu:
//
// Lame's law for small strain, finite and restoring when turned inside out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/fem_kernel.h"
#include "pliant/bodies/materials.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/tet_mesh.h"

namespace pliant {

// Immutable; safe to share between threads. Forces give the same bits with and without AVX2.
class FemElements {
 public:
  // Throws Error for a bad material, no tets, or a tet of (nearly) no volume.
  FemElements(std::span<const Vec3> rest, std::vector<Tet> tets, const ElasticMaterial& material);

  std::span<const Tet> tets() const { return tets_; }
  const ElasticMaterial& material() const { return material_; }
  double volume(TetId t) const { return volume_[t.index()]; }                    // at rest, m^3
  const Eigen::Matrix3d& inverse(TetId t) const { return inverse_[t.index()]; }  // Dm^-1; row i: grad N_i+1
  Eigen::Matrix3d gradient(TetId t, std::span<const Vec3> x) const;              // F

  // Adds elastic and viscous forces, N.
  fem::Stiffness add_forces(std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> forces) const;
  double energy(std::span<const Vec3> x) const;                                         // elastic, J
  double neo_hookean_energy(std::span<const Vec3> x) const;                             // J
  double neo_hookean_stiffness() const { return material_.lambda() + material_.mu(); }  // L, Pa
  // F of every tet, as fem::store_gradients.
  fem::SizeRange store_gradients(std::span<const Vec3> x, std::vector<float>& rows) const;
  std::size_t inverted_count(std::span<const Vec3> x) const;
  std::vector<double> lumped_masses(std::size_t nodes) const;  // kg; a quarter of each tet to each corner

  // The longest step, s, that fourth-order Runge-Kutta takes safely from a state with this stiffness.
  //
  // For displacements u_i of a tet's corners, the triangle inequality in the energy norm gives
  //   u^T K u <= V (s^2 (lambda + 2 mu) + tension) sum |grad N_i|^2 sum |u_i|^2,
  // and the lumped mass is rho V / 4 a corner: hence omega_max^2 <= max 4 / rho (...) sum 1 / altitude^2, for the true
  // tangent at any stretch. Viscosity likewise. Every eigenvalue of the first-order system then lies in the left half
  // disc of radius max(omega, gamma), and the method's region of stability contains that of radius 2.6.
  double stable_step(const fem::Stiffness& stiffness) const;

 private:
  void pack();
  fem::ElementArrays arrays() const;

  std::vector<Tet> tets_;
  ElasticMaterial material_;
  std::vector<Eigen::Matrix3d> inverse_;
  std::vector<double> volume_;
  // For the kernel.
  std::size_t blocks_ = 0;
  std::vector<double> packed_inverse_, packed_volume_, packed_gradient_sq_;
  std::vector<std::uint32_t> packed_corners_;
};

}  // namespace pliant
