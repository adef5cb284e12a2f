#include "pliant/response/contact_constraints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "pliant/detect/feature_vertices.h"
#include "pliant/geometry/distance.h"

namespace pliant {
namespace {

// Two constraints of one pair with normals nearer than this (cosine) and weights nearer than that say the same.
constexpr double kSameDirection = 0.98;
constexpr double kSameWeight = 0.05;
// Of the separation: what is nearer than this meets.
constexpr double kMeeting = 1e-3;

// The four vertices of a contact: v f0 f1 f2, or a0 a1 b0 b1. Contacts of continuous methods are of these two kinds.
std::array<std::uint32_t, 4> places_of(const Contact& contact, const Step& step, const FlatStep& flat) {
  std::array<std::uint32_t, 4> places{};
  std::size_t count = 0;
  for (const Feature& f : {contact.a, contact.b})
    for (const VertexId v : vertices_of(f, *step.bodies[f.body.index()].mesh)) places[count++] = flat.place(f.body, v);
  return places;
}

ClosestPoints closest_at(const std::array<Vec3, 4>& x, bool is_face) {
  if (is_face) return closest_points(x[0], Triangle3{x[1], x[2], x[3]});
  return closest_points(Segment3{x[0], x[1]}, Segment3{x[2], x[3]});
}

std::array<double, 4> signed_weights(const ClosestPoints& near, bool is_face) {
  if (is_face) return {1, -near.weights_b[0], -near.weights_b[1], -near.weights_b[2]};
  return {near.weights_a[0], near.weights_a[1], -near.weights_b[0], -near.weights_b[1]};
}

inline Vec3 difference(const ContactConstraint& c, const std::vector<Vec3>& x) {
  return c.weight[0] * x[c.place[0]] + c.weight[1] * x[c.place[1]] + c.weight[2] * x[c.place[2]] +
         c.weight[3] * x[c.place[3]];
}

// x += sum over the vertices of w / m * impulse.
inline void apply(const ContactConstraint& c, const Vec3& impulse, const FlatStep& flat, std::vector<Vec3>& x) {
  for (std::size_t i = 0; i < 4; ++i) x[c.place[i]] += (c.weight[i] * flat.inverse_mass[c.place[i]]) * impulse;
}

Vec3 across(const Vec3& v, const Vec3& normal) { return v - normal.dot(v) * normal; }

Vec3 limited(const Vec3& v, double length) {
  const double norm = v.norm();
  return norm > length ? Vec3(v * (length / norm)) : v;
}

// Raises `push` until the gap has its value; it never pulls. Returns by how much.
double push_apart(const ContactConstraint& c, double lacking, double& push) {
  const double before = push;
  push = std::max(0.0, push + lacking / c.mobility);
  return push - before;
}

}  // namespace

bool ContactConstraints::make(const Contact& contact, const FlatStep& flat, ContactConstraint& c) const {
  const bool is_face = contact.kind() == ContactKind::vertex_face;
  c.place = places_of(contact, step_, flat);
  // What only comes near is still apart then: the direction between the two is well defined, on either side of a sheet.
  // What meets has no distance; its contact knows the side that it came from.
  std::array<Vec3, 4> x;
  for (std::size_t i = 0; i < 4; ++i)
    x[i] = flat.x_t0[c.place[i]] + contact.time * (flat.x_t1[c.place[i]] - flat.x_t0[c.place[i]]);
  const ClosestPoints near = closest_at(x, is_face);
  const bool apart = near.distance > kMeeting * settings_.separation;
  c.normal = apart ? Vec3((near.a - near.b) / near.distance) : contact.normal;
  c.weight = signed_weights(near, is_face);
  for (std::size_t i = 0; i < 4; ++i) c.mobility += c.weight[i] * c.weight[i] * flat.inverse_mass[c.place[i]];
  if (!(c.mobility > 0) || !c.normal.allFinite() || c.normal == Vec3::Zero()) return false;

  const Surface surface =
      between(step_.bodies[contact.a.body.index()].surface, step_.bodies[contact.b.body.index()].surface);
  c.friction = surface.friction;
  const double d = settings_.separation;
  c.target = contact.time > 0 ? d : std::min(d, near.distance + settings_.recovery * (d - near.distance));
  const double speed = -c.normal.dot(difference(c, flat.x_t1) - difference(c, flat.x_t0)) / flat.seconds;
  if (speed > settings_.rest_speed) c.speed = surface.restitution * speed;
  return true;
}

namespace {

bool say_the_same(const ContactConstraint& one, const ContactConstraint& other) {
  double apart = 0;
  for (std::size_t i = 0; i < 4; ++i) apart = std::max(apart, std::abs(other.weight[i] - one.weight[i]));
  return other.normal.dot(one.normal) > kSameDirection && apart < kSameWeight;
}

}  // namespace

// Contacts of one search are of different pairs: only constraints from before can be the same.
void ContactConstraints::add(std::span<const Contact> contacts, const FlatStep& flat) {
  using Pair = std::pair<Feature, Feature>;
  std::multimap<Pair, std::size_t> known;
  for (std::size_t i = 0; i < contacts_.size(); ++i) known.emplace(Pair(contacts_[i].a, contacts_[i].b), i);
  for (const Contact& contact : contacts) {
    ContactConstraint one;
    if (!make(contact, flat, one)) continue;
    const auto [begin, end] = known.equal_range({contact.a, contact.b});
    const auto same = [&](const auto& entry) { return say_the_same(constraints_[entry.second], one); };
    if (std::any_of(begin, end, same)) continue;
    constraints_.push_back(one);
    contacts_.push_back(contact);
  }
}

void ContactConstraints::begin_short_step() {
  for (ContactConstraint& c : constraints_) {
    c.push = 0;
    c.drag = Vec3::Zero();
    c.held = false;
  }
}

std::vector<std::size_t> ContactConstraints::with_obstacles(BodyId body, const FlatStep& flat) const {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const Contact& contact = contacts_[k];
    if (contact.a.body == contact.b.body || (contact.a.body != body && contact.b.body != body)) continue;
    const ContactConstraint& c = constraints_[k];
    bool gives_way = false;
    for (std::size_t i = 0; i < 4; ++i)
      gives_way = gives_way || (flat.body_at(c.place[i]) != body && flat.inverse_mass[c.place[i]] > 0);
    if (!gives_way) found.push_back(k);
  }
  return found;
}

std::optional<SurfaceConstraint> ContactConstraints::half_space(std::size_t contact, BodyId body,
                                                                const FlatStep& flat) const {
  const ContactConstraint& c = constraints_[contact];
  const double side = contacts_[contact].a.body == body ? 1 : -1;
  SurfaceConstraint half;
  half.normal = side * c.normal;
  half.friction = c.friction;
  Vec3 own = Vec3::Zero(), other = Vec3::Zero(), other_t0 = Vec3::Zero();
  std::size_t count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint32_t at = c.place[i];
    const double weight = side * c.weight[i];
    if (flat.body_at(at) == body) {
      if (weight <= 0) continue;
      half.vertices[count] = VertexId(at - flat.first[body.index()]);
      half.weights[count++] = weight;
      own += weight * (flat.x_t0[at] + flat.seconds * flat.v_t1[at]);
    } else {
      other -= weight * flat.x_t1[at];
      other_t0 -= weight * flat.x_t0[at];
    }
  }
  half.offset = c.target + half.normal.dot(other);
  half.velocity = (other - other_t0) / flat.seconds;
  if (half.normal.dot(own) > half.offset + settings_.separation) return std::nullopt;
  return half;
}

void ContactConstraints::hold(std::size_t contact, BodyId body, const Vec3& impulse) {
  ContactConstraint& c = constraints_[contact];
  c.impulse += contacts_[contact].a.body == body ? impulse : Vec3(-impulse);
  c.held = true;
}

// One that has not much more than its target, or had to be pushed before. Most contacts that come near in a step are
// not so at any one time, and sweeps are what all this costs.
std::vector<ContactConstraint*> ContactConstraints::active(const FlatStep& flat) {
  std::vector<ContactConstraint*> result;
  for (ContactConstraint& c : constraints_)
    if (c.push > 0 || c.normal.dot(difference(c, flat.x_t1)) < c.target + settings_.separation) result.push_back(&c);
  return result;
}

void ContactConstraints::solve_positions(FlatStep& flat, int sweeps) {
  const double enough = 1e-3 * settings_.separation;
  const std::vector<ContactConstraint*> constraints = active(flat);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double worst = 0;
    for (ContactConstraint* const one : constraints) {
      ContactConstraint& c = *one;
      const double lacking = c.target - c.normal.dot(difference(c, flat.x_t1));
      if (lacking <= 0 && c.push == 0) continue;
      worst = std::max(worst, lacking);
      apply(c, push_apart(c, lacking, c.push) * c.normal, flat, flat.x_t1);
      if (c.friction == 0) continue;
      const Vec3 slip = across(difference(c, flat.x_t1) - difference(c, flat.x_t0), c.normal);
      const Vec3 drag = limited(c.drag - slip / c.mobility, c.friction * c.push);
      apply(c, drag - c.drag, flat, flat.x_t1);
      c.drag = drag;
    }
    if (worst <= enough) return;
  }
}

void ContactConstraints::solve_velocities(FlatStep& flat, int sweeps) {
  struct Impulse {
    ContactConstraint* of;
    double push = 0;
    Vec3 drag = Vec3::Zero();
  };
  std::vector<Impulse> impulses;
  for (ContactConstraint& c : constraints_)
    if (c.push > 0 || (c.held && c.speed > 0)) impulses.push_back({&c});
  const double enough = 1e-3 * settings_.separation / flat.seconds;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double worst = 0;
    for (Impulse& impulse : impulses) {
      const ContactConstraint& c = *impulse.of;
      const double lacking = c.speed - c.normal.dot(difference(c, flat.v_t1));
      const double pushed = push_apart(c, lacking, impulse.push);
      worst = std::max(worst, std::abs(pushed) * c.mobility);
      apply(c, pushed * c.normal, flat, flat.v_t1);
      if (c.friction == 0) continue;
      const Vec3 slip = across(difference(c, flat.v_t1), c.normal);
      const Vec3 drag = limited(impulse.drag - slip / c.mobility, c.friction * impulse.push);
      apply(c, drag - impulse.drag, flat, flat.v_t1);
      impulse.drag = drag;
    }
    if (worst <= enough) break;
  }
  for (const Impulse& impulse : impulses) impulse.of->impulse += impulse.push * impulse.of->normal + impulse.drag;
}

std::vector<Impact> ContactConstraints::impacts() const {
  std::vector<Impact> impacts;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (constraints_[i].impulse == Vec3::Zero()) continue;
    impacts.push_back({contacts_[i], constraints_[i].impulse});
    impacts.back().contact.normal = constraints_[i].normal;
  }
  return impacts;
}

}  // namespace pliant
