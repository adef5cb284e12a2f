// Contacts as inequalities on the end of a step, solved together.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/geometry/distance.h"
#include "pliant/response/dense_step.h"
#include "pliant/response/flat_step.h"
#include "pliant/response/step_resolver.h"

namespace pliant {

// A gap along a fixed normal, between points with fixed weights: normal . (sum weight x + other) >= target.
struct ContactConstraint {
  std::array<std::uint32_t, 6> slot{};       // of vertices that are not an obstacle's
  std::array<double, 6> weight{};            // those of b are negative
  std::array<double, 6> weight_over_mass{};  // weight / mass, 1/kg; 0 of vertices that move as one
  std::uint32_t count = 0;                   // of slots
  Vec3 normal = Vec3::Zero();                // from b to a
  Vec3 other = Vec3::Zero();     // m, what an obstacle's vertices and offsets contribute at the end of the (short) step
  Vec3 other_t0 = Vec3::Zero();  // and at its start
  double seconds = 0;            // of the (short) step
  double target = 0;             // m
  double mobility = 0;           // sum weight^2 / mass, 1/kg
  double friction = 0;
  double speed = 0;             // m/s: the least speed of parting
  double push = 0;              // kg m, the multiplier of the gap; 0 or more
  Vec3 drag = Vec3::Zero();     // kg m, of friction, across the normal
  Vec3 impulse = Vec3::Zero();  // N s, on a, since the step began
  Vec3 force = Vec3::Zero();    // N, on a, of the last short step in which its bodies were solved together
  double wait = 0;              // s, from the start of the (short) step: before, it does not act
  double left = 0;              // m: of the target, what the prediction of a body may leave open
  bool held = false;            // in this short step: the prediction of a body kept it already
  bool stops = false;           // in this short step: its sides are not to approach each other at the end
  bool is_rigid = false;        // some of its vertices belong to bodies that move as one
};

// Those of one step. The order in which contacts are added is the order in which they are solved. Functions that take
// `which` (indices, ascending) touch nothing but these constraints and the vertices that they are about: groups that
// have no vertex in common may be worked on at the same time.
class ContactConstraints {
 public:
  using Indices = std::span<const std::uint32_t>;

  ContactConstraints(const Step& step, const ResolverSettings& settings) : step_(step), settings_(settings) {}

  // Makes constraints of contacts on the present step, from x_t0 to x_t1. What says the same as one that is there, of
  // this pair of features or of neighbours, is left out.
  void add(std::span<const Contact> contacts, const FlatStep& flat);
  // Of dense surfaces that hang on bodies, with normals as given.
  void add_carried(std::span<const CarriedContact> contacts, const FlatStep& flat);
  std::size_t size() const { return constraints_.size(); }
  const Contact& contact(std::size_t index) const { return contacts_[index]; }
  const ContactConstraint& constraint(std::size_t index) const { return constraints_[index]; }
  std::vector<std::uint32_t> all() const;

  // The next short step is the part [from, to] of the step. v_t1 is the velocity at its start: what approaches then
  // parts after an impact. Nothing was pushed in it yet.
  void begin_short_step(Indices which, const FlatStep& flat, double from, double to);
  // Takes v_t1 for the velocities before an impact: what approaches parts after it.
  void note_approach(Indices which, const FlatStep& flat);
  // Forgets what was pushed since the step began.
  void begin_again(Indices which);

  // Moves x_t1 until no gap lacks more than a thousandth of the separation, or so many sweeps are done.
  void solve_positions(Indices which, FlatStep& flat, int sweeps);
  // Changes v_t1 such that pairs that were pushed do not approach each other, and part after an impact.
  void solve_velocities(Indices which, FlatStep& flat, int sweeps);

  // The body whose prediction a contact can act within: the other side does not give way (obstacles, pins). Invalid:
  // none.
  BodyId held_by(std::size_t index, const FlatStep& flat) const;
  // As that prediction takes it; x_t0 and v_t1 of the body are where it starts. Nothing: they are too far apart to
  // touch in this short step.
  std::optional<SurfaceConstraint> half_space(std::size_t index, BodyId body, const FlatStep& flat) const;
  // Whether its sides come near each other in this short step, going on as they do.
  bool may_touch(std::size_t index, const FlatStep& flat) const;
  // Bodies that were solved together kept it by this force (N, on a) over the short step; zero: it was not needed.
  void hold_jointly(std::size_t index, const Vec3& force);
  // If it was needed, solve_velocities() ends what is left of the approach of its sides.
  void stop(std::size_t index) { constraints_[index].stops = constraints_[index].held; }
  // After it: little that it left open is its own business.
  void leave(std::size_t index);
  // What it did (N s, on the body).
  void hold(std::size_t index, BodyId body, const Vec3& impulse);

  // All impulses so far.
  std::vector<Impact> impacts() const;

 private:
  // What constraints are made with and sweeps do not need.
  struct Course {
    double from = 0;                                        // when it begins to act, as a part of the step
    double start = 0, end = 0;                              // m, of the target
    Vec3 other_t0 = Vec3::Zero(), other_t1 = Vec3::Zero();  // over the whole step
    double restitution = 0;
  };
  // Where the features of a contact come nearest.
  struct Met {
    const Contact* contact = nullptr;
    std::array<std::uint32_t, 6> slots{};  // v f0 f1 f2, or a0 a1 b0 b1; or what points hang on
    std::array<double, 6> weights{};       // those of b are negative
    Vec3 normal = Vec3::Zero();            // from b to a
    Vec3 offset = Vec3::Zero();            // of a against b, beyond what vertices say
    std::uint32_t count = 0;               // vertices with a weight that are not an obstacle's
    bool is_rigid = false;                 // some of these belong to bodies that move as one
    bool is_apart = false;
  };
  // One on its way.
  struct Made {
    Met met;
    ContactConstraint constraint{};
    Course course{};
  };
  Met meet(const Contact& contact, const FlatStep& flat) const;
  bool begin(Made& made, const FlatStep& flat) const;
  bool finish(Made& made, const FlatStep& flat) const;
  void set_course(Made& made, const FlatStep& flat) const;
  void begin_buckets(std::size_t more, const FlatStep& flat);
  void enter(std::size_t index);
  bool is_there(const ContactConstraint& one) const;
  void keep(const Made& made);
  SurfaceConstraint distance_kept(std::size_t index, const FlatStep& flat) const;
  Vec3 allowed(const Contact& contact, const FlatStep& flat, const Weights& wa, const Weights& wb,
               const Vec3& normal) const;
  void begin_at(Course& course, double gap) const;
  double target_from_now(const ContactConstraint& c, Course& course, const FlatStep& flat) const;
  bool is_implied(const ContactConstraint& one) const;
  bool is_known(const ContactConstraint& one, std::size_t bucket) const;
  bool is_beside(const ContactConstraint& one, const FlatStep& flat) const;
  void note_vertices(std::size_t index);
  std::vector<ContactConstraint*> active(Indices which, const FlatStep& flat);

  const Step& step_;
  ResolverSettings settings_;
  std::vector<ContactConstraint> constraints_;
  std::vector<Course> courses_;
  std::vector<Contact> contacts_;  // what each was made of
  // Constraints by their slots: the last of each bucket, and the one before it in the bucket; -1: none.
  std::vector<std::int32_t> bucket_, before_;
  // Constraints between two bodies that have almost all of their weight on one vertex, by its slot: the last one, and
  // those before it.
  struct AtVertex {
    std::uint32_t constraint = 0;
    std::int32_t before = -1;
  };
  std::vector<std::int32_t> last_at_;
  std::vector<AtVertex> at_vertices_;
};

}  // namespace pliant
