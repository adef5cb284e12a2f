#include "pliant/world/contained_bodies.h"

#include <algorithm>
#include <set>

#include "pliant/detect/inside.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/posed_mesh.h"
#include "pliant/mesh/topology.h"
#include "pliant/response/kept_out.h"

namespace pliant {
namespace {

// All vertices of `inner` the way that takes the one nearest to the surface out.
void push_out(const StepBody& inner, std::span<const Vec3> x, BodyId outer, const ClosedSurface& surface, double most,
              std::vector<Contact>& contacts) {
  NearestOnSurface nearest = surface.closest().find(x[0]);
  Vec3 from = x[0];
  for (const Vec3& p : x) {
    const NearestOnSurface at = surface.closest().find(p);
    if (!(at.distance < nearest.distance)) continue;
    nearest = at;
    from = p;
  }
  if (!(nearest.distance > 0)) return;
  const PosedMesh& mesh = surface.closest().mesh();
  Contact contact;
  contact.b = face_feature(outer, nearest.face);
  contact.wa = {1, 0, 0};
  const Triangle3 face(mesh.corner(nearest.face, 0), mesh.corner(nearest.face, 1), mesh.corner(nearest.face, 2));
  contact.wb = closest_points(from, face).weights_b;
  contact.point = nearest.point;
  contact.normal = (nearest.point - from) / nearest.distance;
  contact.depth = std::min(most, nearest.distance);
  contact.relation = Relation::crossing;
  for (std::uint32_t v = 0; v < x.size(); ++v) {
    contact.a = {inner.id, FeatureKind::vertex, v};
    contacts.push_back(contact);
  }
}

}  // namespace

ContainedBodies::ContainedBodies(std::span<const MeshPtr> meshes) {
  for (const MeshPtr& mesh : meshes) {
    closed_.push_back(mesh->face_count() > 0 && mesh->topology().boundary_edge_count() == 0);
    edge_.push_back(mean_edge_at_rest(*mesh));
  }
  kept_.resize(meshes.size());
}

const std::optional<ClosedSurface>& ContainedBodies::surface_of(const StepBody& outer, std::span<const Vec3> x) {
  Kept& kept = kept_[outer.id.index()];
  if (std::equal(x.begin(), x.end(), kept.positions.begin(), kept.positions.end())) return kept.surface;
  kept.surface.reset();
  kept.positions.assign(x.begin(), x.end());
  kept.surface = ClosedSurface::make(PosedMesh(outer.mesh, kept.positions));
  return kept.surface;
}

void ContainedBodies::add(const Step& step, const FlatStep& flat, FunctionRef<bool(BodyId, BodyId)> wanted,
                          Report& found) {
  std::vector<Aabb> boxes;
  for (const StepBody& body : step.bodies) boxes.push_back(Aabb::of_points(flat.part(flat.x_t1, body.id)));
  std::set<std::pair<BodyId, BodyId>> meeting;
  for (const Contact& contact : found.contacts) meeting.insert(std::minmax(contact.a.body, contact.b.body));
  for (const StepBody& outer : step.bodies) {
    if (!closed_[outer.id.index()]) continue;
    for (const StepBody& inner : step.bodies) {
      if (inner.id == outer.id || flat.is_obstacle[inner.id.index()]) continue;
      if (!boxes[outer.id.index()].contains(boxes[inner.id.index()]) || !wanted(inner.id, outer.id)) continue;
      if (meeting.contains(std::minmax(inner.id, outer.id))) continue;
      const std::optional<ClosedSurface>& surface = surface_of(outer, flat.part(flat.x_t1, outer.id));
      if (!surface) break;
      const std::span<const Vec3> x = flat.part(flat.x_t1, inner.id);
      if (surface->locate(x[0]) == PointSide::inside)
        push_out(inner, x, outer.id, *surface, edge_[inner.id.index()], found.contacts);
    }
  }
}

}  // namespace pliant
