#include "pliant/world/smooth_edges.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Of the separation: by how much an edge of a sheet may come nearer to an edge of an obstacle than its ends do, and how
// near it may be without.
constexpr double kNearer = 0.5, kNear = 0.5;

Vec3 unit_normal(std::span<const Vec3> x, const Triangle& t) {
  const Vec3 n = (x[t[1].index()] - x[t[0].index()]).cross(x[t[2].index()] - x[t[0].index()]);
  const double length = std::sqrt(n.squaredNorm());
  return length > 0 ? Vec3(n / length) : Vec3(Vec3::Zero());
}

}  // namespace

void SmoothEdges::begin(const Step& step) {
  step_ = &step;
  for (const StepBody& body : step.bodies)
    if (settings_.obstacles[body.id.index()]) find_planes(body, planes_[body.id.index()]);
}

// A chord of length L across a bend of angle a, its ends on the faces, is at most L a / 4 below the bend.
void SmoothEdges::find_planes(const StepBody& body, Planes& planes) const {
  if (planes.stamp == body.x_t0.stamp()) return;
  planes.stamp = body.x_t0.stamp();
  const std::span<const Vec3> x = body.x_t0.positions();
  const MeshTopology& topology = body.mesh->topology();
  const double sine = 4 * kNearer * settings_.separation / settings_.longest;
  std::vector<Vec3> normals(body.mesh->face_count());
  for (std::size_t f = 0; f < normals.size(); ++f) normals[f] = unit_normal(x, body.mesh->triangle(FaceId(f)));
  planes.of_edge.assign(topology.edges().size(), {});
  for (std::size_t e = 0; e < planes.of_edge.size(); ++e) {
    const std::span<const FaceId> faces = topology.faces_of_edge(EdgeId(e));
    if (faces.size() != 2) continue;
    const Vec3 &one = normals[faces[0].index()], &other = normals[faces[1].index()];
    if (!(one.dot(other) > 0) || !(one.cross(other).squaredNorm() < sine * sine)) continue;
    const Vec3 mean = one + other;
    Plane& plane = planes.of_edge[e];
    const Edge& edge = topology.edge(EdgeId(e));
    const Vec3& start = x[edge[0].index()];
    plane.normal = mean / std::sqrt(mean.squaredNorm());
    plane.across = plane.normal.cross(x[edge[1].index()] - start);
    plane.offset = plane.normal.dot(start);
    plane.across_offset = plane.across.dot(start);
  }
}

// Edges that run across each other, and are near where they do. Of others a corner is nearer to a face.
bool SmoothEdges::is_needed(const Feature& of_obstacle, const Feature& of_sheet) const {
  const Plane& plane = planes_[of_obstacle.body.index()].of_edge[of_obstacle.id];
  if (plane.normal == Vec3::Zero()) return true;
  const StepBody& sheet = step_->bodies[of_sheet.body.index()];
  const std::span<const Vec3> x = sheet.x_t0.positions();
  const Edge& edge = sheet.mesh->topology().edge(EdgeId(of_sheet.id));
  const Vec3 &start = x[edge[0].index()], &end = x[edge[1].index()];
  const double side = plane.across.dot(start) - plane.across_offset,
               turn = side - plane.across.dot(end) + plane.across_offset;
  if (!(side * (side - turn) < 0)) return false;
  const double height = plane.normal.dot(start + side / turn * (end - start)) - plane.offset;
  return std::abs(height) < kNear * settings_.separation;
}

bool SmoothEdges::features(const Feature& a, const Feature& b) const {
  if (a.kind != FeatureKind::edge || b.kind != FeatureKind::edge || a.body == b.body) return true;
  const auto meets = [&](const Feature& of_obstacle, const Feature& of_sheet) {
    return settings_.obstacles[of_obstacle.body.index()] && settings_.sheets[of_sheet.body.index()];
  };
  if (meets(a, b)) return is_needed(a, b);
  return !meets(b, a) || is_needed(b, a);
}

}  // namespace pliant
