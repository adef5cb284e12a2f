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
#include "pliant/bodies/cloth_contacts.h"
#include "pliant/bodies/cloth_elements.h"
#include "pliant/bodies/cloth_layout.h"
#include "pliant/bodies/cloth_motion.h"

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
  std::span<const SurfaceConstraint> constraints;
  std::span<Vec3> impulses;  // N s, by constraint: those of the step are added
};

namespace detail {
class ClothSolver {
 public:
  // `masses` in kg, infinite for pins. Steps are not to be longer than `longest_substep`.
  ClothSolver(const ClothElements& elements, std::span<const double> masses, double longest_substep);

  // The longest sub-step, s, up to `asked`, that bends the sheet as it should: one cycle hands bending on from vertex
  // to vertex only. `asked` where none would do that float can tell from standing still.
  double fitting_substep(double asked) const;

  // Moves the state on by `count` sub-steps of `h` seconds.
  void advance(double h, int count, const ClothLoads& loads, ParticleState& state);

 private:
  void load(const ParticleState& state);
  void store(ParticleState& state) const;
  void find_push(double h, const ClothLoads& loads);
  void substep(double h, double time, const ClothLoads& loads);
  void find_elastic_forces();
  void begin_contacts(double h, double time);
  void start_anew();
  void sweep(const sheet::StepArrays& step, bool backward);
  void settle_block(const sheet::StepArrays& step, std::size_t block);
  void correct(const sheet::StepArrays& step);
  const float* find_air(double h, const ClothAir& air);
  void write_pins();
  double minimise(double h, const sheet::StepArrays& step);
  void take_away(double gain);
  void keep_momentum_of_parts(double h);
  template <class Field>
  std::vector<sheet::RigidChange> rigid_motions(Field&& field) const;
  Vec3 rigid_at(const std::vector<sheet::RigidChange>& motions, std::size_t row) const;
  Vec3 velocity_of(std::size_t row) const;
  void set_velocity(std::size_t row, const Vec3& v);
  Vec3 arm_of(std::size_t row) const;  // from the origin, m
  sheet::MotionArrays motion();

  double stretch_, damping_;
  ClothLayout layout_;
  ClothCoarse coarse_;
  std::vector<double> masses_;             // lanes; 0: none
  std::vector<std::int32_t> part_of_row_;  // connected parts without pins; -1: another
  std::size_t part_count_ = 0;
  bool is_one_part_ = false;  // and no pin
  // Bending hands pushes on farther than from vertex to vertex within a sub-step: what is pushed at all stands still
  // for long waves, which would throw a sheet of millimetres out of the world.
  bool bends_stiffly_ = false;
  ClothContacts contacts_;
  std::vector<std::uint32_t> marked_;         // blocks with contacts, ascending
  std::vector<std::uint32_t> touched_index_;  // by row: of contacts_

  double energy_ = 0;      // J, elastic, at the end of the last sub-step
  double size_ = 0;        // m
  double unanswered_ = 0;  // J, gained in the sub-steps before
  sheet::Moments moments_{};
  bool pins_move_ = false, in_contact_ = false;
  Vec3 gravity_ = Vec3::Zero();
  Vec3 origin_ = Vec3::Zero();
  std::vector<double> x_, v_, push_;              // lanes of blocks
  std::vector<Vec3> pin_x_, pin_v_, pin_x_t0_;    // in the order of their rows
  std::vector<float> rows_, gradient_;            // four each
  std::vector<float> y_, float_v_, air_, start_;  // lanes of blocks
  std::vector<float> rest_faces_, rest_hinges_;   // with damping
};
}  // namespace detail
using detail::ClothSolver;

}  // namespace pliant
