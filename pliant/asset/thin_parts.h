// Where a body is too thin for the cells that fill it.
#pragma once

#include "pliant/core/parallel.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct ThinParts {
  double fraction = 0;        // of the area of the surface
  double least = 0;           // thickness, where it is least
  Vec3 place = Vec3::Zero();  // on the surface, there

  bool any() const { return fraction > 0; }
};

// What is less than `thickness` thick, seen from points of the surface (closed, outward, without self-intersections)
// straight inward. Every face is asked in its middle, or in several places if it is larger than the thickness: slivers
// of the body between them are missed.
ThinParts find_thin_parts(const TriangleMesh& surface, double thickness, Threads threads = {});

}  // namespace pliant
