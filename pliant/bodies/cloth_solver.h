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

  // One sub-step that is solved together with those of other bodies (BodyModel::round): join(), rounds, leave(). The
  // spans of the loads outlive it. A round is a sweep, every other one with the coarse correction before it; forces on
  // vertices count as outer ones, and what they hold stands still for long waves.
  void join(double h, const ClothLoads& loads, const ParticleState& state, std::span<JointVertex> vertices);
  void round(std::span<JointVertex> vertices);
  // Whether the sheet has had whole cycles and, where it was pushed to, no more energy than it had and was given.
  bool in_balance(std::span<const JointVertex> vertices);
  // `impulses` as in the loads. Gives the length of the sub-step, s.
  double leave(std::span<const JointVertex> vertices, std::span<Vec3> impulses, ParticleState& state);
  int rounds() const { return rounds_; }

 private:
  // A vertex that other bodies push.
  struct Joint {
    std::uint32_t row = 0;
    Vec3 start = Vec3::Zero();     // m, about the origin
    Vec3 velocity = Vec3::Zero();  // m/s, without these pushes
    Vec3 force = Vec3::Zero();     // N
    Eigen::Matrix3d compliance = Eigen::Matrix3d::Zero(), free_ways = Eigen::Matrix3d::Identity();
    Vec3 before = Vec3::Zero();  // m: before a coarse correction
  };
  void load(const ParticleState& state);
  void store(ParticleState& state) const;
  void find_push(double h, const ClothLoads& loads);
  void begin(double h, int count, const ClothLoads& loads, const ParticleState& state);
  void clear_marks();
  void begin_substep(double h, double time, const ClothLoads& loads);
  void end_substep(double gain, std::span<Vec3> impulses);
  double find_gain();
  void find_elastic_forces();
  void begin_contacts(double h, double time);
  void start_anew();
  void sweep(bool backward);
  void settle_block(std::size_t block);
  void correct();
  void hold_joints();
  void keep_joints();
  double given_to(const Joint& joint) const;
  void take(std::span<const JointVertex> vertices);
  void tell(std::span<JointVertex> vertices) const;
  const float* find_air(double h, const ClothAir& air);
  void write_pins();
  double minimise();
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
  std::vector<std::uint32_t> touched_index_;  // by row: of contacts_, and one more; 0: none
  std::vector<Joint> joints_;                 // in their order
  std::vector<std::uint32_t> joint_index_;    // by row, and one more; 0: none
  int rounds_ = 0;

  double h_ = 0;       // s, of the sub-step
  double energy_ = 0;  // J, elastic, at the end of the last sub-step
  double energy_t0_ = 0;
  sheet::StepArrays step_{};
  sheet::RestLengths rest_{};
  double size_ = 0;        // m
  double gain_ = 0;        // J, of energy, in the sub-step
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
