// Areas, volumes and angles of surfaces.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <span>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Adds up triangles. The volume means something for a closed surface only; it is positive if faces look outward.
struct SurfaceMeasure {
  double area = 0;
  double volume() const { return six_volumes / 6; }

  void add(std::span<const Vec3> positions, const Triangle& t) {
    const Vec3 &a = positions[t[0].index()], &b = positions[t[1].index()], &c = positions[t[2].index()];
    if (area == 0 && six_volumes == 0) origin = a;
    area += (b - a).cross(c - a).norm() / 2;
    six_volumes += (a - origin).dot((b - origin).cross(c - origin));
  }

  Vec3 origin = Vec3::Zero();  // near the surface, so that little is lost when it is far away
  double six_volumes = 0;
};

inline SurfaceMeasure measure(const TriangleMesh& mesh) {
  SurfaceMeasure result;
  for (const Triangle& t : mesh.triangles()) result.add(mesh.positions(), t);
  return result;
}

inline double mean_edge(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles())
    for (std::size_t i = 0; i < 3; ++i) sum += (mesh.position(t[i]) - mesh.position(t[(i + 1) % 3])).norm();
  return sum / (3 * static_cast<double>(mesh.face_count()));
}

// Of a triangle as seen from p, signed (A. van Oosterom and J. Strackee, "The solid angle of a plane triangle", 1983):
// summed over a closed outward surface, 4 pi inside and 0 outside.
inline double solid_angle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = a - p, v = b - p, w = c - p;
  const double lu = u.norm(), lv = v.norm(), lw = w.norm();
  return 2 * std::atan2(u.dot(v.cross(w)), lu * lv * lw + u.dot(v) * lw + v.dot(w) * lu + w.dot(u) * lv);
}

}  // namespace pliant
