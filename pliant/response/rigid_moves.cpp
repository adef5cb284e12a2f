#include "pliant/response/rigid_moves.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

namespace pliant {
namespace {

Eigen::Matrix3d crossed(const Vec3& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace

RigidMoves::RigidMoves(std::span<ContactConstraint* const> constraints, const FlatStep& flat)
    : constraints_(constraints) {
  if (std::none_of(constraints.begin(), constraints.end(), [](const ContactConstraint* c) { return c->is_rigid; }))
    return;
  slot_.assign(constraints.size(), kNone);
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    ContactConstraint& c = *constraints[k];
    if (!c.is_rigid) continue;
    Sides sides = sides_of(c, flat);
    double soft = 0;
    for (std::uint32_t i = 0; i < c.count; ++i) soft += c.weight[i] * c.weight_over_mass[i];
    const Eigen::Matrix3d all = soft * Eigen::Matrix3d::Identity() + mobility_of(sides);
    c.mobility = c.normal.dot(all * c.normal);
    const Eigen::Matrix3d along = c.normal * c.normal.transpose();
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - along;
    sides.against = across * (across * all * across + c.mobility * along).inverse() * across;
    slot_[k] = static_cast<std::uint32_t>(sides_.size());
    sides_.push_back(sides);
  }
}

std::uint32_t RigidMoves::body_of(BodyId id, const FlatStep& flat) {
  for (std::uint32_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].id == id) return b;
  Body body{id, *flat.as_one[id.index()]->rigid_motion(flat.part(flat.x_t1, id), flat.part(flat.v_t1, id)), {}};
  body.inverse_inertia = body.motion.inertia.inverse();
  bodies_.push_back(body);
  return static_cast<std::uint32_t>(bodies_.size() - 1);
}

RigidMoves::Sides RigidMoves::sides_of(const ContactConstraint& c, const FlatStep& flat) {
  Sides sides;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    if (!flat.moves_as_one(c.slot[i])) continue;
    const std::uint32_t body = body_of(flat.body_at(c.slot[i]), flat);
    const std::size_t side = sides.body[0] == kNone || sides.body[0] == body ? 0 : 1;
    sides.body[side] = body;
    sides.weight[side] += c.weight[i];
    sides.arm[side] += c.weight[i] * (flat.x_t1[c.slot[i]] - bodies_[body].motion.centre);
  }
  return sides;
}

Eigen::Matrix3d RigidMoves::mobility_of(const Sides& sides) const {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    if (sides.body[side] == kNone) continue;
    const Body& body = bodies_[sides.body[side]];
    const Eigen::Matrix3d arm = crossed(sides.arm[side]);
    sum += sides.weight[side] * sides.weight[side] / body.motion.mass * Eigen::Matrix3d::Identity() -
           arm * body.inverse_inertia * arm;
  }
  return sum;
}

Vec3 RigidMoves::moved(const Sides& sides) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    if (sides.body[side] == kNone) continue;
    const Body& body = bodies_[sides.body[side]];
    sum += sides.weight[side] * body.shift + body.turn.cross(sides.arm[side]);
  }
  return sum;
}

void RigidMoves::push(const Sides& sides, const Vec3& impulse) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (sides.body[side] == kNone) continue;
    Body& body = bodies_[sides.body[side]];
    body.shift += sides.weight[side] / body.motion.mass * impulse;
    body.turn += body.inverse_inertia * sides.arm[side].cross(impulse);
  }
}

void RigidMoves::move(FlatStep& flat) const {
  for (const Body& body : bodies_) {
    if (body.shift == Vec3::Zero() && body.turn == Vec3::Zero()) continue;
    const double angle = body.turn.norm();
    const Eigen::Matrix3d turn = angle > 0
                                     ? Eigen::AngleAxisd(std::min(angle, 1.0), body.turn / angle).toRotationMatrix()
                                     : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
    const Vec3 centre = body.motion.centre + body.shift;
    const std::span<Vec3> x = flat.part(flat.x_t1, body.id), v = flat.part(flat.v_t1, body.id);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3 arm = turn * (x[i] - body.motion.centre);
      x[i] = centre + arm;
      v[i] = body.motion.velocity + body.motion.spin.cross(arm);
    }
  }
}

void RigidMoves::speed_up(FlatStep& flat) const {
  for (const Body& body : bodies_) {
    if (body.shift == Vec3::Zero() && body.turn == Vec3::Zero()) continue;
    const std::span<const Vec3> x = flat.part(std::as_const(flat.x_t1), body.id);
    const std::span<Vec3> v = flat.part(flat.v_t1, body.id);
    const Vec3 velocity = body.motion.velocity + body.shift, spin = body.motion.spin + body.turn;
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = velocity + spin.cross(x[i] - body.motion.centre);
  }
}

}  // namespace pliant
