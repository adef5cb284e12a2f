#include "pliant/detect/moving/swept_hit.h"

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/detect/feature_vertices.h"

namespace pliant {
namespace {

FeatureVertices point_on_a(const SweptBody& body, const SweptHit& hit) {
  const bool vertex = hit.a.kind == FeatureKind::vertex;
  return vertices_of(hit.a, *body.mesh, vertex ? Weights{1, 0, 0} : Weights{1 - hit.result.u, hit.result.u, 0});
}

FeatureVertices point_on_b(const SweptBody& body, const SweptHit& hit) {
  const double u = hit.result.u, v = hit.result.v;
  const bool face = hit.b.kind == FeatureKind::face;
  return vertices_of(hit.b, *body.mesh, face ? Weights{std::max(0.0, 1 - u - v), u, v} : Weights{1 - v, v, 0});
}

// A feature's corners at the contact, the point on it, and how far that point goes in the whole segment.
struct Moment {
  std::array<Vec3, 3> corner;
  Vec3 point = Vec3::Zero();
  Vec3 motion = Vec3::Zero();
};

Moment at_contact(const SweptBody& body, const FeatureVertices& at, double t) {
  Moment moment;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Vec3& x_t0 = body.x_t0.positions()[at.vertex[i].index()];
    const Vec3& x_t1 = body.x_t1.positions()[at.vertex[i].index()];
    moment.corner[i] = (1 - t) * x_t0 + t * x_t1;
    moment.point += at.weights[i] * moment.corner[i];
    moment.motion += at.weights[i] * (x_t1 - x_t0);
  }
  return moment;
}

Vec3 direction(const Vec3& from, const Vec3& to) { return (to - from).stableNormalized(); }

Vec3 feature_normal(const SweptHit& hit, const Moment& a, const Moment& b) {
  const bool face = hit.b.kind == FeatureKind::face;
  const Vec3 one = face ? direction(b.corner[0], b.corner[2]) : direction(a.corner[0], a.corner[1]);
  const Vec3 normal = direction(b.corner[0], b.corner[1]).cross(one);
  return normal.norm() > 1e-12 ? Vec3(normal.normalized()) : Vec3::Zero();
}

Vec3 contact_normal(const SweptHit& hit, const Moment& a, const Moment& b) {
  Vec3 approach = direction(a.motion, b.motion);  // of b towards a
  if (hit.result.initial || !approach.allFinite()) return Vec3::Zero();
  const Vec3 normal = feature_normal(hit, a, b);
  if (!normal.allFinite()) return Vec3::Zero();
  if (normal == Vec3::Zero()) return approach;
  const double side = normal.dot(approach);
  return side == 0 ? Vec3::Zero() : Vec3(side > 0 ? normal : -normal);
}

struct Meeting {
  FeatureVertices on_a, on_b;
  Moment a, b;
};

Meeting meeting(const SweptQuery& query, const SweptHit& hit) {
  const SweptBody& body_a = query.bodies[hit.body_a];
  const SweptBody& body_b = query.bodies[hit.body_b];
  const double t = hit.result.t_lo + 0.5 * (hit.result.t_hi - hit.result.t_lo);
  const FeatureVertices a = point_on_a(body_a, hit), b = point_on_b(body_b, hit);
  return {a, b, at_contact(body_a, a, t), at_contact(body_b, b, t)};
}

// Corners in the order of the mesh.
std::size_t add_corners(const SweptBody& body, const Feature& f, std::size_t at, CcdQuery& points) {
  for (const VertexId v : vertices_of(f, *body.mesh)) {
    points.x_t0[at] = body.x_t0.positions()[v.index()];
    points.x_t1[at++] = body.x_t1.positions()[v.index()];
  }
  return at;
}

bool meets_only_at_end(const PairMotion& pair, const CcdOptions& options) {
  const auto in = [&](Interval span) { return pair_ccd(pair.kind, pair.points, options, span).status; };
  return in({1, 1}) != CcdStatus::none && in({0, std::nextafter(1.0, 0.0)}) == CcdStatus::none;
}

}  // namespace

PairMotion motion_of(const SweptQuery& query, const SweptHit& hit) {
  PairMotion pair{hit.a.kind == FeatureKind::vertex ? CcdKind::vertex_face : CcdKind::edge_edge, {}};
  const std::size_t of_a = add_corners(query.bodies[hit.body_a], hit.a, 0, pair.points);
  add_corners(query.bodies[hit.body_b], hit.b, of_a, pair.points);
  return pair;
}

void decide_touch(const SweptQuery& query, SweptHit& hit) {
  if (!(query.min_separation > 0)) {
    hit.touches = hit.result.status == CcdStatus::hit;
    return;
  }
  if (query.initial_suffices && hit.result.initial) return;
  const PairMotion pair = motion_of(query, hit);
  const CcdResult touch = pair_ccd(pair.kind, pair.points, {});
  hit.touches = touch.status == CcdStatus::hit;
  if (!hit.touches) return;
  hit.touches_only_at_end = touch.t_hi >= 1 && meets_only_at_end(pair, {});
  if (!hit.result.initial || touch.initial) return;
  hit.result = touch;
  hit.time = query.time_at(touch.t_lo);
}

std::optional<SweptHit> without_end(const SweptQuery& query, const SweptHit& hit) {
  if (hit.result.t_hi < 1 && !hit.touches_only_at_end) return hit;
  const PairMotion pair = motion_of(query, hit);
  const CcdOptions options{.min_separation = query.min_separation};
  if (meets_only_at_end(pair, options)) return std::nullopt;
  if (!hit.touches_only_at_end) return hit;
  SweptHit near = hit;
  near.touches = near.touches_only_at_end = false;
  near.result = pair_ccd(pair.kind, pair.points, options);
  near.time = query.time_at(near.result.t_lo);
  return near;
}

Contact contact_of(const SweptQuery& query, const SweptHit& hit) {
  const Meeting m = meeting(query, hit);
  Contact contact;
  contact.time = hit.time;
  contact.a = hit.a;
  contact.b = hit.b;
  contact.wa = m.on_a.weights;
  contact.wb = m.on_b.weights;
  contact.point = 0.5 * m.a.point + 0.5 * m.b.point;
  contact.normal = contact_normal(hit, m.a, m.b);
  contact.relation = hit.touches ? Relation::touching : hit.is_certain() ? Relation::near : Relation::possible;
  contact.initial = hit.result.initial;
  return contact;
}

// The points at the contact lie on the features but for rounding: a few units in the last place of the coordinates.
double distance_bound(const SweptQuery& query, const SweptHit& hit) {
  if (hit.is_certain()) return query.min_separation;
  const Meeting m = meeting(query, hit);
  double size = 0;
  for (std::size_t i = 0; i < m.on_a.size(); ++i) size += m.a.corner[i].lpNorm<1>();
  for (std::size_t i = 0; i < m.on_b.size(); ++i) size += m.b.corner[i].lpNorm<1>();
  const double bound = (m.a.point - m.b.point).norm() + 0x1p-46 * size;
  return std::isfinite(bound) ? bound : std::numeric_limits<double>::infinity();
}

}  // namespace pliant
