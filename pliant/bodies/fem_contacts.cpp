#include "pliant/bodies/fem_contacts.h"

#include <algorithm>

namespace pliant {
namespace {

// Contacts that share a vertex settle among themselves in so many rounds.
constexpr int kRounds = 2;
// Friction below this fraction of what it can be holds a point; above it is about to slide.
constexpr double kHolding = 0.999;
constexpr double kSameNormal = 1e-3;

Vec3 displacement(const float* row) { return {row[0], row[1], row[2]}; }
void add_to(float* row, const Vec3& change) {
  for (int k = 0; k < 3; ++k) row[k] = static_cast<float>(static_cast<double>(row[k]) + change[k]);
}

}  // namespace

void FemContacts::list_nodes(std::span<const SurfaceConstraint> constraints, std::span<const double> inverse_masses) {
  touched_.clear();
  for (const SurfaceConstraint& c : constraints)
    for (std::size_t k = 0; k < 3; ++k)
      if (c.weights[k] > 0 && inverse_masses[c.vertices[k].index()] > 0) touched_.push_back(c.vertices[k].value);
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
}

void FemContacts::begin(std::span<const SurfaceConstraint> constraints, double seconds, double later,
                        std::span<const Vec3> x, std::span<const double> inverse_masses) {
  points_.clear();
  others_.clear();
  list_nodes(constraints, inverse_masses);
  compliance_.clear();
  // Until a node was visited: that of its inertia.
  for (const std::uint32_t node : touched_)
    compliance_.push_back(seconds * seconds * inverse_masses[node] * Eigen::Matrix3d::Identity());
  for (const SurfaceConstraint& c : constraints) {
    Point point;
    Vec3 start = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t node = c.vertices[k].index();
      if (!(c.weights[k] > 0)) continue;
      start += c.weights[k] * x[node];
      if (!(inverse_masses[node] > 0)) continue;
      const auto at = std::lower_bound(touched_.begin(), touched_.end(), c.vertices[k].value) - touched_.begin();
      point.touched[point.count] = static_cast<std::uint32_t>(at);
      point.weights[point.count++] = c.weights[k];
    }
    point.limit = {.normal = c.normal,
                   .gap = c.offset - later * c.normal.dot(c.velocity) - c.normal.dot(start),
                   .drift = seconds * c.velocity,
                   .friction = c.friction};
    points_.push_back(point);
  }
  list_points_of_nodes();
}

void FemContacts::list_points_of_nodes() {
  first_.assign(touched_.size() + 1, 0);
  for (const Point& point : points_)
    for (std::uint32_t k = 0; k < point.count; ++k) ++first_[point.touched[k] + 1];
  for (std::size_t i = 0; i < touched_.size(); ++i) first_[i + 1] += first_[i];
  list_.resize(first_.back());
  std::vector<std::uint32_t> next = first_;
  for (std::uint32_t p = 0; p < points_.size(); ++p)
    for (std::uint32_t k = 0; k < points_[p].count; ++k) list_[next[points_[p].touched[k]]++] = p;
}

void FemContacts::settle(std::size_t touched, float* moved) {
  const std::span<const std::uint32_t> own =
      std::span(list_).subspan(first_[touched], first_[touched + 1] - first_[touched]);
  Vec3 force = Vec3::Zero();
  for (const std::uint32_t p : own) {
    const Point& point = points_[p];
    for (std::uint32_t k = 0; k < point.count; ++k)
      if (point.touched[k] == touched) force += point.weights[k] * point.force;
  }
  if (force != Vec3::Zero()) add_to(moved + 4 * std::size_t{touched_[touched]}, compliance_[touched] * force);
  for (int round = 0; round < (own.size() > 1 ? kRounds : 1); ++round)
    for (const std::uint32_t p : own) solve(points_[p], moved);
}

void FemContacts::solve(Point& point, float* moved) {
  Vec3 at = Vec3::Zero();
  for (std::uint32_t k = 0; k < point.count; ++k)
    at += point.weights[k] * displacement(moved + 4 * std::size_t{touched_[point.touched[k]]});
  const bool pushes = point.force != Vec3::Zero();
  if (!pushes && point.limit.normal.dot(at) >= point.limit.gap) return;
  Eigen::Matrix3d compliance = Eigen::Matrix3d::Zero();
  for (std::uint32_t k = 0; k < point.count; ++k)
    compliance += point.weights[k] * point.weights[k] * compliance_[point.touched[k]];
  if (point.count == 0) return;
  const Vec3 force = contact_force(compliance, at - compliance * point.force, point.limit);
  const Vec3 change = force - point.force;
  point.force = force;
  for (std::uint32_t k = 0; k < point.count; ++k)
    add_to(moved + 4 * std::size_t{touched_[point.touched[k]]},
           point.weights[k] * (compliance_[point.touched[k]] * change));
}

void FemContacts::add_forces(float* rows) const {
  for (const Point& point : points_)
    for (std::uint32_t k = 0; k < point.count; ++k)
      add_to(rows + 4 * std::size_t{touched_[point.touched[k]]}, point.weights[k] * point.force);
}

// Normals of contacts that push, made orthogonal one after the other; all directions where friction holds.
Eigen::Matrix3d FemContacts::free_directions(std::size_t touched) const {
  Eigen::Matrix3d free = Eigen::Matrix3d::Identity();
  for (std::size_t i = first_[touched]; i < first_[touched + 1]; ++i) {
    const Point& point = points_[list_[i]];
    if (point.force == Vec3::Zero()) continue;
    const double push = point.limit.normal.dot(point.force);
    const double drag = (point.force - push * point.limit.normal).norm();
    if (point.limit.friction > 0 && drag < kHolding * point.limit.friction * push) return Eigen::Matrix3d::Zero();
    const Vec3 across = free * point.limit.normal;
    const double length = across.norm();
    if (length > kSameNormal) free -= across * across.transpose() / (length * length);
  }
  return free;
}

bool FemContacts::pushes(std::size_t touched) const {
  bool pushed = false;
  for (std::size_t i = first_[touched]; i < first_[touched + 1]; ++i)
    pushed = pushed || points_[list_[i]].force != Vec3::Zero();
  return pushed;
}

bool FemContacts::is_pushed(std::uint32_t node) const {
  const auto at = std::lower_bound(touched_.begin(), touched_.end(), node);
  return at != touched_.end() && *at == node && pushes(static_cast<std::size_t>(at - touched_.begin()));
}

void FemContacts::find_held() {
  held_ = others_;
  for (Held& other : held_)  // what is held from both sides is held in all ways
    if (is_pushed(other.node)) other.free = Eigen::Matrix3d::Zero();
  for (std::size_t t = 0; t < touched_.size(); ++t) {
    if (pushes(t)) held_.push_back({touched_[t], free_directions(t)});
  }
}

void FemContacts::keep_free(float* rows) const {
  for (const Held& held : held_) {
    float* const row = rows + 4 * std::size_t{held.node};
    const Vec3 kept = held.free * displacement(row);
    for (int k = 0; k < 3; ++k) row[k] = static_cast<float>(kept[k]);
  }
}

double FemContacts::outer_work() const {
  double sum = 0;
  for (const Point& point : points_) sum += point.force.dot(point.limit.drift);
  return sum;
}

Vec3 FemContacts::total_force() const {
  Vec3 sum = Vec3::Zero();
  for (const Point& point : points_) {
    double weight = 0;
    for (std::uint32_t k = 0; k < point.count; ++k) weight += point.weights[k];
    sum += weight * point.force;
  }
  return sum;
}

void FemContacts::spread(const Vec3& force) {
  double sum = 0;
  for (const Point& point : points_) sum += point.force.norm();
  if (!(sum > 0)) return;
  for (Point& point : points_) point.force += (point.force.norm() / sum) * force;
}

void FemContacts::add_impulses(double seconds, std::span<Vec3> impulses) const {
  for (std::size_t i = 0; i < points_.size(); ++i) impulses[i] += seconds * points_[i].force;
}

}  // namespace pliant
