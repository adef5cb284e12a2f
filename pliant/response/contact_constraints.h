// Contacts as inequalities on the end of a step, solved together.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/response/flat_step.h"
#include "pliant/response/step_resolver.h"

namespace pliant {

// A gap along a fixed normal, between points with fixed weights: normal . sum weight x >= target.
struct ContactConstraint {
  std::array<std::uint32_t, 4> place{};
  std::array<double, 4> weight{};  // sum 0: those of b are negative
  Vec3 normal = Vec3::Zero();      // from b to a
  double target = 0;               // m
  double mobility = 0;             // sum weight^2 / mass, 1/kg
  double friction = 0;
  double speed = 0;             // m/s: the least speed of parting
  double push = 0;              // kg m, the multiplier of the gap; 0 or more
  Vec3 drag = Vec3::Zero();     // kg m, of friction, across the normal
  Vec3 impulse = Vec3::Zero();  // N s, on a
  bool held = false;            // in this short step: the prediction of a body kept it already
};

// Those of one step. The order in which contacts are added is the order in which they are solved.
class ContactConstraints {
 public:
  ContactConstraints(const Step& step, const ResolverSettings& settings) : step_(step), settings_(settings) {}

  // Makes constraints of contacts on the present step. A pair that has one with nearly the same normal
  // and weights keeps that.
  void add(std::span<const Contact> contacts, const FlatStep& flat);

  // Moves x_t1 until no gap lacks more than a thousandth of the separation, or so many sweeps are done.
  void solve_positions(FlatStep& flat, int sweeps);
  // Changes v_t1 such that pairs that were pushed do not approach each other, and part after an impact.
  void solve_velocities(FlatStep& flat, int sweeps);
  // For the next of several short steps that have these contacts in common: nothing was pushed in it yet.
  void begin_short_step();

  // Contacts of a body with what does not give way (obstacles, pins) can act within its prediction. Their indices; the
  // same in every short step.
  std::vector<std::size_t> with_obstacles(BodyId body, const FlatStep& flat) const;
  // One of them, as that prediction takes it. x_t1 of the other side is where it ends; x_t0 and v_t1 of the body where
  // it starts. Nothing: they are too far apart to touch in this short step.
  std::optional<SurfaceConstraint> half_space(std::size_t contact, BodyId body, const FlatStep& flat) const;
  // What it did (N s, on the body).
  void hold(std::size_t contact, BodyId body, const Vec3& impulse);

  // All impulses so far.
  std::vector<Impact> impacts() const;

 private:
  bool make(const Contact& contact, const FlatStep& flat, ContactConstraint& made) const;
  std::vector<ContactConstraint*> active(const FlatStep& flat);

  const Step& step_;
  ResolverSettings settings_;
  std::vector<ContactConstraint> constraints_;
  std::vector<Contact> contacts_;  // what each was made of; apart, because sweeps do not need it
};

}  // namespace pliant
