// What intersects before anything moves, and how to get it apart.
#pragma once

#include <span>
#include <vector>

#include "pliant/core/parallel.h"
#include "pliant/mesh/triangle_mesh.h"
#include "pliant/motion/motion.h"
#include "pliant/world/pair_table.h"
#include "pliant/world/world.h"

namespace pliant {

struct PlacedBody {
  MeshPtr mesh;
  Frame positions;
  double mass = 0;  // kg, of the whole; infinite: an obstacle
};

struct OverlapSettings {
  Threads threads;
  std::shared_ptr<const ContactFilter> filter;  // what it declines does not overlap; may be null
};

// Exact. Pairs that the table leaves out are not looked at. Ordered by (a, b).
std::vector<StartOverlap> find_overlaps(std::span<const PlacedBody> bodies, const PairTable& pairs,
                                        const OverlapSettings& settings);

// How far `body` has to go, as a whole, so that it is apart from all `others` by `separation` or somewhat more: the
// shortest of several ways that were tried. Zero if it meets none of them.
Vec3 way_out(const PlacedBody& body, std::span<const PlacedBody> others, double separation);

}  // namespace pliant
