#include "pliant/world/region_sides.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "pliant/core/rigid.h"
#include "pliant/detect/regions.h"
#include "pliant/detect/sphere_tree/sphere_tree_detector.h"
#include "pliant/mesh/topology.h"
#include "pliant/response/least_overlap.h"
#include "pliant/response/step.h"

namespace pliant {
namespace {

// Of large regions some points are enough: where they reach is seen better once they are opened.
constexpr std::size_t kMostPoints = 512;
constexpr std::size_t kMostWays = 32;

std::vector<VertexId> vertices_of(const std::vector<FaceId>& faces, const TriangleMesh& mesh) {
  std::vector<VertexId> vertices;
  for (const FaceId face : faces)
    for (const VertexId v : mesh.triangle(face)) vertices.push_back(v);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

// Evenly chosen.
template <class T>
std::vector<T> some_of(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

}  // namespace

RegionSides::RegionSides(const Detector& detector, bool as_spheres)
    : detector_(detector), spheres_(dynamic_cast<const SphereTreeDetector*>(&detector)), as_spheres_(as_spheres) {}

void RegionSides::begin(const Step& step, const FlatStep& flat) {
  step_ = &step;
  flat_ = &flat;
  ++stamp_;
  sides_.clear();
  if (!spheres_) shapes_.clear();  // regions may be others than those of the last detection
  points_.resize(step.bodies.size());
  for (const StepBody& body : step.bodies) {
    Points& all = points_[body.id.index()];
    const std::size_t count = detector_.body(body.id).mesh->vertex_count();
    all.points.resize(count);
    all.stamps.resize(count, 0);
    all.normal_stamps.resize(count, 0);
    if (!body.dense) continue;
    all.frames.resize(body.dense->links->triples().size());
    all.frame_stamps.resize(all.frames.size(), 0);
  }
}

const std::optional<LinkFrame>& RegionSides::frame_of(const StepBody& body, std::uint32_t triple) {
  Points& all = points_[body.id.index()];
  if (all.frame_stamps[triple] != stamp_) {
    all.frame_stamps[triple] = stamp_;
    all.frames[triple] = body.dense->links->frame_at(triple, flat_->part(flat_->x_t0, body.id));
  }
  return all.frames[triple];
}

CarriedPoint RegionSides::carried_point(const StepBody& body, VertexId v) {
  const std::span<const Vec3> own = flat_->part(flat_->x_t0, body.id);
  if (!body.dense) return {own[v.index()], Vec3::Zero(), {flat_->slot(body.id, v)}, {1, 0, 0}};
  const RigidLinks& links = *body.dense->links;
  const RigidLink& link = links.links()[v.index()];
  CarriedPoint point{Vec3::Zero(), Vec3::Zero(), {}, link.weights};
  for (std::size_t k = 0; k < 3; ++k) {
    const VertexId q = links.triples()[link.triple][k];
    point.row[k] = flat_->slot(body.id, q);
    point.x += link.weights[k] * own[q.index()];
  }
  // Where links have collapsed: the place that they hang on.
  if (const std::optional<LinkFrame>& frame = frame_of(body, link.triple)) point.x = links.position(v, own, *frame);
  return point;
}

const CarriedPoint& RegionSides::carried(BodyId body, VertexId v) {
  Points& all = points_[body.index()];
  if (all.stamps[v.index()] != stamp_) {
    all.stamps[v.index()] = stamp_;
    all.points[v.index()] = carried_point(step_->bodies[body.index()], v);
  }
  return all.points[v.index()];
}

Vec3 RegionSides::face_normal(BodyId body, FaceId face) {
  const Triangle& t = detector_.body(body).mesh->triangle(face);
  const Vec3 corner = carried(body, t[0]).x;
  return (carried(body, t[1]).x - corner).cross(carried(body, t[2]).x - corner);
}

const CarriedPoint& RegionSides::with_normal(BodyId body, VertexId v) {
  Points& all = points_[body.index()];
  if (all.normal_stamps[v.index()] == stamp_) return all.points[v.index()];
  all.normal_stamps[v.index()] = stamp_;
  carried(body, v);
  Vec3 sum = Vec3::Zero();
  if (step_->bodies[body.index()].has_outside)
    for (const FaceId face : detector_.body(body).mesh->topology().faces_of_vertex(v)) sum += face_normal(body, face);
  const double length = fixed_length(sum);
  all.points[v.index()].normal = length > 0 ? Vec3(sum / length) : Vec3::Zero();
  return all.points[v.index()];
}

const RegionSides::Shape& RegionSides::shape_of(const Feature& region) {
  const auto [at, is_new] = shapes_.try_emplace(region);
  if (!is_new) return at->second;
  const std::vector<FaceId> faces = detector_.region(region.body, region.id).faces;
  const std::vector<VertexId> vertices = vertices_of(faces, *detector_.body(region.body).mesh);
  at->second = {some_of(vertices, kMostPoints), some_of(faces, kMostWays), vertices.size()};
  return at->second;
}

RegionSides::Side RegionSides::make_side(const Feature& region) {
  Side side;
  if (as_spheres_) {
    side.given.nearest = nearest_row(region);
    return side;
  }
  const Shape& shape = shape_of(region);
  side.given.points.reserve(shape.vertices.size());
  side.places.reserve(shape.vertices.size());
  for (const VertexId v : shape.vertices) {
    side.given.points.push_back(carried(region.body, v));
    side.places.push_back(side.given.points.back().x);
  }
  side.given.part = static_cast<double>(shape.vertices.size()) / static_cast<double>(shape.vertex_count);
  if (!step_->bodies[region.body.index()].has_outside) return side;
  for (const FaceId face : shape.faces) {
    const Vec3 normal = face_normal(region.body, face);
    const double length = fixed_length(normal);
    if (length > 0) side.ways_out.emplace_back(normal / length);
  }
  return side;
}

void RegionSides::add_normals(const Feature& region, Side& side) {
  if (std::exchange(side.has_normals, true)) return;
  const Shape& shape = shape_of(region);
  for (std::size_t i = 0; i < shape.vertices.size(); ++i)
    side.given.points[i].normal = with_normal(region.body, shape.vertices[i]).normal;
}

// Of the vertices that the surface hangs on.
std::uint32_t RegionSides::nearest_row(const Feature& region) {
  if (spheres_) {
    const std::vector<VertexId> near = spheres_->near_vertices(region.body, region.id);
    if (!near.empty()) return flat_->slot(region.body, near[0]);
  }
  const Vec3 centre = detector_.region(region.body, region.id).centre;
  const std::vector<VertexId>& vertices = shape_of(region).vertices;
  const auto distance_sq = [&](VertexId v) { return (carried(region.body, v).x - centre).squaredNorm(); };
  const auto nearest = std::min_element(vertices.begin(), vertices.end(),
                                        [&](VertexId v, VertexId w) { return distance_sq(v) < distance_sq(w); });
  return carried(region.body, *nearest).row[0];
}

RegionSides::Side& RegionSides::side_of(const Feature& region) {
  const auto [at, is_new] = sides_.try_emplace(region);
  if (is_new) at->second = make_side(region);
  return at->second;
}

std::vector<RegionOverlap> RegionSides::overlaps(const Report& found, const Step& step, const FlatStep& flat) {
  begin(step, flat);
  std::vector<RegionOverlap> result;
  for (const UnresolvedPair& pair : found.cut) {
    const Contact contact = possible_contact(pair, 0);
    if (contact.a.body == contact.b.body || !(contact.depth > 0)) continue;
    Side &a = side_of(contact.a), &b = side_of(contact.b);
    Vec3 way_out = Vec3::Zero();
    if (!as_spheres_) {
      const std::optional<Overlap> overlap =
          least_overlap({a.places, a.ways_out}, {b.places, b.ways_out}, contact.normal);
      if (!overlap) continue;
      way_out = overlap->normal;
      add_normals(contact.a, a);
      add_normals(contact.b, b);
    }
    result.push_back({contact, way_out, &a.given, &b.given, pair.sphere_a.radius + pair.sphere_b.radius});
  }
  return result;
}

}  // namespace pliant
