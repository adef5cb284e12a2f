#include "pliant/response/touch_direction.h"

#include <cmath>
#include <utility>

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// A direction may lean this far (sine) over a face beside it: rounding.
constexpr double kLeaning = 1e-6;
// Less than this (cosine) from the plane of a face: beside the point.
constexpr double kGrazing = 0.1;
// A weight below this is none.
constexpr double kNoWeight = 1e-9;

// Zero for what has no direction.
Vec3 unit(const Vec3& v) {
  const double length = std::sqrt(v.squaredNorm());
  return length > 0 ? Vec3(v / length) : Vec3(Vec3::Zero());
}

// The sine by which a direction leans over a way along the surface; 0: it does not. Most do not, and cost no root.
double leaning_over(const Vec3& way, const Vec3& direction) {
  const double along = direction.dot(way);
  return along > 0 ? along / std::sqrt(way.squaredNorm()) : 0;
}

// The normal of a face on the side that `direction` is on.
Vec3 normal_towards(const SurfaceAtTime& surface, FaceId face, const Vec3& direction) {
  const Triangle& t = surface.mesh.triangle(face);
  const Vec3 a = surface.position(t[0]);
  const Vec3 n = unit((surface.position(t[1]) - a).cross(surface.position(t[2]) - a));
  const double cosine = n.dot(direction);
  if (std::abs(cosine) < kGrazing) return Vec3::Zero();
  return cosine > 0 ? n : Vec3(-n);
}

VertexId corner_opposite(const Triangle& t, const Edge& e) {
  for (const VertexId v : t)
    if (v != e[0] && v != e[1]) return v;
  return t[0];
}

Vec3 at_edge(const SurfaceAtTime& surface, EdgeId edge, const Vec3& direction) {
  const MeshTopology& topology = surface.mesh.topology();
  const Edge& e = topology.edge(edge);
  const Vec3 start = surface.position(e[0]);
  const Vec3 along = surface.position(e[1]) - start;
  const double length_sq = along.squaredNorm();
  FaceId leans_over;
  double farthest = kLeaning;
  for (const FaceId face : topology.faces_of_edge(edge)) {
    Vec3 side = surface.position(corner_opposite(surface.mesh.triangle(face), e)) - start;
    if (length_sq > 0) side -= side.dot(along) / length_sq * along;
    const double leaning = leaning_over(side, direction);
    if (leaning <= farthest) continue;
    farthest = leaning;
    leans_over = face;
  }
  return leans_over.valid() ? normal_towards(surface, leans_over, direction) : direction;
}

Vec3 at_vertex(const SurfaceAtTime& surface, VertexId vertex, const Vec3& direction) {
  const MeshTopology& topology = surface.mesh.topology();
  const Vec3 start = surface.position(vertex);
  EdgeId leans_over;
  double farthest = kLeaning;
  Vec3 along = Vec3::Zero();
  for (const EdgeId edge : topology.edges_of_vertex(vertex)) {
    const Edge& e = topology.edge(edge);
    const Vec3 way = surface.position(e[0] == vertex ? e[1] : e[0]) - start;
    const double leaning = leaning_over(way, direction);
    if (leaning <= farthest) continue;
    farthest = leaning;
    leans_over = edge;
    along = unit(way);
  }
  if (!leans_over.valid()) return direction;
  const Vec3 across = direction - farthest * along;
  const double cosine = std::sqrt(across.squaredNorm());
  return cosine < kGrazing ? Vec3(Vec3::Zero()) : at_edge(surface, leans_over, across / cosine);
}

// The corners of a feature that a point is made of.
Vec3 at_point_of_face(const SurfaceAtTime& surface, FaceId face, const Weights& weights, const Vec3& direction) {
  const Triangle& t = surface.mesh.triangle(face);
  std::size_t count = 0, last = 0, missing = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (weights[i] > kNoWeight) {
      ++count;
      last = i;
    } else {
      missing = i;
    }
  }
  if (count == 1) return at_vertex(surface, t[last], direction);
  if (count == 2) return at_edge(surface, surface.mesh.topology().face_edges(face)[missing], direction);
  return direction;
}

}  // namespace

Vec3 touch_direction(const SurfaceAtTime& surface, const Feature& feature, const Weights& weights,
                     const Vec3& direction) {
  if (feature.kind == FeatureKind::vertex) return at_vertex(surface, VertexId(feature.id), direction);
  if (feature.kind == FeatureKind::face) return at_point_of_face(surface, FaceId(feature.id), weights, direction);
  const Edge& e = surface.mesh.topology().edge(EdgeId(feature.id));
  if (weights[0] <= kNoWeight) return at_vertex(surface, e[1], direction);
  if (weights[1] <= kNoWeight) return at_vertex(surface, e[0], direction);
  return at_edge(surface, EdgeId(feature.id), direction);
}

Vec3 agreed_direction(const TouchedSide& a, const TouchedSide& b, const Vec3& normal, bool a_is_right) {
  constexpr double kAgree = 0.9;
  const Vec3 of_b = touch_direction(b.surface, b.feature, b.weights, normal);
  if (of_b == Vec3::Zero()) return of_b;
  const Vec3 of_a = -touch_direction(a.surface, a.feature, a.weights, -of_b);
  if (of_a == Vec3::Zero()) return of_a;
  if (of_a == of_b && of_b == normal) return normal;  // both allow it as it is
  const Vec3 again = touch_direction(b.surface, b.feature, b.weights, of_a);
  if (again.dot(of_a) > kAgree) return a_is_right ? of_a : again;
  return a_is_right ? Vec3(-touch_direction(a.surface, a.feature, a.weights, -normal)) : of_b;
}

ClosestPoints nearest_points(const std::array<Vec3, 4>& x, bool is_face) {
  if (is_face) return closest_points(x[0], Triangle3{x[1], x[2], x[3]});
  return closest_points(Segment3{x[0], x[1]}, Segment3{x[2], x[3]});
}

}  // namespace pliant
