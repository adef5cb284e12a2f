#include "pliant/bounds/sphere_tree/sphere_error.h"

#include "pliant/mesh/shapes.h"

namespace pliant {
namespace {

const TriangleMesh& unit_directions() {
  static const MeshPtr sphere = make_icosphere({.radius = 1, .frequency = 4});
  return *sphere;
}

}  // namespace

double sphere_error(const SurfaceDepth& surface, const Sphere& sphere) {
  double most = 0;
  for (const Vec3& direction : unit_directions().positions()) {
    const Vec3 p = sphere.centre + sphere.radius * direction;
    if (surface.inside(p)) continue;
    most = std::max(most, surface.closest().find(p).distance);
  }
  return most;
}

}  // namespace pliant
