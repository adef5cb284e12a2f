#include "pliant/response/rigid_zones.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <map>

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

// All vertices of an obstacle are one: its first.
std::uint32_t RigidZones::anchor_of(std::uint32_t place) const {
  const std::uint32_t body = start_.body[place];
  return start_.is_obstacle[body] ? start_.first[body] : place;
}

bool RigidZones::grow(std::span<const Contact> contacts) {
  bool grown = false;
  for (const Contact& contact : contacts) {
    std::optional<std::uint32_t> one;
    for (const Feature& f : {contact.a, contact.b}) {
      for (const VertexId v : vertices_of(f, *step_.bodies[f.body.index()].mesh)) {
        const std::uint32_t place = anchor_of(start_.place(f.body, v));
        touched_[place] = true;
        if (!one) one = place;
        if (sets_.root(*one) == sets_.root(place)) continue;
        sets_.unite(*one, place);
        grown = true;
      }
    }
  }
  return grown;
}

// Where an obstacle goes: the affine motion that fits its vertices best (exact if it moves as a rigid body).
RigidZones::Map RigidZones::map_of_anchor(std::uint32_t place) const {
  Map map;
  const std::uint32_t body = start_.body[place];
  if (!start_.is_obstacle[body]) {
    map.shift = start_.x_t1[place] - start_.x_t0[place];
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

RigidZones::Map RigidZones::rigid_map(std::span<const std::uint32_t> places) const {
  double mass = 0;
  Vec3 centre = Vec3::Zero(), shift = Vec3::Zero();
  for (const std::uint32_t p : places) {
    const double m = 1 / start_.inverse_mass[p];
    mass += m;
    centre += m * start_.x_t0[p];
    shift += m * (start_.x_t1[p] - start_.x_t0[p]);
  }
  centre /= mass;
  shift /= mass;
  Vec3 momentum = Vec3::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const std::uint32_t p : places) {
    const double m = 1 / start_.inverse_mass[p];
    const Vec3 r = start_.x_t0[p] - centre;
    momentum += m * r.cross(start_.x_t1[p] - start_.x_t0[p]);
    const Eigen::Matrix3d k = cross_matrix(r);
    inertia -= m * k * k;
  }
  const Vec3 turn = inverse_of(inertia) * momentum;
  const double angle = std::min(turn.norm(), 1.0);  // far from half a turn, through which a straight way would collapse
  Map map;
  map.still = false;
  if (angle > 0) map.linear = Eigen::AngleAxisd(angle, turn.normalized()).toRotationMatrix();
  map.shift = centre + shift - map.linear * centre;
  return map;
}

// Along the map; velocities those of an obstacle, which goes it in the whole step.
void RigidZones::carry(const Map& map, std::span<const std::uint32_t> places, FlatStep& flat) {
  for (const std::uint32_t p : places) {
    if (flat.inverse_mass[p] == 0) continue;
    // What stands still does so to the last bit.
    flat.x_t1[p] = map.still ? flat.x_t0[p] : Vec3(map.linear * flat.x_t0[p] + map.shift);
    flat.v_t1[p] = (flat.x_t1[p] - flat.x_t0[p]) / flat.seconds;
  }
}

// The rigid velocity field with the momentum and angular momentum that the vertices have: of all such fields it has the
// least energy. (Not the way over the time: what bounced within the step goes slower at its end than on the average.)
void RigidZones::unite_velocities(std::span<const std::uint32_t> places, FlatStep& flat) {
  double mass = 0;
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), momentum = Vec3::Zero();
  for (const std::uint32_t p : places) {
    const double m = 1 / flat.inverse_mass[p];
    mass += m;
    centre += m * flat.x_t1[p];
    velocity += m * flat.v_t1[p];
  }
  centre /= mass;
  velocity /= mass;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const std::uint32_t p : places) {
    const double m = 1 / flat.inverse_mass[p];
    const Vec3 r = flat.x_t1[p] - centre;
    momentum += m * r.cross(flat.v_t1[p]);
    const Eigen::Matrix3d k = cross_matrix(r);
    inertia -= m * k * k;
  }
  const Vec3 spin = inverse_of(inertia) * momentum;
  for (const std::uint32_t p : places) flat.v_t1[p] = velocity + spin.cross(flat.x_t1[p] - centre);
}

std::optional<std::pair<BodyId, BodyId>> RigidZones::move(FlatStep& flat) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> zones;
  for (std::uint32_t p = 0; p < touched_.size(); ++p)
    if (touched_[p]) zones[sets_.root(p)].push_back(p);
  zone_count_ = zones.size();
  for (const auto& [root, places] : zones) {
    std::optional<Map> map;
    std::uint32_t anchor = 0;
    for (const std::uint32_t p : places) {
      if (flat.inverse_mass[p] != 0) continue;
      const Map its = map_of_anchor(p);
      if (map && !(*map == its)) return std::pair(flat.body_at(anchor), flat.body_at(p));
      map = its;
      anchor = p;
    }
    if (map) {
      carry(*map, places, flat);
      continue;
    }
    const Map rigid = rigid_map(places);
    for (const std::uint32_t p : places) flat.x_t1[p] = rigid.linear * flat.x_t0[p] + rigid.shift;
    unite_velocities(places, flat);
  }
  return std::nullopt;
}

}  // namespace pliant
