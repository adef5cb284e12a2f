#include "pliant/response/kept_out.h"

#include <algorithm>
#include <cmath>

#include "pliant/geometry/distance.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Above the surface where particles are put: of how far they were inside, and of how large coordinates are there.
constexpr double kLiftOfDepth = 1e-6, kLiftOfPlace = 1e-12;
// A particle in a wedge between obstacles is put from one onto the other; after so many it goes back where it was.
constexpr int kTurns = 8;

double size_of(const Vec3& p) { return p.cwiseAbs().maxCoeff(); }

struct WayOut {
  FaceId face;
  Vec3 point = Vec3::Zero();   // of the surface
  Vec3 normal = Vec3::Zero();  // unit, outwards
};

// Where the surface is nearest to p, which lies inside or not.
WayOut way_out(const ClosedSurface& surface, const Vec3& p, bool is_inside) {
  const NearestOnSurface nearest = surface.closest().find(p);
  const Vec3 there = is_inside ? Vec3(nearest.point - p) : Vec3(p - nearest.point);
  const double length = there.norm();
  // At a ridge the way itself is the direction; next to the surface only the face knows it.
  if (length > 1e-9 * size_of(p)) return {nearest.face, nearest.point, there / length};
  const PosedMesh& mesh = surface.closest().mesh();
  const Vec3& a = mesh.corner(nearest.face, 0);
  const Vec3 normal = (mesh.corner(nearest.face, 1) - a).cross(mesh.corner(nearest.face, 2) - a).normalized();
  return {nearest.face, nearest.point, normal.dot(there) < 0 ? Vec3(-normal) : normal};
}

// Of a particle that is inside, and was elsewhere before.
WayOut way_out(const ClosedSurface& surface, const Vec3& p, const Vec3& before) {
  const WayOut out = way_out(surface, p, true);
  if (surface.locate(before) == PointSide::inside) return out;
  const WayOut back = way_out(surface, before, false);
  return back.normal.dot(out.normal) < 0 ? back : out;
}

// The particle against the surface there.
Contact contact_of(const FlatStep& flat, std::uint32_t slot, BodyId obstacle, const PosedMesh& mesh,
                   const WayOut& out) {
  const BodyId body = flat.body_at(slot);
  Contact contact;
  contact.a = {body, FeatureKind::vertex, slot - flat.first[body.index()]};
  contact.b = face_feature(obstacle, out.face);
  contact.wa = {1, 0, 0};
  const Triangle3 face(mesh.corner(out.face, 0), mesh.corner(out.face, 1), mesh.corner(out.face, 2));
  contact.wb = closest_points(out.point, face).weights_b;
  contact.point = out.point;
  contact.normal = out.normal;
  contact.relation = Relation::touching;
  return contact;
}

}  // namespace

double mean_edge_at_rest(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Edge& edge : mesh.topology().edges()) sum += (mesh.position(edge[0]) - mesh.position(edge[1])).norm();
  const std::size_t count = mesh.topology().edges().size();
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

KeptOut::KeptOut(std::span<const MeshPtr> meshes) {
  for (const MeshPtr& mesh : meshes) {
    is_closed_.push_back(mesh->face_count() > 0 && mesh->topology().boundary_edge_count() == 0);
    edge_.push_back(mean_edge_at_rest(*mesh));
  }
}

void KeptOut::find_obstacles(const FlatStep& flat) {
  for (std::uint32_t b = 0; b < is_closed_.size(); ++b) {
    if (!is_closed_[b] || !flat.is_obstacle[b]) continue;
    const std::span<const Vec3> x = flat.part(flat.x_t1, BodyId(b));
    auto known = std::find_if(obstacles_.begin(), obstacles_.end(), [b](const Obstacle& o) { return o.id.value == b; });
    if (known == obstacles_.end()) known = obstacles_.insert(known, Obstacle{.id = BodyId(b)});
    if (std::equal(x.begin(), x.end(), known->positions.begin(), known->positions.end())) continue;
    known->surface.reset();
    known->positions.assign(x.begin(), x.end());
    known->box = Aabb::of_points(x);
  }
}

bool KeptOut::is_inside(Obstacle& obstacle, const Step& step, const Vec3& p) const {
  if (!obstacle.box.contains(p)) return false;
  if (!obstacle.surface)
    obstacle.surface = ClosedSurface::make(PosedMesh(step.bodies[obstacle.id.index()].mesh, obstacle.positions));
  return obstacle.surface && obstacle.surface->locate(p) == PointSide::inside;
}

// False: it is outside all of them.
bool KeptOut::move_out_once(const Step& step, FlatStep& flat, std::uint32_t slot,
                            FunctionRef<bool(BodyId, BodyId)> wanted, std::vector<Impact>& impacts) {
  Vec3 &x = flat.x_t1[slot], &v = flat.v_t1[slot];
  bool was_inside = false;
  for (Obstacle& obstacle : obstacles_) {
    if (!is_inside(obstacle, step, x) || !wanted(flat.body_at(slot), obstacle.id)) continue;
    was_inside = true;
    const WayOut out = way_out(*obstacle.surface, x, flat.x_t0[slot]);
    const double depth = (out.point - x).norm(), most = edge_[flat.body[slot]];
    if (depth > most && obstacle.surface->locate(flat.x_t0[slot]) == PointSide::inside) {
      x += most / depth * (out.point - x);
      return false;
    }
    x = out.point + (kLiftOfDepth * depth + kLiftOfPlace * (1 + size_of(x))) * out.normal;
    const Contact contact = contact_of(flat, slot, obstacle.id, obstacle.surface->closest().mesh(), out);
    Vec3 against = Vec3::Zero();
    const Triangle& corners = step.bodies[obstacle.id.index()].mesh->triangle(out.face);
    for (std::size_t i = 0; i < 3; ++i) against += contact.wb[i] * flat.v_t1[flat.slot(obstacle.id, corners[i])];
    const double speed = out.normal.dot(v - against);
    if (!(speed < 0)) continue;
    v -= speed * out.normal;
    impacts.push_back({contact, -speed / flat.inverse_mass[slot] * out.normal});
  }
  return was_inside;
}

void KeptOut::move_out(const Step& step, FlatStep& flat, std::span<const std::uint32_t> slots,
                       FunctionRef<bool(BodyId, BodyId)> wanted, std::vector<Impact>& impacts) {
  find_obstacles(flat);
  if (obstacles_.empty()) return;
  std::vector<std::uint32_t> waiting(slots.begin(), slots.end());
  std::vector<bool> is_known(flat.size(), false);
  for (const std::uint32_t slot : slots) is_known[slot] = true;
  for (std::size_t k = 0; k < waiting.size(); ++k) {
    const std::uint32_t slot = waiting[k];
    if (!(flat.inverse_mass[slot] > 0) || flat.moves_as_one(slot)) continue;
    int turns = 0;
    while (turns < kTurns && move_out_once(step, flat, slot, wanted, impacts)) ++turns;
    if (turns == kTurns) flat.x_t1[slot] = flat.x_t0[slot];
    if (turns == 0 && k >= slots.size()) continue;
    const BodyId body = flat.body_at(slot);
    const MeshTopology& topology = step.bodies[body.index()].mesh->topology();
    const std::uint32_t base = flat.first[body.index()];
    for (const EdgeId e : topology.edges_of_vertex(VertexId(slot - base)))
      for (const VertexId end : topology.edge(e)) {
        if (is_known[base + end.value]) continue;
        is_known[base + end.value] = true;
        waiting.push_back(base + end.value);
      }
  }
}

}  // namespace pliant
