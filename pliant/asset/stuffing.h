// A surface filled with well-shaped tetrahedra, whatever it looks like.
#pragma once

#include <functional>
#include <memory>

#include "pliant/core/parallel.h"
#include "pliant/mesh/tet_mesh.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct StuffingSettings {
  double cell = 0.1;  // length of the lattice's cubes: what is smaller is rounded off, what is thinner may be lost
  // Deep inside, cells double in length up to so many times. 0: all are equal.
  int grading = 2;
  // That the tets should have together: the surface counts as moved by up to kMostOffset cells, since corners on a
  // round surface cut it short. 0: it stays where it is.
  double volume = 0;
  Threads threads;
  std::function<void(double)> progress;  // told the fraction that is done, 0 to 1; what it throws ends the work

  static constexpr double kMostOffset = 0.25;
  static constexpr double kMostNodes = 1 << 25;
};

struct Stuffing {
  std::shared_ptr<const TetMesh> mesh;  // null if everything is thinner than the cells
  double offset = 0;                    // by which the surface counts as moved outward
  std::size_t rigid_nodes = 0;  // nodes that could not be moved onto the surface, since parts would touch in them
};

// Isosurface stuffing (F. Labelle and J. Shewchuk, "Isosurface stuffing: fast tetrahedral meshes with good dihedral
// angles", 2007) on what the surface winds around; it must be closed and outward, and may intersect itself. Nodes of a
// body-centred lattice are told inside from outside exactly, edges between them are cut where the surface is, nodes
// near a cut are moved onto it, and what is left of each lattice tet is cut by stencils.
//
// Angles between faces are from 9.2 to 161.7 degrees, whatever the surface (the worst over all ways to cut and move a
// lattice tet, sampled with their extremes; of the ways that can occur, the paper proves 10.7 to 164.8). The boundary
// is closed, manifold and free of self-intersections; its vertices lie on the surface, but for the offset and where
// parts would touch: there they are up to 0.36 cells away. Same bits for any number of threads.
//
// Throws Error for more than kMostNodes nodes, or a cell size that is not positive.
Stuffing stuff_surface(const TriangleMesh& surface, const StuffingSettings& settings);

// Whether cells of this size would need more nodes than that.
bool are_too_small(double cell, const TriangleMesh& surface);

// The length of cells for which the boundary has about so many triangles.
double stuffing_cell(double area, std::size_t triangles);
// And the other way round.
std::size_t stuffing_triangles(double area, double cell);

}  // namespace pliant
