// How the inside of a lattice tetrahedron that the surface cuts is cut into tetrahedra. Internal to asset/.
#pragma once

#include <array>

#include "pliant/asset/bcc_lattice.h"
#include "pliant/asset/lattice_cuts.h"

namespace pliant {

// A vertex of the fill: a node of the lattice, or the cut between an inner and an outer node.
struct FillVertex {
  BccLattice::Node inner = 0, outer = 0;  // equal: the node itself
  friend bool operator==(const FillVertex&, const FillVertex&) = default;
};
using FillTet = std::array<FillVertex, 4>;

// The tets, none to three, positive as the lattice's tet is.
struct Stencil {
  std::array<FillTet, 3> tets;
  std::size_t count = 0;
};

// The stencils of isosurface stuffing (F. Labelle and J. Shewchuk, "Isosurface stuffing: fast tetrahedral meshes with
// good dihedral angles", 2007). What is inside is a tet, a pyramid or a prism; the diagonals of their sides are chosen
// by the nodes of the side alone, so that both tets there agree.
Stencil stencil_of(const BccLattice& lattice, const std::array<BccLattice::Node, 4>& tet,
                   const std::array<WarpedLattice::Side, 4>& sides);

}  // namespace pliant
