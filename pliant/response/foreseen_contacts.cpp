#include "pliant/response/foreseen_contacts.h"

#include <algorithm>
#include <limits>

#include "pliant/geometry/distance.h"
#include "pliant/mesh/topology.h"
#include "pliant/response/pierced_particles.h"
#include "pliant/response/surface_walk.h"

namespace pliant {
namespace {

// Of the margin: what is nearer than this at the start touches already.
constexpr double kTouches = 2;

// Of a particle over a point of a face, along the face's normal.
struct Height {
  double over = 0;
  Vec3 normal = Vec3::Zero();
};
Height height(std::uint32_t particle, const std::array<std::uint32_t, 3>& face, const Weights& weights,
              const std::vector<Vec3>& x) {
  const Vec3 &a = x[face[0]], &b = x[face[1]], &c = x[face[2]];
  const Vec3 normal = (b - a).cross(c - a).normalized();
  return {normal.dot(x[particle] - (weights[0] * a + weights[1] * b + weights[2] * c)), normal};
}

// The edge between two vertices of a face.
EdgeId edge_between(const MeshTopology& topology, VertexId a, VertexId b) {
  for (const EdgeId e : topology.edges_of_vertex(a)) {
    const Edge& edge = topology.edge(e);
    if (edge[0] == b || edge[1] == b) return e;
  }
  return {};
}

}  // namespace

Contact timed(Contact contact, const Step& step, const FlatStep& flat, const StraightWays& ways) {
  const Triangle& t = step.bodies[contact.b.body.index()].mesh->triangle(FaceId(contact.b.id));
  const std::array<std::uint32_t, 3> face = {flat.slot(contact.b.body, t[0]), flat.slot(contact.b.body, t[1]),
                                             flat.slot(contact.b.body, t[2])};
  const std::uint32_t particle = flat.slot(contact.a.body, VertexId(contact.a.id));
  const Height start = height(particle, face, contact.wb, ways.x_t0),
               end = height(particle, face, contact.wb, ways.x_t1);
  const double side = end.normal.dot(contact.normal) < 0 ? -1 : 1;
  const double from = side * start.over, to = side * end.over;
  contact.time = 0;
  contact.depth = 0;
  contact.relation = Relation::near;
  contact.point = ways.x_t0[particle] - start.over * start.normal;
  if (from > kTouches * ways.margin && from > to)
    contact.time = std::clamp((from - ways.margin) / (from - to), 0.0, 1.0);
  if (from <= 0) {
    contact.depth = std::max(-from, std::numeric_limits<double>::min());
    contact.normal = side * start.normal;
  }
  return contact;
}

Foresight::Foresight(const Step& step, double margin) : step_(step), margin_(margin), swollen_(step) {
  ends_ = swollen_.x_t1;
  for (const StepBody& body : step.bodies)
    if (body.has_outside) swell(body, margin);
}

void Foresight::swell(const StepBody& body, double margin) {
  const std::span<Vec3> x = swollen_.part(swollen_.x_t1, body.id);
  std::vector<Vec3> normals(x.size(), Vec3::Zero());
  for (std::size_t f = 0; f < body.mesh->face_count(); ++f) {
    const Triangle& t = body.mesh->triangle(FaceId(f));
    const Vec3& a = x[t[0].index()];
    const Vec3 normal = (x[t[1].index()] - a).cross(x[t[2].index()] - a);
    for (const VertexId v : t) normals[v.index()] += normal;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double length = normals[i].norm();
    if (length > 0) x[i] += (margin / length) * normals[i];
  }
}

std::vector<Contact> Foresight::contacts(std::span<const Contact> crossing) const {
  std::vector<Contact> contacts;
  const PiercedParticles pierced = find_pierced(step_, swollen_, crossing);
  for (const PiercedParticle& particle : pierced.particles) {
    add_particle(particle.slot, particle.first, contacts);
    if (particle.second) add_particle(particle.slot, *particle.second, contacts);
  }
  for (const PiercedByEdge& edge : pierced.edges) add_edge(edge, contacts);
  for (const Contact& other : pierced.others)
    if (other.a.body != other.b.body) add_nearest_edges(other, contacts);
  return contacts;
}

void Foresight::add_particle(std::uint32_t slot, const PiercedSurface& found, std::vector<Contact>& contacts) const {
  const BodyId body = swollen_.body_at(slot);
  if (found.body == body || (swollen_.is_obstacle[found.body.index()] && !(swollen_.inverse_mass[slot] > 0))) return;
  const bool has_outside = step_.bodies[found.body.index()].has_outside;
  const PiercedSurface surface = has_outside ? walk_out(step_, swollen_, swollen_.x_t1[slot], found) : found;
  Contact contact;
  contact.a = {body, FeatureKind::vertex, slot - swollen_.first[body.index()]};
  contact.b = face_feature(surface.body, surface.face);
  contact.wa = {1, 0, 0};
  contact.wb = surface.weights;
  contact.normal = surface.normal;
  contacts.push_back(timed(contact, step_, swollen_, {swollen_.x_t0, ends_, margin_}));
}

// The edge against that of the nearest face which is nearest at the start.
void Foresight::add_edge(const PiercedByEdge& edge, std::vector<Contact>& contacts) const {
  const Vec3 p = (1 - edge.at) * swollen_.x_t1[edge.from] + edge.at * swollen_.x_t1[edge.to];
  const PiercedSurface surface = walk_out(step_, swollen_, p, edge.surface);
  const BodyId body = swollen_.body_at(edge.from);
  const std::uint32_t base = swollen_.first[body.index()];
  const VertexId from(edge.from - base), to(edge.to - base);
  add_nearest({body, {std::pair(from, to)}}, {surface.body, edges_of(surface.body, surface.face)}, contacts);
}

void Foresight::add_nearest_edges(const Contact& crossing, std::vector<Contact>& contacts) const {
  add_nearest({crossing.a.body, edges_of(crossing.a.body, FaceId(crossing.a.id))},
              {crossing.b.body, edges_of(crossing.b.body, FaceId(crossing.b.id))}, contacts);
}

std::vector<Foresight::Ends> Foresight::edges_of(BodyId body, FaceId face) const {
  const Triangle& t = step_.bodies[body.index()].mesh->triangle(face);
  return {{t[0], t[1]}, {t[1], t[2]}, {t[2], t[0]}};
}

void Foresight::add_nearest(const Edges& a, const Edges& b, std::vector<Contact>& contacts) const {
  const auto segment = [&](const Edges& of, const Ends& ends) {
    return Segment3{swollen_.x_t0[swollen_.slot(of.body, ends.first)],
                    swollen_.x_t0[swollen_.slot(of.body, ends.second)]};
  };
  ClosestPoints nearest;
  nearest.distance = kTouches * margin_;
  const Ends *of_a = nullptr, *of_b = nullptr;
  for (const Ends& one : a.edges)
    for (const Ends& other : b.edges) {
      const ClosestPoints between = closest_points(segment(a, one), segment(b, other));
      if (!(between.distance < nearest.distance)) continue;
      nearest = between;
      of_a = &one;
      of_b = &other;
    }
  if (!of_a || !(nearest.distance > 0)) return;
  const auto feature = [&](const Edges& of, const Ends& ends) {
    const MeshTopology& topology = step_.bodies[of.body.index()].mesh->topology();
    return Feature{of.body, FeatureKind::edge, edge_between(topology, ends.first, ends.second).value};
  };
  Contact contact;
  contact.a = feature(a, *of_a);
  contact.b = feature(b, *of_b);
  contact.wa = nearest.weights_a;
  contact.wb = nearest.weights_b;
  contact.point = nearest.b;
  contact.normal = (nearest.a - nearest.b) / nearest.distance;
  contact.relation = Relation::near;
  contacts.push_back(contact);
}

}  // namespace pliant
