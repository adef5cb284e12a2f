// Bodies that move as one, while contacts are solved: six numbers each instead of all vertices.
//
// An impulse J at a point with the arm r from the centre of mass moves a body of mass M and inertia I by J / M and
// turns it by I^-1 (r x J); a contact between points sees 1 / M + (r x n) . I^-1 (r x n) of it along its normal. Rows
// of vertices stay as they were until all is solved. Internal to response/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/response/contact_constraints.h"

namespace pliant {

class RigidMoves {
 public:
  // Adds what bodies that move as one contribute to the mobilities of these constraints. They outlive it.
  RigidMoves(std::span<ContactConstraint* const> constraints, const FlatStep& flat);

  bool empty() const { return bodies_.empty(); }
  // How much the points of constraint k were moved so far, weighted.
  Vec3 of(std::size_t k) const {
    return slot_.empty() || slot_[k] == kNone ? Vec3(Vec3::Zero()) : moved(sides_[slot_[k]]);
  }
  void push(std::size_t k, const Vec3& impulse) {
    if (!slot_.empty() && slot_[k] != kNone) push(sides_[slot_[k]], impulse);
  }
  // The impulse that moves them by `slip`, across the normal.
  Vec3 against(std::size_t k, const Vec3& slip) const {
    return slot_.empty() || slot_[k] == kNone ? Vec3(slip / constraints_[k]->mobility)
                                              : Vec3(sides_[slot_[k]].against * slip);
  }

  // Writes rows of vertices: positions, with velocities that fit them; or velocities.
  void move(FlatStep& flat) const;
  void speed_up(FlatStep& flat) const;

 private:
  static constexpr std::uint32_t kNone = ~0U;
  struct Body {
    BodyId id;
    RigidMotion motion;
    Eigen::Matrix3d inverse_inertia;
    Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();  // so far
  };
  // What a constraint has of up to two bodies.
  struct Sides {
    std::uint32_t body[2] = {kNone, kNone};
    double weight[2] = {0, 0};
    Vec3 arm[2] = {Vec3::Zero(), Vec3::Zero()};  // weighted
    Eigen::Matrix3d against;
  };
  Sides sides_of(const ContactConstraint& c, const FlatStep& flat);
  std::uint32_t body_of(BodyId id, const FlatStep& flat);
  Eigen::Matrix3d mobility_of(const Sides& sides) const;
  Vec3 moved(const Sides& sides) const;
  void push(const Sides& sides, const Vec3& impulse);

  std::span<ContactConstraint* const> constraints_;
  std::vector<std::uint32_t> slot_;  // by constraint: its sides; empty: nothing here moves as one
  std::vector<Sides> sides_;
  std::vector<Body> bodies_;
};

}  // namespace pliant
