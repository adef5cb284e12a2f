// A closed surface around anything: for meshes that have no sound surface of their own.
#pragma once

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct WrapSettings {
  double cell = 0.1;  // length of the lattice's cubes; what is smaller is rounded off
  // How far outside the mesh the surface runs. 0 asks for a closed, outward mesh (parts may overlap: they are united).
  // From 0.9 cells on, any mesh is wrapped, thin sheets and open ones too; gaps up to twice the offset are closed.
  double offset = 0;
};

// Marching tetrahedra on a lattice of cubes cut into six each (B. Payne and A. Toga, "Surface mapping brain function on
// 3D models", 1990). By construction closed, manifold, outward and without self-intersections: every tetrahedron holds
// at most one piece, whose vertices lie strictly inside its edges.
//
// Throws Error if nothing is inside (a mesh smaller than its cells), or for more than 2^27 lattice points.
MeshPtr wrap_surface(const TriangleMesh& mesh, const WrapSettings& settings);

}  // namespace pliant
