// What moves: one interface for everything that a step loop drives, deformable or not, each usable on its own.
//
// A step is: predict(dt) from the committed state; whoever answers collisions looks at positions() -> prediction as one
// linear step and changes end positions and velocities; commit() makes them the state. Nothing changes before commit,
// so a step can be predicted again, shorter. Units: metres, kilograms, seconds, newtons.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pliant/bodies/joint_vertex.h"
#include "pliant/bodies/rigid_motion.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Why a step could not be predicted.
enum class Trouble {
  none,
  not_finite,         // a position or velocity became infinite or not a number
  runaway,            // the body grew beyond a thousand times its size at rest
  too_many_substeps,  // the stability bound asks for shorter sub-steps than the settings allow
  solver_failed,      // the implicit solver found no step
  motion_unreadable,  // a frame of the motion that it follows cannot be read
};
std::string_view describe(Trouble trouble);  // a sentence with the remedy

struct StepStatus {
  Trouble trouble = Trouble::none;
  int substeps = 0;
  double shortest_substep = 0;        // s
  int solver_iterations = 0;          // implicit only
  std::size_t inverted_elements = 0;  // tetrahedra turned inside out at the end of the step
  bool volume_clamped = false;        // gas volume fell below its least value: pressure was limited

  bool ok() const { return trouble == Trouble::none; }
};

// A half-space that a point of the body's own surface stays in: a contact as one side of it sees it. It does not turn
// within the step that it is given for, and follows the other side on a straight way. Or two points of one surface that
// keep a distance: then the half-space is that of the vector between them.
struct SurfaceConstraint {
  std::array<VertexId, 4> vertices{};  // those with weight 0 do not count
  // Of one point (up to three vertices, none negative, sum 1); of two points, the second one's negative (sum 0).
  std::array<double, 4> weights{};
  Vec3 normal = Vec3::Zero();    // of length 1, into the half-space
  double offset = 0;             // m: normal . point is at least this at the end of the step
  Vec3 velocity = Vec3::Zero();  // m/s, of the other side where it touches; zero for two points
  double friction = 0;           // Coulomb's coefficient
  double from = 0;               // s after the start of the step: before, it does not act
  double keep = 0;               // m: what the point has then beyond the offset is kept, up to this
};

// Spans are valid until the next call of predict() or commit(). In trouble they are those of the committed state.
struct Prediction {
  std::span<const Vec3> positions;
  std::span<const Vec3> velocities;
  StepStatus status;
  // N s, on the point of each constraint, in their order; zero where it was not needed. The other side received the
  // opposite.
  std::span<const Vec3> impulses = {};
};

// How well the committed state keeps to what the body is made of, for whoever judges a simulation.
struct BodyCondition {
  std::size_t inverted_elements = 0;  // tetrahedra turned inside out
  double stretch = 0;                 // 99th percentile of |length / length at rest - 1| along threads; 0: has none
  double stretch_limit = 0.05;        // what the material takes; more is a fault of the simulation
  bool driven = false;                // wind does work on it, so that its energy may grow
};

// All that a body needs to go on bit for bit. Plain numbers, so that it can be stored. Of a body with inner nodes
// these follow the surface vertices.
struct BodyState {
  double seconds = 0;
  std::vector<Vec3> positions;
  std::vector<Vec3> velocities;
  std::vector<Vec3> forces;

  friend bool operator==(const BodyState&, const BodyState&) = default;
};

struct ParticleState {
  std::vector<Vec3> x;
  std::vector<Vec3> v;
};

// Deterministic; reads no clock. One body is used from one thread at a time.
class BodyModel {
 public:
  virtual ~BodyModel() = default;
  BodyModel(const BodyModel&) = delete;
  BodyModel& operator=(const BodyModel&) = delete;

  // The surface that detectors see. The spans below have one entry per vertex of it.
  const MeshPtr& mesh() const { return mesh_; }
  std::span<const Vec3> positions() const { return surface(state_.x); }
  std::span<const Vec3> velocities() const { return surface(state_.v); }
  // kg; infinite: forces and impulses do nothing, the vertex goes on with its velocity (a pin stands still unless it
  // was committed with one).
  std::span<const double> masses() const { return std::span(masses_).first(mesh_->vertex_count()); }
  std::span<const double> node_masses() const { return masses_; }  // likewise, of all nodes: those of snapshot()
  double seconds() const { return seconds_; }
  // Elastic and gas energy, J, of the committed state; 0 where a model has none.
  virtual double potential_energy() const { return 0; }
  virtual double kinetic_energy() const;  // J, of nodes with finite mass
  // J, likewise, against the origin.
  virtual double gravitational_energy() const;
  virtual Vec3 gravity() const { return Vec3::Zero(); }  // m/s^2, that acts on it
  virtual BodyCondition condition() const { return {}; }
  // The longest short step, s, at which contacts should act on it.
  virtual double contact_seconds() const { return 1.0 / 480; }
  // s: how long its vertices may go straight before neighbours pass each other, from the committed state. Over longer
  // pieces of motion what swings fast would meet itself on straight ways that it does not go.
  virtual double straight_seconds() const { return std::numeric_limits<double>::infinity(); }

  // Whether predict() takes contacts of the body with itself (constraints of two points).
  virtual bool solves_self_contacts() const { return false; }

  // Whoever answers contacts moves a body that moves as one as one, too.
  virtual bool moves_as_one() const { return false; }
  // Of such a body with these positions and velocities of its surface; of other models nothing.
  virtual std::optional<RigidMotion> rigid_motion(std::span<const Vec3>, std::span<const Vec3>) const {
    return std::nullopt;
  }

  // Where the surface would be after `seconds`. Throws Error if that is not positive and finite.
  Prediction predict(double seconds) { return predict(seconds, {}); }
  // The same for a body that touches something. Constraints act within the solve as far as the model can: those that a
  // prediction does not keep, or that a model does not know, are left to whoever answers contacts after it. Throws
  // Error for one that names no vertex of the surface or has a number out of range.
  Prediction predict(double seconds, std::span<const SurfaceConstraint> constraints);

  // Bodies that touch each other and give way are predicted together, in rounds: begin_rounds() of each; then, again
  // and again, round() of each, and pushes of the contacts between them; then end_rounds(), which is a prediction like
  // any other. A body keeps the momentum that the forces on its vertices give it, so that contacts exchange it exactly.
  // The longest step that the model can take in this way from the committed state, s; 0: none. A step that is much
  // longer ends in trouble.
  virtual double round_seconds() const { return 0; }
  // `vertices`, the same ones in the same order to the end, ascending: those that contacts push. Forces that they have
  // already are a guess to start with. Constraints are those of predict(). Throws Error as predict() does, and for a
  // vertex that nothing can push.
  void begin_rounds(double seconds, std::span<const SurfaceConstraint> constraints, std::span<JointVertex> vertices);
  // Goes on from where the vertices were pushed to; tells where they stand then.
  virtual void round(std::span<JointVertex> vertices);
  // Whether the body has had its rounds and, where it was pushed to, no more energy than it had and was given.
  virtual bool in_balance(std::span<const JointVertex>) { return true; }
  Prediction end_rounds(std::span<const JointVertex> vertices);

  // External forces (N) on surface vertices, added to those given since the last commit; they act, constant, on
  // every predicted step until the next commit. Impulses (N s) change velocities at once. Both throw Error for a wrong
  // size or a value that is not finite.
  void apply_forces(std::span<const Vec3> forces);
  void apply_impulses(std::span<const Vec3> impulses);

  // Makes these surface positions and velocities the state. After a prediction, time goes on by `fraction` of it, and
  // inner nodes go that part of their predicted way; without one, only the surface changes. Throws Error for a wrong
  // size, a value that is not finite, or a fraction outside [0, 1].
  void commit(std::span<const Vec3> positions, std::span<const Vec3> velocities, double fraction = 1);

  // A prediction that was not committed is not part of the state. Nor is what a model remembers of its last step for
  // speed: both forget() it, so that a body goes on from a snapshot with the same bits as one that was restored.
  // restore() throws Error if sizes do not fit.
  BodyState snapshot() const;
  void restore(const BodyState& state);
  // From here on as from a snapshot. Whoever steps many bodies calls it where a step begins that may be resumed.
  virtual void forget() const {}
  // A step in rounds ends with a kick that contacts with other bodies did not see: they have to stop it.
  virtual bool kicks_last() const { return false; }

 protected:
  // Nodes: surface vertices first, in the order of the mesh, then inner ones. Masses in kg, positive or infinite.
  BodyModel(MeshPtr mesh, std::vector<Vec3> nodes, std::vector<double> masses);

  // Moves `next`, a copy of the committed state, on by `seconds`.
  virtual StepStatus advance(double seconds, ParticleState& next) = 0;
  // The same under constraints (one or more); `impulses` has one entry for each, zero at first. A model that does not
  // override this moves as if there were none.
  virtual StepStatus advance_constrained(double seconds, std::span<const SurfaceConstraint> constraints,
                                         ParticleState& next, std::span<Vec3> impulses);

  // Of a step in rounds. Constraints outlive it; `next` and `impulses` are as in advance_constrained(). A model that
  // has none of these takes the whole step in each round, under the forces so far, and says that its vertices give way
  // as if they were free: stiffness only lessens that, so that rounds still lead to the right forces, the stiffer the
  // slower.
  virtual void start_rounds(double seconds, std::span<const SurfaceConstraint> constraints,
                            std::span<JointVertex> vertices);
  virtual StepStatus finish_rounds(std::span<const JointVertex> vertices, ParticleState& next,
                                   std::span<Vec3> impulses);

  const ParticleState& state() const { return state_; }
  std::span<const double> inverse_masses() const { return inverse_masses_; }  // 0 for infinite masses
  std::span<const Vec3> external_forces() const { return forces_; }           // one per node

 private:
  std::span<const Vec3> surface(const std::vector<Vec3>& nodes) const {
    return std::span(nodes).first(mesh_->vertex_count());
  }
  Trouble find_trouble(const ParticleState& next) const;
  void commit_inner_nodes(double fraction);
  void require_step(double seconds, std::span<const SurfaceConstraint> constraints) const;
  Prediction predicted(double seconds, StepStatus status);
  StepStatus advance_under(std::span<const JointVertex> vertices, ParticleState& next, std::span<Vec3> impulses);

  MeshPtr mesh_;
  std::vector<double> masses_;
  std::vector<double> inverse_masses_;
  double rest_size_ = 0;  // largest extent
  double seconds_ = 0;
  ParticleState state_;
  std::vector<Vec3> forces_;
  ParticleState next_;
  std::vector<Vec3> impulses_;  // of the constraints of the prediction
  std::vector<SurfaceConstraint> round_constraints_;
  double rounds_seconds_ = 0;     // of the step in rounds
  double predicted_seconds_ = 0;  // 0: no prediction waits to be committed
};

}  // namespace pliant
