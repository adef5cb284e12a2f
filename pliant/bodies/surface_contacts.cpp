#include "pliant/bodies/surface_contacts.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of one sub-step: what they leave open the next one goes on with.
constexpr int kContactSweeps = 4;
// Of the speed of a sub-step: smaller changes end the sweeps. (With 1e-3 a football gained 3 % of a drop of 3 cm.)
constexpr double kSettled = 1e-6;

// Of coordinates: what is lifted does not lie below its plane for whoever adds up the same numbers in another order.
constexpr double kHair = 4e-15;

using ConstNode = Eigen::Map<const Vec3>;
using Node = Eigen::Map<Vec3>;

template <class Contact>
inline Vec3 point_of(const Contact& c, std::span<const double> nodes, std::size_t part) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < c.count; ++k)
    sum += c.weight[k] * ConstNode(nodes.data() + gas::kNode * c.node[k] + part);
  return sum;
}

template <class Contact>
inline void push_point(const Contact& c, const Vec3& impulse, std::span<double> nodes, std::size_t part) {
  for (std::size_t k = 0; k < c.count; ++k)
    if (c.give[k] > 0) Node(nodes.data() + gas::kNode * c.node[k] + part) += c.give[k] * impulse;
}

}  // namespace

void SurfaceContacts::begin(std::span<const SurfaceConstraint> constraints, const GasLayout& layout,
                            std::span<const double> nodes, double seconds) {
  contacts_.clear();
  seconds_ = seconds;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const SurfaceConstraint& from = constraints[i];
    Contact c;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(from.weights[k] > 0)) continue;
      const std::size_t at = c.count++;
      c.node[at] = layout.node_of(from.vertices[k].index());
      c.weight[at] = from.weights[k];
      c.give[at] = c.weight[at] * nodes[gas::kNode * c.node[at] + 3];
      c.mobility += c.weight[at] * c.give[at];
    }
    if (!(c.mobility > 0)) continue;
    c.normal = from.normal;
    c.velocity = from.velocity;
    c.rise = from.normal.dot(from.velocity);
    c.plane = from.offset - c.rise * seconds;
    c.lacking = std::max(0.0, c.plane - c.normal.dot(point_of(c, nodes, 0)));
    c.friction = from.friction;
    c.index = static_cast<std::uint32_t>(i);
    contacts_.push_back(c);
  }
}

// Raises the push until the point has its least speed; it never pulls. Returns how much the velocity changed.
double SurfaceContacts::stop_one(Contact& c, std::span<double> nodes, double least) const {
  const double before = c.push;
  c.push = std::max(0.0, before + (least - c.normal.dot(point_of(c, nodes, gas::kVector))) / c.mobility);
  const double pushed = c.push - before;
  if (pushed != 0) push_point(c, pushed * c.normal, nodes, gas::kVector);
  if (c.friction == 0 || (c.push == 0 && c.drag == Vec3::Zero())) return std::abs(pushed) * c.mobility;
  const Vec3 slip = point_of(c, nodes, gas::kVector) - c.velocity;
  Vec3 drag = c.drag - (slip - c.normal.dot(slip) * c.normal) / c.mobility;
  const double length = drag.norm(), most = c.friction * c.push;
  if (length > most) drag *= most / length;
  push_point(c, drag - c.drag, nodes, gas::kVector);
  const double dragged = (drag - c.drag).norm();
  c.drag = drag;
  return std::max(std::abs(pushed), dragged) * c.mobility;
}

void SurfaceContacts::stop(std::span<double> nodes, double time, double h) {
  near_.clear();
  least_.clear();
  double speed = 0;
  for (std::uint32_t i = 0; i < contacts_.size(); ++i) {
    Contact& c = contacts_[i];
    c.push = 0;
    c.drag = Vec3::Zero();
    const double gap = c.normal.dot(point_of(c, nodes, 0)) - (c.plane + c.rise * time);
    const double least = c.rise - std::max(0.0, gap) / h;
    const double now = c.normal.dot(point_of(c, nodes, gas::kVector));
    // Pushes on its neighbours may bring what is near to its plane as well.
    if (now - least > 2 * std::abs(now - c.rise)) continue;
    near_.push_back(i);
    least_.push_back(least);
    speed = std::max(speed, std::abs(now - c.rise));
  }
  sweep_near(nodes, speed);
}

void SurfaceContacts::sweep_near(std::span<double> nodes, double speed) {
  for (int sweep = 0; sweep < kContactSweeps; ++sweep) {
    double changed = 0;
    for (std::size_t k = 0; k < near_.size(); ++k)
      changed = std::max(changed, stop_one(contacts_[near_[k]], nodes, least_[k]));
    if (changed <= kSettled * speed) break;
  }
  for (const std::uint32_t i : near_) {
    Contact& c = contacts_[i];
    c.impulse += c.push * c.normal + c.drag;
  }
}

void SurfaceContacts::settle(std::span<double> nodes) {
  near_.clear();
  least_.clear();
  double speed = 0;
  for (std::uint32_t i = 0; i < contacts_.size(); ++i) {
    Contact& c = contacts_[i];
    if (!(c.push > 0)) continue;
    c.push = 0;
    c.drag = Vec3::Zero();
    near_.push_back(i);
    least_.push_back(c.rise);
    speed = std::max(speed, std::abs(c.normal.dot(point_of(c, nodes, gas::kVector)) - c.rise));
  }
  sweep_near(nodes, speed);
}

void SurfaceContacts::lift(std::span<double> nodes, double time) {
  for (const Contact& c : contacts_) {
    const double plane = c.plane + c.rise * time - c.lacking * (1 - std::min(1.0, time / seconds_));
    const Vec3 point = point_of(c, nodes, 0);
    const double below = plane - c.normal.dot(point);
    if (!(below > 0)) continue;
    const double lifted = below + kHair * (std::abs(plane) + point.cwiseAbs().sum());
    push_point(c, lifted / c.mobility * c.normal, nodes, 0);
  }
}

bool SurfaceContacts::touches(std::uint32_t node) const {
  return std::any_of(contacts_.begin(), contacts_.end(), [node](const Contact& c) {
    return std::find(c.node.begin(), c.node.begin() + c.count, node) != c.node.begin() + c.count;
  });
}

void SurfaceContacts::forget_impulses() {
  for (Contact& c : contacts_) c.impulse = Vec3::Zero();
}

void SurfaceContacts::add_impulses(std::span<Vec3> impulses) const {
  for (const Contact& c : contacts_) impulses[c.index] += c.impulse;
}

}  // namespace pliant
