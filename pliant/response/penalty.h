// Springs and dampers between what overlaps (M. Moore and J. Wilhelms, "Collision detection and response for computer
// animation", SIGGRAPH 1988), with Coulomb friction. Internal to response/.
#pragma once

#include "pliant/response/pair_response.h"

namespace pliant {

class PenaltySprings;

class Penalty : public Response {
 public:
  explicit Penalty(const PenaltySettings& settings) : settings_(settings) {}
  bool adds_forces() const override { return true; }
  bool takes_spheres() const override { return settings_.averaged; }
  // Triangles that intersect part the way of least_overlap.h, at the point of their contact. Pairs of regions are
  // answered after C. Mendoza and C. O'Sullivan, by their overlap in proportion to their size; what does not overlap
  // pushes nothing, so that what was not tested draws no bodies together, nor throws them.
  std::unique_ptr<ContactForces> forces(const Step& step, const FlatStep& flat,
                                        const FoundAtInstant& found) const override;

 private:
  PenaltySettings settings_;
};

// The springs of one pair of regions that overlap along its way out.
void add_region_spring(const RegionOverlap& pair, PenaltySprings& springs);
// As printed: by the overlap of the spheres, along the line of their centres, on the vertex nearest to each.
void add_printed_spring(const RegionOverlap& pair, PenaltySprings& springs);

}  // namespace pliant
