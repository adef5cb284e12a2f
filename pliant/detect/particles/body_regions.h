// One body of the particle method: its regions, its particles, and when the regions are to be made anew.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pliant/core/budget_meter.h"
#include "pliant/detect/particles/particle_settings.h"
#include "pliant/detect/still/region_table.h"
#include "pliant/mesh/vertex_graph.h"

namespace pliant {

// A partition with what walkers need to know about it.
struct Regions {
  Partition partition;
  RegionTable table;
  std::vector<VertexId> centre;      // the vertex of each region nearest to its mean
  std::vector<VertexId> material;    // a neighbour of it in the region; invalid if it has none
  std::vector<std::uint32_t> first;  // vertices of region r: vertices[first[r]] to vertices[first[r + 1]]
  std::vector<VertexId> vertices;    // that are no copies of others
  double reach = 0;                  // largest distance between two centres
  int longest_route = 1;             // steps along edges between two of them, about

  std::span<const VertexId> of(std::uint32_t region) const {
    return std::span(vertices).subspan(first[region], first[region + 1] - first[region]);
  }
};

// By positions at the time of the partition.
Regions make_regions(const PosedMesh& mesh, const VertexGraph& graph, Partition partition, RegionFaces which);

// How large a region is now. By default as in the paper: along edges from the centre to the border of the region in
// four directions, as a rectangle. The paper's directions are axes of the world, so that a body that turns seems to
// stretch; ours are the edge to the `material` neighbour, projected along the normal at the centre, and what is
// perpendicular to both: nothing but the shape counts. One walk per direction and region. With true_area: the sum of
// the areas of its faces.
double region_size(const PosedMesh& mesh, const VertexGraph& graph, const Regions& regions, std::uint32_t region,
                   bool true_area);

double surface_area(const PosedMesh& mesh);

class BodyRegions {
 public:
  BodyRegions(MeshPtr mesh, std::uint32_t count, const ParticleSettings& settings, RegionFaces which, Threads threads);

  // Cuts the surface, an iteration at a time, until that is done or the run is late; the next call goes on from there.
  // Whether it is done: before that nothing else may be asked for but asked().
  bool make(BudgetState& state);
  bool is_made() const { return is_made_; }

  const TriangleMesh& mesh() const { return *mesh_; }
  const VertexGraph& graph() const { return graph_; }
  const Regions& regions() const { return regions_; }
  RegionTable& table() { return regions_.table; }
  const RegionTable& table() const { return regions_.table; }
  std::vector<VertexId>& particles() { return particles_; }
  const std::vector<VertexId>& particles() const { return particles_; }
  std::uint32_t asked() const { return count_; }

  // Boxes for a new frame, and regions made anew if some are stretched too far: a few iterations in each of the frames
  // that follow, and then all at once. Nothing for the frame that it was called with last.
  struct Changes {
    bool checked = false;
    bool started = false;   // a new partition
    bool finished = false;  // it is in use
  };
  Changes follow(const StillBody& body);

  // As at first.
  void start_again();

  std::size_t bytes() const;

 private:
  void measure_rest();
  std::vector<std::uint32_t> stretched(const PosedMesh& posed, std::uint32_t begin, std::uint32_t end) const;
  bool is_stretched(const PosedMesh& posed);
  void start_partition(const PosedMesh& posed);
  bool work_on_partition(const PosedMesh& posed);
  void adopt(Regions regions);
  PartitionSettings partition_settings() const;

  MeshPtr mesh_;
  std::uint32_t count_;
  ParticleSettings settings_;
  RegionFaces which_;
  Threads threads_;
  VertexGraph graph_;
  Regions regions_;
  Partition first_;  // to start again with
  bool is_made_ = false;
  bool is_first_ = true;
  std::vector<VertexId> particles_;
  double largest_size_ = 0;  // of a region at rest
  double rest_area_ = 0;
  std::optional<PartitionJob> job_;  // the first partition, later a new one
  int frames_since_ = 0;             // the last new partition
  std::uint32_t next_checked_ = 0;   // region
  std::uint64_t fitted_ = 0;         // stamp of the frame
};

}  // namespace pliant
