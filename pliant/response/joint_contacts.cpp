#include "pliant/response/joint_contacts.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of how far forces take a point: smaller changes are none.
constexpr double kUnchanged = 1e-3;
constexpr double kSettled = 0.01;
// Friction below this share of what it can be holds a point; above it is about to slide.
constexpr double kHolds = 0.999;
constexpr double kOneNormal = 1e-3;

}  // namespace

JointContacts::JointContacts(const ContactConstraints& constraints, ContactConstraints::Indices which,
                             const FlatStep& flat) {
  std::vector<std::uint32_t> near;
  for (const std::uint32_t k : which)
    if (constraints.may_touch(k, flat)) near.push_back(k);
  list_vertices(constraints, near, flat);
  for (const std::uint32_t k : near) add(constraints, k, flat);
  for (const Point& point : points_)
    for (std::uint32_t i = 0; i < point.count; ++i) vertices_[point.vertex[i]].force += point.weight[i] * point.force;
}

void JointContacts::list_vertices(const ContactConstraints& constraints, ContactConstraints::Indices which,
                                  const FlatStep& flat) {
  for (const std::uint32_t k : which) {
    const ContactConstraint& c = constraints.constraint(k);
    seconds_ = c.seconds;
    for (std::uint32_t i = 0; i < c.count; ++i)
      if (flat.inverse_mass[c.slot[i]] > 0) slots_.push_back(c.slot[i]);
  }
  std::sort(slots_.begin(), slots_.end());
  slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
  first_.assign(flat.first.size(), 0);
  for (const std::uint32_t slot : slots_) {
    const BodyId body = flat.body_at(slot);
    ++first_[body.index() + 1];
    vertices_.push_back({.vertex = VertexId(slot - flat.first[body.index()])});
  }
  for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
}

void JointContacts::add(const ContactConstraints& constraints, std::uint32_t which, const FlatStep& flat) {
  const ContactConstraint& c = constraints.constraint(which);
  Point point;
  point.contact = which;
  point.force = c.force;
  Vec3 start = c.other_t0, drift = Vec3::Zero();
  for (std::uint32_t i = 0; i < c.count; ++i) {
    start += c.weight[i] * flat.x_t0[c.slot[i]];
    if (!(flat.inverse_mass[c.slot[i]] > 0)) {  // a pin goes on with its velocity
      drift -= c.weight[i] * c.seconds * flat.v_t1[c.slot[i]];
      continue;
    }
    const auto at = std::lower_bound(slots_.begin(), slots_.end(), c.slot[i]) - slots_.begin();
    point.vertex[point.count] = static_cast<std::uint32_t>(at);
    point.weight[point.count++] = c.weight[i];
  }
  point.limit = {.normal = c.normal,
                 .gap = c.target - c.normal.dot(start) + c.normal.dot(drift),
                 .drift = drift,
                 .friction = c.friction};
  points_.push_back(point);
}

std::span<JointVertex> JointContacts::vertices(BodyId body) {
  return std::span(vertices_).subspan(first_[body.index()], first_[body.index() + 1] - first_[body.index()]);
}

// Returns by how much it moved the point, relative to what its force does.
double JointContacts::solve(Point& point) {
  Vec3 at = Vec3::Zero();
  for (std::uint32_t i = 0; i < point.count; ++i) at += point.weight[i] * vertices_[point.vertex[i]].moved;
  if (point.force == Vec3::Zero() && point.limit.normal.dot(at) >= point.limit.gap) return 0;
  const Vec3 force = contact_force(point.compliance, at - point.compliance * point.force, point.limit);
  const Vec3 change = force - point.force;
  const double before = std::sqrt(point.force.squaredNorm()), after = std::sqrt(force.squaredNorm());
  point.force = force;
  for (std::uint32_t i = 0; i < point.count; ++i) vertices_[point.vertex[i]].push(point.weight[i] * change);
  const double largest = std::max(before, after);
  return largest > 0 ? std::sqrt(change.squaredNorm()) / largest : 0;
}

void JointContacts::solve(int sweeps) {
  for (Point& point : points_) {
    point.compliance.setZero();
    for (std::uint32_t i = 0; i < point.count; ++i)
      point.compliance += point.weight[i] * point.weight[i] * vertices_[point.vertex[i]].compliance;
  }
  double largest = 0, changed_most = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double changed = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const std::size_t k = sweep % 2 == 0 ? i : points_.size() - 1 - i;
      const double ratio = solve(points_[k]);
      const double force = std::sqrt(points_[k].force.squaredNorm());
      largest = std::max(largest, force);
      changed = std::max(changed, ratio * force);
    }
    if (sweep == 0) changed_most = changed;
    if (changed <= kUnchanged * largest) break;
  }
  settled_ = changed_most <= kSettled * largest;
  find_free_ways();
}

// Normals of contacts that push are taken out one after the other; where friction holds a point, all directions are.
void JointContacts::find_free_ways() {
  for (JointVertex& one : vertices_) one.free_ways = Eigen::Matrix3d::Identity();
  for (const Point& point : points_) {
    if (point.force == Vec3::Zero()) continue;
    const double push = point.limit.normal.dot(point.force);
    const double drag = (point.force - push * point.limit.normal).norm();
    const bool holds = point.limit.friction > 0 && drag < kHolds * point.limit.friction * push;
    for (std::uint32_t i = 0; i < point.count; ++i) {
      Eigen::Matrix3d& free = vertices_[point.vertex[i]].free_ways;
      const Vec3 across = free * point.limit.normal;
      const double length_sq = across.squaredNorm();
      if (holds) free.setZero();
      else if (length_sq > kOneNormal * kOneNormal) free -= across * across.transpose() / length_sq;
    }
  }
}

void JointContacts::finish(ContactConstraints& constraints) const {
  for (const Point& point : points_) constraints.hold_jointly(point.contact, point.force);
}

}  // namespace pliant
