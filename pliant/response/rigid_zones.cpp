#include "pliant/response/rigid_zones.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <map>

#include "pliant/bodies/body.h"
#include "pliant/detect/feature_vertices.h"

namespace pliant {
namespace {

Eigen::Matrix3d cross_matrix(const Vec3& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// Of a symmetric, positive semi-definite matrix; in directions that it does not reach, what is multiplied by this has
// no part either.
Eigen::Matrix3d inverse_of(const Eigen::Matrix3d& m) {
  const double trace = m.trace();
  if (!(trace > 0)) return Eigen::Matrix3d::Zero();
  return (m + 1e-12 * trace * Eigen::Matrix3d::Identity()).inverse();
}

}  // namespace

RigidZones::RigidZones(const Step& step, const FlatStep& flat)
    : step_(step), start_(flat), sets_(flat.size()), touched_(flat.size(), false) {}

// All vertices of an obstacle, or of a body that moves as one, are one: its first.
std::uint32_t RigidZones::anchor_of(std::uint32_t slot) const {
  const std::uint32_t body = start_.body[slot];
  return start_.is_obstacle[body] || start_.as_one[body] ? start_.first[body] : slot;
}

bool RigidZones::grow(std::span<const Contact> contacts) {
  bool grown = false;
  for (const Contact& contact : contacts) {
    std::optional<std::uint32_t> one;
    for (const Feature& f : {contact.a, contact.b}) {
      for (const VertexId v : vertices_of(f, *step_.bodies[f.body.index()].mesh)) {
        const std::uint32_t slot = anchor_of(start_.slot(f.body, v));
        touched_[slot] = true;
        if (!one) one = slot;
        if (sets_.root(*one) == sets_.root(slot)) continue;
        sets_.unite(*one, slot);
        grown = true;
      }
    }
  }
  return grown;
}

// Where an obstacle goes: the affine motion that fits its vertices best (exact if it moves as a rigid body).
RigidZones::Map RigidZones::map_of_anchor(std::uint32_t slot) const {
  Map map;
  const std::uint32_t body = start_.body[slot];
  if (!start_.is_obstacle[body]) {
    map.shift = start_.x_t1[slot] - start_.x_t0[slot];
    map.still = map.shift == Vec3::Zero();
    return map;
  }
  const StepBody& obstacle = step_.bodies[body];
  const std::span<const Vec3> x_t0 = obstacle.x_t0.positions();
  if (std::equal(x_t0.begin(), x_t0.end(), obstacle.x_t1.begin())) return map;
  Vec3 c0 = Vec3::Zero(), c1 = Vec3::Zero();
  for (std::size_t i = 0; i < x_t0.size(); ++i) {
    c0 += x_t0[i];
    c1 += obstacle.x_t1[i];
  }
  c0 /= static_cast<double>(x_t0.size());
  c1 /= static_cast<double>(x_t0.size());
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero(), mixed = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < x_t0.size(); ++i) {
    const Vec3 r = x_t0[i] - c0;
    moments += r * r.transpose();
    mixed += (obstacle.x_t1[i] - c1 - r) * r.transpose();
  }
  // In the plane of a flat obstacle only: across it, as it was.
  map.linear += mixed * inverse_of(moments);
  map.shift = c1 - map.linear * c0;
  map.still = false;
  return map;
}

// A body that moves as one is six particles with its mass, centre and inertia: with C the second moments about the
// centre and L L^T = C, they stand at +-sqrt(3 / M) times the columns of L from it.
void RigidZones::add_particles(BodyId id, std::span<const Vec3> x, std::span<const Vec3> v,
                               std::vector<Particle>& particles) const {
  const RigidMotion motion = *start_.as_one[id.index()]->rigid_motion(x, v);
  const Eigen::Matrix3d moments = motion.inertia.trace() / 2 * Eigen::Matrix3d::Identity() - motion.inertia;
  const Eigen::Matrix3d root = moments.llt().matrixL();
  for (int k = 0; k < 3; ++k)
    for (const double side : {-1.0, 1.0}) {
      const Vec3 arm = side * std::sqrt(3 / motion.mass) * root.col(k);
      particles.push_back({motion.mass / 6, motion.centre + arm, motion.velocity + motion.spin.cross(arm)});
    }
}

std::vector<RigidZones::Particle> RigidZones::particles_of(std::span<const std::uint32_t> slots,
                                                           const std::vector<Vec3>& x,
                                                           const std::vector<Vec3>& v) const {
  std::vector<Particle> particles;
  for (const std::uint32_t p : slots) {
    const BodyId id = start_.body_at(p);
    if (!start_.moves_as_one(p)) particles.push_back({1 / start_.inverse_mass[p], x[p], v[p]});
    else if (p == start_.first[id.index()]) add_particles(id, start_.part(x, id), start_.part(v, id), particles);
  }
  return particles;
}

// The rigid velocity field with the momentum and angular momentum that particles have: of all such fields it has the
// least energy.
RigidZones::Field RigidZones::united(std::span<const Particle> particles) {
  Field field;
  double mass = 0;
  for (const Particle& p : particles) {
    mass += p.mass;
    field.centre += p.mass * p.x;
    field.velocity += p.mass * p.v;
  }
  field.centre /= mass;
  field.velocity /= mass;
  Vec3 momentum = Vec3::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const Particle& p : particles) {
    const Vec3 r = p.x - field.centre;
    momentum += p.mass * r.cross(p.v);
    const Eigen::Matrix3d k = cross_matrix(r);
    inertia -= p.mass * k * k;
  }
  field.spin = inverse_of(inertia) * momentum;
  return field;
}

RigidZones::Map RigidZones::rigid_map(std::span<const std::uint32_t> slots) const {
  std::vector<Vec3> way(start_.size());
  for (const std::uint32_t p : slots) way[p] = start_.x_t1[p] - start_.x_t0[p];
  const Field field = united(particles_of(slots, start_.x_t0, way));
  const double turn = field.spin.norm();
  const double angle = std::min(turn, 1.0);  // far from half a turn, through which a straight way would collapse
  Map map;
  map.still = false;
  if (angle > 0) map.linear = Eigen::AngleAxisd(angle, field.spin / turn).toRotationMatrix();
  map.shift = field.centre + field.velocity - map.linear * field.centre;
  return map;
}

// Along the map; velocities those of an obstacle, which goes it in the whole step.
void RigidZones::carry(const Map& map, std::span<const std::uint32_t> slots, FlatStep& flat) {
  for (const std::uint32_t p : slots) {
    if (flat.inverse_mass[p] == 0) continue;
    // What stands still does so to the last bit.
    flat.x_t1[p] = map.still ? flat.x_t0[p] : Vec3(map.linear * flat.x_t0[p] + map.shift);
    flat.v_t1[p] = (flat.x_t1[p] - flat.x_t0[p]) / flat.seconds;
  }
}

// Not the way over the time: what bounced within the step goes slower at its end than on the average.
void RigidZones::unite_velocities(std::span<const std::uint32_t> slots, FlatStep& flat) const {
  const Field field = united(particles_of(slots, flat.x_t1, flat.v_t1));
  for (const std::uint32_t p : slots) flat.v_t1[p] = field.velocity + field.spin.cross(flat.x_t1[p] - field.centre);
}

std::optional<std::pair<BodyId, BodyId>> RigidZones::move(FlatStep& flat) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> zones;
  for (std::uint32_t p = 0; p < touched_.size(); ++p) {
    if (!touched_[p]) continue;
    const std::uint32_t body = start_.body[p], end = start_.as_one[body] ? start_.first[body + 1] : p + 1;
    for (std::uint32_t one = p; one < end; ++one) zones[sets_.root(p)].push_back(one);
  }
  zone_count_ = zones.size();
  for (const auto& [root, slots] : zones) {
    std::optional<Map> map;
    std::uint32_t anchor = 0;
    for (const std::uint32_t p : slots) {
      if (flat.inverse_mass[p] != 0) continue;
      const Map its = map_of_anchor(p);
      if (map && !(*map == its)) return std::pair(flat.body_at(anchor), flat.body_at(p));
      map = its;
      anchor = p;
    }
    if (map) {
      carry(*map, slots, flat);
      continue;
    }
    const Map rigid = rigid_map(slots);
    for (const std::uint32_t p : slots) flat.x_t1[p] = rigid.linear * flat.x_t0[p] + rigid.shift;
    unite_velocities(slots, flat);
  }
  return std::nullopt;
}

}  // namespace pliant
