#include "pliant/response/surface_walk.h"

#include <algorithm>

#include "pliant/geometry/distance.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// A walk over rings of faces gets a fraction of an edge nearer each time; longer ones are lost.
constexpr int kMostRings = 64;

struct FaceAt {
  FaceId face;
  double distance_sq;
  friend bool operator<(const FaceAt& x, const FaceAt& y) {
    return std::pair(x.distance_sq, x.face) < std::pair(y.distance_sq, y.face);
  }
};

double distance_sq_to_segment(const Vec3& from_a, const Vec3& along) {
  const double length_sq = along.squaredNorm();
  const double t = length_sq > 0 ? std::clamp(from_a.dot(along) / length_sq, 0.0, 1.0) : 0.0;
  return (from_a - t * along).squaredNorm();
}

// Good enough to tell which face is nearer, and several times as fast as closest_points().
double distance_sq(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, d = p - a;
  const double bb = ab.squaredNorm(), bc = ab.dot(ac), cc = ac.squaredNorm(), db = d.dot(ab), dc = d.dot(ac);
  const double area_sq = bb * cc - bc * bc, v = cc * db - bc * dc, w = bb * dc - bc * db;
  if (area_sq > 0 && v >= 0 && w >= 0 && v + w <= area_sq)
    return (d - (v / area_sq) * ab - (w / area_sq) * ac).squaredNorm();
  return std::min({distance_sq_to_segment(d, ab), distance_sq_to_segment(d, ac), distance_sq_to_segment(p - b, c - b)});
}

FaceAt look_at(const Vec3& p, FaceId face, const TriangleMesh& mesh, std::span<const Vec3> x) {
  const Triangle& t = mesh.triangle(face);
  return {face, distance_sq(p, x[t[0].index()], x[t[1].index()], x[t[2].index()])};
}

}  // namespace

PiercedSurface walk_out(const Step& step, const FlatStep& flat, const Vec3& p, const PiercedSurface& from) {
  const TriangleMesh& mesh = *step.bodies[from.body.index()].mesh;
  const std::span<const Vec3> x = flat.part(flat.x_t1, from.body);
  FaceAt best = look_at(p, from.face, mesh, x);
  for (int ring = 0; ring < kMostRings; ++ring) {
    FaceAt next = best;
    for (const VertexId corner : mesh.triangle(best.face))
      for (const FaceId face : mesh.topology().faces_of_vertex(corner))
        next = std::min(next, look_at(p, face, mesh, x));
    if (!(next < best)) break;
    best = next;
  }
  const Triangle& t = mesh.triangle(best.face);
  const Vec3 &a = x[t[0].index()], &b = x[t[1].index()], &c = x[t[2].index()];
  const ClosestPoints nearest = closest_points(p, Triangle3(a, b, c));
  PiercedSurface out = from;
  out.face = best.face;
  for (std::size_t i = 0; i < 3; ++i) out.slot[i] = flat.slot(from.body, t[i]);
  out.weights = nearest.weights_b;
  out.point = nearest.b;
  const Vec3 way = nearest.b - p;
  out.normal = (b - a).cross(c - a).normalized();
  // Into a valley of the surface the nearest point is on an edge; elsewhere the way is along the normal anyway.
  const bool is_within = std::all_of(out.weights.begin(), out.weights.end(), [](double w) { return w > 0; });
  if (!is_within && nearest.distance > 1e-9 * (b - a).norm()) out.normal = way.normalized();
  return out;
}

}  // namespace pliant
