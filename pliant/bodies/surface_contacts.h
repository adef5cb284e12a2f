// Half-spaces that points of a surface stay in, at every sub-step of an explicit method.
//
// Contacts that act only at the end of a step let a body spring back, free of them, within it, and push it in again at
// no cost. Here an impulse before each drift leaves a point just the speed that takes it to its plane, with Coulomb
// friction; it never adds energy. What lacks at the start is regained evenly over the step, without velocity.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/gas_layout.h"

namespace pliant {

class SurfaceContacts {
 public:
  // `nodes` as packed at the start of a step of `seconds`.
  void begin(std::span<const SurfaceConstraint> constraints, const GasLayout& layout, std::span<const double> nodes,
             double seconds);
  bool empty() const { return contacts_.empty(); }
  bool touches(std::uint32_t node) const;
  // Before a drift of h from `time` after the start: changes velocities.
  void stop(std::span<double> nodes, double time, double h);
  // After a drift that ended at `time`: changes positions.
  void lift(std::span<double> nodes, double time);
  // After the last kick: what was stopped before the last drift does not approach again. (Half a kick of gas at 60 kPa
  // takes the sole of a football that lies still to 1 m/s.)
  void settle(std::span<double> nodes);
  // Before a drift is tried again from the start.
  void forget_impulses();
  // N s, all so far, in the order of the constraints; adds to `impulses`.
  void add_impulses(std::span<Vec3> impulses) const;

 private:
  struct Contact {
    std::array<std::uint32_t, 3> node{};
    std::array<double, 3> weight{};
    std::array<double, 3> give{};  // weight / mass
    std::size_t count = 0;         // of nodes
    Vec3 normal;
    Vec3 velocity;        // of the other side
    double plane = 0;     // at the start, m along the normal
    double rise = 0;      // m/s, of the plane
    double lacking = 0;   // m, of the gap at the start
    double mobility = 0;  // 1/kg
    double friction = 0;
    std::uint32_t index = 0;
    // Of this sub-step.
    double push = 0;
    Vec3 drag = Vec3::Zero();
    // Of all.
    Vec3 impulse = Vec3::Zero();
  };
  void sweep_near(std::span<double> nodes, double speed);
  double stop_one(Contact& c, std::span<double> nodes, double least) const;

  std::vector<Contact> contacts_;
  std::vector<std::uint32_t> near_;  // those that may be reached in this sub-step
  std::vector<double> least_;        // m/s: their least speeds along the normal
  double seconds_ = 0;
};

}  // namespace pliant
