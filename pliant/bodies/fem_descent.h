// Backward Euler for stable Neo-Hookean bodies by vertex block descent: A. Chen, Z. Liu, Y. Yang and C. Yuksel, "Vertex
// block descent", ACM TOG 2024, with these differences:
//
// - Cycles are symmetric (forward, then backward through all vertices): over many steps an error that a cycle leaves
//   with a complex factor can grow, one with a real, positive factor cannot.
// - The potential is exactly quadratic in one vertex (fem_descent_kernel_code.h), so that no Hessian needs a
// projection.
// - Contacts act inside: each vertex that touches something is solved together with its contact forces.
// - What a cycle does not settle would change the body's momentum. Without pins and contacts both momenta are put
// right;
//   with contacts, they are said to have exerted just what the body's momentum gained.
// - What is ruined recovers. The energy has a second minimum, F = 0, where a tetrahedron is crushed to less than about
// half
//   of its length in all directions (0.38 for foam, 0.09 for jelly), and a body whose vertices were thrown together can
//   be tangled up without a single tetrahedron inside out. Tetrahedra that start a step nearly crushed, and all of a
//   body that is tangled, are drawn to a copy of their rest shape, turned as the body is as a whole. Impacts of the
//   presets do not reach this.
#pragma once

#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/fem_blocks.h"
#include "pliant/bodies/fem_contacts.h"
#include "pliant/bodies/fem_elements.h"
#include "pliant/bodies/fem_newton.h"

namespace pliant {

// One step, as its bodies and contacts see it.
struct FemStep {
  double seconds = 0;
  std::span<const Vec3> accelerations;             // gravity and external forces, m/s^2 per node
  std::span<const SurfaceConstraint> constraints;  // for the time `later` seconds after the end of the step
  double later = 0;
  std::span<Vec3> impulses;  // by constraint, N s: those of the step are added
};

namespace detail {
// Minimises 1/2 (x - y)^T M (x - y) / h^2 + W(x) + D(x) as FemImplicitSolver does, W being Neo-Hookean. Displacements
// are float, from the start of the step; the state is double.
class FemDescent {
 public:
  // The elements must outlive it. Nodes with inverse mass 0 move with their velocity.
  FemDescent(const FemElements& elements, std::span<const Vec3> rest, std::span<const double> inverse_masses);

  // A step is begin(), cycles, finish(). begin() stands where inertia and outer forces alone would lead.
  void begin(const FemStep& step, const ParticleState& state);
  void cycle();
  // A Newton step of all vertices between a sweep and the next one the other way. True: another would change little.
  bool corrected_cycle();
  // Whether the body would have more energy than it had and outer forces gave it: too few cycles for an impact.
  bool gains_energy() const;
  void finish(const FemStep& step, ParticleState& state);

  // A step that is solved together with those of other bodies: join() after begin(), then rounds instead of cycles,
  // half a cycle each (the first without Newton's step, which would go far as long as no contact acts). Forces on
  // vertices count as outer ones.
  void join(std::span<JointVertex> vertices);
  void round(std::span<JointVertex> vertices, bool corrected);
  void take(std::span<const JointVertex> vertices);  // forces, and where the vertices were pushed to

  const FemBlocks& blocks() const { return blocks_; }

 private:
  void tell(std::span<JointVertex> vertices) const;
  FemNewton::Outcome correct();
  void sweep(bool backward, bool keep_inverses = false);
  void descend(std::size_t first, std::size_t last, bool backward, bool keep_inverses);
  void settle_block(std::size_t block);
  void mark_blocks();
  double reach() const;
  void mark_ruined(std::span<const Vec3> x);
  bool is_tangled(const Eigen::Matrix3d& pose) const;
  void keep_momentum(std::span<const Vec3> x);
  Vec3 gained_force() const;

  const FemElements& elements_;
  FemBlocks blocks_;
  std::vector<double> masses_;  // 0: infinite
  FemNewton newton_;
  std::vector<double> inverse_masses_;
  std::vector<Vec3> rest_;
  double size_ = 0;  // m
  bool pinned_ = false;
  double seconds_ = 0;
  double noise_ = 0;             // J, of elastic energies
  bool driven_ = false;          // by pins that move
  double kinetic_energy_ = 0;    // J, at the start
  std::vector<Vec3> pulls_;      // N, of gravity and external forces
  std::vector<float> inverses_;  // of the vertices' Hessians, once a corrected cycle needed them in this step
  bool has_inverses_ = false, backward_next_ = false;
  std::vector<float> start_gradients_, inertial_, moved_;
  fem::DescentStep kernel_step_{};
  FemContacts contacts_;
  // Of vertices that are pushed by other bodies, in their order.
  struct Joint {
    std::size_t node = 0;
    std::size_t inverse = 0;  // where its inverse begins in inverses_
    Vec3 inertial;            // without contacts, m
    Vec3 pull;                // likewise, N
  };
  std::vector<Joint> joints_;
  std::vector<std::uint32_t> marked_;         // blocks with contacts, ascending
  std::vector<std::uint32_t> touched_index_;  // by node: of contacts_, kNone without
};
}  // namespace detail
using detail::FemDescent;

}  // namespace pliant
