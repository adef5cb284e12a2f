// Contacts between bodies that all give way, while these are solved together in rounds (BodyModel::round).
//
// Between two rounds each contact is solved exactly with Coulomb friction, as one point against another that both give
// way as their vertices do while the neighbours stay (point_contact.h): a sweep of block descent on one potential, that
// of all bodies together. Both sides feel the same force to the last bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/joint_vertex.h"
#include "pliant/bodies/point_contact.h"
#include "pliant/response/contact_constraints.h"

namespace pliant {

class JointContacts {
 public:
  // Contacts `which` as they are at the beginning of a short step (x_t0 and v_t1 of `flat` are its start), without
  // those that are too far apart to touch in it. They start with the forces of the short step before.
  JointContacts(const ContactConstraints& constraints, ContactConstraints::Indices which, const FlatStep& flat);

  bool empty() const { return points_.empty(); }
  // Those of a body that contacts push; none: it is not to be solved with others.
  std::span<JointVertex> vertices(BodyId body);

  // Goes through all contacts so many times, there and back, until nothing changes.
  void solve(int sweeps);
  // Whether the last call moved no point by more than a little of what forces do.
  bool settled() const { return settled_; }
  // Hands over what the contacts did.
  void finish(ContactConstraints& constraints) const;

 private:
  struct Point {
    std::uint32_t contact = 0;
    std::array<std::uint32_t, 6> vertex{};  // indices of vertices_; `count` of them
    std::array<double, 6> weight{};         // those of b are negative
    std::uint32_t count = 0;
    PointLimit limit;
    Eigen::Matrix3d compliance = Eigen::Matrix3d::Zero();  // m/N, of its vertices as they give way in this round
    Vec3 force = Vec3::Zero();                             // N, on a
  };
  void list_vertices(const ContactConstraints& constraints, ContactConstraints::Indices which, const FlatStep& flat);
  void add(const ContactConstraints& constraints, std::uint32_t which, const FlatStep& flat);
  double solve(Point& point);
  void find_free_ways();

  std::vector<std::uint32_t> slots_;  // of the vertices, ascending
  std::vector<JointVertex> vertices_;
  std::vector<std::uint32_t> first_;  // by body, and one more
  std::vector<Point> points_;
  double seconds_ = 0;
  bool settled_ = true;
};

}  // namespace pliant
