// The surface of a mesh cut into regions of about equal extent, by vector quantisation of its vertices.
//
//   const Partition regions = partition(mesh, 64);
//   regions.region_of_vertex[v];  regions.region_of_face(mesh, f);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pliant/core/threads.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

namespace detail {
class Quantiser;
}  // namespace detail

// Something else that regions are to be alike in, such as a colour: `size` numbers per vertex, one vertex after the
// other. The bounding sphere of the mesh has diameter 1: that is what `weight` times a difference is compared with.
struct VertexAttribute {
  std::vector<double> values;
  std::size_t size = 1;
  double weight = 1;
};

// Positions count by their distance in diameters of the bounding sphere, so that nothing depends on units.
struct PartitionSettings {
  double normal_weight = 0.25;  // 0: by position alone. Opposed normals cost twice this, in diameters
  std::vector<VertexAttribute> attributes;
  double split = 0.1;         // how far a code vector is split, in standard deviations of its cell
  double stop = 1e-3;         // relative fall of the distortion that ends the iterations of a round
  int most_iterations = 100;  // in a round
  // Every region is connected along edges: stray pieces go to the neighbour with which they share most edges, and a
  // connected component of the mesh that no region fills becomes one of its own (there are more then than asked for).
  bool connected = true;
  // As printed by the authors: positions and normals as they are, code vectors split into (1 + split) and (1 - split)
  // times themselves. Fails on bodies around the origin; kept to show that.
  bool as_printed = false;
  bool exhaustive = false;  // see mesh/quantiser.h: the same result, slower
  Threads threads;
};

struct Partition {
  std::vector<std::uint32_t> region_of_vertex;  // welded vertices are in one region
  std::uint32_t region_count = 0;               // none of them is empty
  std::uint32_t asked = 0;
  std::uint32_t empty_cells = 0;  // that came out of the quantisation and were dropped
  std::uint32_t added = 0;        // regions of components that no other region could take
  // Mean squared distance to the code vector, per dimension: after every iteration, round by round.
  std::vector<std::vector<double>> distortions;

  // One for each face: that of most of its corners, of the first where all differ.
  std::uint32_t region_of_face(const TriangleMesh& mesh, FaceId face) const;
};

// Vectors are positions and vertex normals (mesh/vertex_graph.h), quantised by mesh/quantiser.h. Cost: as many
// iterations as it takes, each proportional to vertices times a few dozen regions nearby (times all of them if
// exhaustive). The same result for any number of threads; translation, scale and rotation change it only where
// distances are equal up to rounding.
//
// Throws Error for no regions, an attribute that does not fit the vertices or is not finite, and what PosedMesh throws.
Partition partition(const PosedMesh& mesh, std::uint32_t regions, const PartitionSettings& settings = {});

// The same in small steps, of positions as they were at the start.
class PartitionJob {
 public:
  PartitionJob(const PosedMesh& mesh, std::uint32_t regions, const PartitionSettings& settings = {});
  ~PartitionJob();
  PartitionJob(PartitionJob&&) noexcept;
  PartitionJob& operator=(PartitionJob&&) noexcept;

  // One iteration of the quantisation; false when there is none left to do.
  bool step();
  // Does what is left, and puts stray pieces where they belong. To be called once.
  Partition finish();

 private:
  const TriangleMesh* mesh_;
  PartitionSettings settings_;
  std::uint32_t asked_;
  std::unique_ptr<detail::Quantiser> quantiser_;
};

// A partition with some of its regions cut in two, each along its longest direction; regions that cannot be cut stay.
Partition split_regions(const PosedMesh& mesh, const Partition& before, std::span<const std::uint32_t> regions,
                        const PartitionSettings& settings = {});

}  // namespace pliant
