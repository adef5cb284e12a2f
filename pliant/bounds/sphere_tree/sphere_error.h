// How far a sphere reaches out of a surface.
#pragma once

#include <vector>

#include "pliant/bounds/closest_face.h"
#include "pliant/bounds/sphere_tree/balls.h"

namespace pliant {

// A closed surface, outward or inward. Safe to ask from several threads. The mesh must outlive it.
class SurfaceDepth {
 public:
  explicit SurfaceDepth(const TriangleMesh& mesh) : closest_(mesh) {}

  // Distance to the surface, negative outside.
  double operator()(const Vec3& p) const {
    const double distance = closest_.find(p).distance;
    return inside(p) ? distance : -distance;
  }
  bool inside(const Vec3& p) const { return closest_.crossings(p).winding != 0; }
  const ClosestFace& closest() const { return closest_; }

 private:
  ClosestFace closest_;
};

// The measure that construction uses (Bradshaw and O'Sullivan 2004): how far the sphere reaches beyond the surface
// point nearest to its centre. Right for a surface that is convex there, an upper bound where the centre is inside.
inline double convex_error(double radius, double depth_of_centre) { return std::max(0.0, radius - depth_of_centre); }

// The measure that comparisons use: the largest distance from the surface of points of the sphere that are outside,
// over the vertices of an icosahedron divided twice (162).
double sphere_error(const SurfaceDepth& surface, const Sphere& sphere);

}  // namespace pliant
