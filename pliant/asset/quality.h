// How good an asset is.
#pragma once

#include <cstddef>
#include <optional>

#include "pliant/asset/asset.h"
#include "pliant/core/parallel.h"

namespace pliant {

struct TetQuality {
  // Three times the inner over the outer radius: 1 for a regular tetrahedron, 0 for a flat one.
  double least_radius_ratio = 0;
  double mean_radius_ratio = 0;
  // Angles between faces; a regular tetrahedron has 70.5 degrees.
  double least_dihedral_degrees = 0;
  double largest_dihedral_degrees = 0;
};
TetQuality measure_tets(const TetMesh& mesh);

struct AssetQuality {
  TetQuality tets;
  std::optional<double> dense_volume;  // of a closed dense surface; where parts overlap, both count
  double coarse_volume = 0;
  double tet_volume = 0;
  // From the vertices of the dense surface to the boundary of the body, in length units; and the diagonal of the dense
  // surface's box.
  double largest_distance = 0;
  double mean_distance = 0;
  double diagonal = 0;
  std::size_t outside_vertices = 0;  // dense vertices in no tetrahedron: they go with the nearest one

  // |volume of the tetrahedra - volume of the dense surface| as a fraction of the latter; empty if that has none.
  std::optional<double> volume_error() const;
};
// The asset must be linked.
AssetQuality measure_asset(const Asset& asset, Threads threads = {});

}  // namespace pliant
