#include "pliant/response/foreseen_contacts.h"

#include <algorithm>

#include "pliant/geometry/distance.h"
#include "pliant/mesh/topology.h"
#include "pliant/response/pierced_particles.h"
#include "pliant/response/surface_walk.h"

namespace pliant {
namespace {

// Of the margin: what is nearer than this at the start touches already.
constexpr double kTouches = 2;

Vec3 point_of(const PiercedSurface& surface, const std::vector<Vec3>& x) {
  return surface.weights[0] * x[surface.slot[0]] + surface.weights[1] * x[surface.slot[1]] +
         surface.weights[2] * x[surface.slot[2]];
}

// Along the normal of the face as it stands in `x`, to the side where the particle belongs.
double height(std::uint32_t particle, const PiercedSurface& surface, double side, const std::vector<Vec3>& x) {
  const Vec3& a = x[surface.slot[0]];
  const Vec3 normal = (x[surface.slot[1]] - a).cross(x[surface.slot[2]] - a).normalized();
  return side * normal.dot(x[particle] - point_of(surface, x));
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
  add_particles(crossing, contacts);
  return contacts;
}

void Foresight::add_particles(std::span<const Contact> crossing, std::vector<Contact>& contacts) const {
  const PiercedParticles pierced = find_pierced(step_, swollen_, crossing);
  for (const PiercedParticle& particle : pierced.particles) {
    for (const PiercedSurface* found : {&particle.first, particle.second ? &*particle.second : nullptr}) {
      if (!found || found->body == swollen_.body_at(particle.slot)) continue;
      if (swollen_.is_obstacle[found->body.index()] && !(swollen_.inverse_mass[particle.slot] > 0)) continue;
      const bool has_outside = step_.bodies[found->body.index()].has_outside;
      const Vec3& p = swollen_.x_t1[particle.slot];
      const PiercedSurface surface = has_outside ? walk_out(step_, swollen_, p, *found) : *found;
      const Vec3 &a = swollen_.x_t1[surface.slot[0]], &b = swollen_.x_t1[surface.slot[1]],
                 &c = swollen_.x_t1[surface.slot[2]];
      const double side = (b - a).cross(c - a).dot(surface.normal) < 0 ? -1 : 1;
      const double start = height(particle.slot, surface, side, swollen_.x_t0);
      const double end = height(particle.slot, surface, side, ends_);
      if (!(start > 0)) continue;
      const BodyId body = swollen_.body_at(particle.slot);
      Contact contact;
      contact.a = {body, FeatureKind::vertex, particle.slot - swollen_.first[body.index()]};
      contact.b = face_feature(surface.body, surface.face);
      contact.wa = {1, 0, 0};
      contact.wb = surface.weights;
      contact.point = point_of(surface, swollen_.x_t0);
      contact.normal = surface.normal;
      contact.relation = Relation::near;
      if (start > kTouches * margin_ && start > end)
        contact.time = std::clamp((start - margin_) / (start - end), 0.0, 1.0);
      contacts.push_back(contact);
    }
  }
  for (const Contact& other : pierced.others)
    if (other.a.body != other.b.body) add_edges(other, contacts);
}

// The two edges that are nearest at the start.
void Foresight::add_edges(const Contact& crossing, std::vector<Contact>& contacts) const {
  const TriangleMesh &mesh_a = *step_.bodies[crossing.a.body.index()].mesh,
                     &mesh_b = *step_.bodies[crossing.b.body.index()].mesh;
  const Triangle &a = mesh_a.triangle(FaceId(crossing.a.id)), &b = mesh_b.triangle(FaceId(crossing.b.id));
  const std::span<const Vec3> x_a = swollen_.part(swollen_.x_t0, crossing.a.body),
                              x_b = swollen_.part(swollen_.x_t0, crossing.b.body);
  ClosestPoints nearest;
  std::size_t of_a = 3, of_b = 3;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const ClosestPoints one =
          closest_points(Segment3{x_a[a[i].index()], x_a[a[(i + 1) % 3].index()]},
                         Segment3{x_b[b[j].index()], x_b[b[(j + 1) % 3].index()]});
      if (of_a < 3 && one.distance >= nearest.distance) continue;
      nearest = one;
      of_a = i;
      of_b = j;
    }
  if (!(nearest.distance > 0) || nearest.distance > kTouches * margin_) return;
  Contact contact;
  contact.a = {crossing.a.body, FeatureKind::edge,
               edge_between(mesh_a.topology(), a[of_a], a[(of_a + 1) % 3]).value};
  contact.b = {crossing.b.body, FeatureKind::edge,
               edge_between(mesh_b.topology(), b[of_b], b[(of_b + 1) % 3]).value};
  contact.wa = nearest.weights_a;
  contact.wb = nearest.weights_b;
  contact.point = nearest.b;
  contact.normal = (nearest.a - nearest.b) / nearest.distance;
  contact.relation = Relation::near;
  contacts.push_back(contact);
}

}  // namespace pliant
