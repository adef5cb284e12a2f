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
  ClosestPoints nearest;
  friend bool operator<(const FaceAt& x, const FaceAt& y) {
    return std::pair(x.nearest.distance, x.face) < std::pair(y.nearest.distance, y.face);
  }
};

FaceAt look_at(const Vec3& p, FaceId face, const TriangleMesh& mesh, std::span<const Vec3> x) {
  const Triangle& t = mesh.triangle(face);
  return {face, closest_points(p, Triangle3(x[t[0].index()], x[t[1].index()], x[t[2].index()]))};
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
  PiercedSurface out = from;
  out.face = best.face;
  for (std::size_t i = 0; i < 3; ++i) out.slot[i] = flat.slot(from.body, t[i]);
  out.weights = best.nearest.weights_b;
  out.point = best.nearest.b;
  const Vec3 way = best.nearest.b - p;
  out.normal = (b - a).cross(c - a).normalized();
  // Into a valley of the surface the nearest point is on an edge; elsewhere the way is along the normal anyway.
  const bool is_within = std::all_of(out.weights.begin(), out.weights.end(), [](double w) { return w > 0; });
  if (!is_within && best.nearest.distance > 1e-9 * (b - a).norm()) out.normal = way / best.nearest.distance;
  return out;
}

}  // namespace pliant
