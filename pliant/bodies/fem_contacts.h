// Contacts of a FEM body inside its solver: forces on points of its surface, changed whenever one of their vertices
// was moved.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/point_contact.h"

namespace pliant {

class FemContacts {
 public:
  // For a step of `seconds` that ends `later` seconds before the time that the constraints are for.
  void begin(std::span<const SurfaceConstraint> constraints, double seconds, double later, std::span<const Vec3> x,
             std::span<const double> inverse_masses);

  bool empty() const { return points_.empty(); }
  std::span<const std::uint32_t> nodes() const { return touched_; }  // with contacts and finite mass, ascending
  // Of the nodes, by index: the inverse of the Hessian of everything but contacts.
  void set_compliance(std::size_t touched, const Eigen::Matrix3d& compliance) { compliance_[touched] = compliance; }
  const Eigen::Matrix3d& compliance(std::size_t touched) const { return compliance_[touched]; }

  // `moved`, 4 per node: the node stands where it would without contacts. Takes it to where their forces take it, then
  // solves each of them exactly, moving all of its vertices.
  void settle(std::size_t touched, float* moved);

  // For a solver of all nodes at once (rows of four per node): adds the forces on nodes; takes away what would move a
  // node off what it touches, or along it where it holds.
  void add_forces(float* rows) const;
  void keep_free(float* rows) const;
  void find_held();  // before keep_free(): which nodes touch and hold now
  // The same of nodes that other bodies push, by projectors to where they may go. Forgotten by begin().
  void hold_too(std::uint32_t node, const Eigen::Matrix3d& free_ways) { others_.push_back({node, free_ways}); }
  void forget_held() { others_.clear(); }

  double outer_work() const;                                          // J, of the other sides' motion
  Vec3 total_force() const;                                           // N, on the body
  void add_impulses(double seconds, std::span<Vec3> impulses) const;  // N s, by constraint
  // Shares out a force that the contacts must have exerted beyond what was found.
  void spread(const Vec3& force);

 private:
  struct Point {
    std::array<std::uint32_t, 3> touched{};  // indices of nodes(); `count` of them
    std::array<double, 3> weights{};
    std::uint32_t count = 0;
    PointLimit limit;
    Vec3 force = Vec3::Zero();  // N
  };
  void list_nodes(std::span<const SurfaceConstraint> constraints, std::span<const double> inverse_masses);
  void list_points_of_nodes();
  void solve(Point& point, float* moved);
  struct Held {
    std::uint32_t node = 0;
    Eigen::Matrix3d free;  // projector
  };
  Eigen::Matrix3d free_directions(std::size_t touched) const;
  bool pushes(std::size_t touched) const;
  bool is_pushed(std::uint32_t node) const;

  std::vector<Point> points_;           // by constraint
  std::vector<std::uint32_t> touched_;  // nodes
  std::vector<Eigen::Matrix3d> compliance_;
  std::vector<std::uint32_t> first_, list_;  // of each node: its points
  std::vector<Held> held_, others_;
};

}  // namespace pliant
