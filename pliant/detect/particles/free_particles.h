// The predecessor's particles (Senin et al. 2003): anywhere on the surface, free to go wherever edges lead.
#pragma once

#include <vector>

#include "pliant/detect/particles/body_regions.h"

namespace pliant {

// Where the particles of a body are, and the area of each. The predecessor does not say what is tested where particles
// meet; here it is all that is nearer, along edges, to this particle than to others of its body.
struct FreeBody {
  std::vector<VertexId> particles;
  Partition areas;
  RegionTable table;
};

// `count` vertices at random, the same for the same seed; of a mesh without faces none.
std::vector<VertexId> random_vertices(const TriangleMesh& mesh, const VertexGraph& graph, std::uint32_t count,
                                      std::uint64_t seed);

// Areas around the particles as they stand; vertices that none can reach are in the first.
void cut_areas(FreeBody& body, const TriangleMesh& mesh, const VertexGraph& graph);

}  // namespace pliant
