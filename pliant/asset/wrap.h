// A closed surface around anything: for meshes that have no sound surface of their own.
#pragma once

#include "pliant/core/parallel.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct WrapSettings {
  double cell = 0.1;  // length of the lattice's cubes; what is smaller is rounded off
  double offset = 0;  // how far outside the mesh the surface runs
  // The mesh is closed and outward: what it winds around is inside (parts may overlap: they are united). Otherwise what
  // cannot be reached from outside without coming within the offset is: with 0.9 cells, any mesh is wrapped, thin
  // sheets and open ones too, and gaps up to twice the offset are closed.
  bool solid = true;
  Threads threads;
};

// Marching tetrahedra on a lattice of cubes cut into six each (B. Payne and A. Toga, "Surface mapping brain function on
// 3D models", 1990). By construction closed, manifold, outward and without self-intersections: every tetrahedron holds
// at most one piece, whose vertices lie strictly inside its edges.
//
// Throws Error if nothing is inside (a mesh smaller than its cells), or for more than 2^27 lattice points.
MeshPtr wrap_surface(const TriangleMesh& mesh, const WrapSettings& settings);

}  // namespace pliant
