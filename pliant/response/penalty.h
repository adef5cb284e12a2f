// Springs and dampers between triangles that overlap (M. Moore and J. Wilhelms, "Collision detection and response for
// computer animation", SIGGRAPH 1988), with Coulomb friction. Internal to response/.
#pragma once

#include "pliant/response/pair_response.h"

namespace pliant {

class Penalty : public Response {
 public:
  explicit Penalty(const PenaltySettings& settings) : settings_(settings) {}
  bool adds_forces() const override { return true; }
  void add_forces(const Step& step, const FlatStep& flat, std::span<const Contact> contacts, std::span<Vec3> forces,
                  std::vector<Impact>& impacts) const override;
  // After C. Mendoza and C. O'Sullivan: by the overlap of spheres, in proportion to their size, on the vertices next to
  // them. A pair that does not overlap pushes nothing, so that what was not tested draws no bodies together.
  void add_region_forces(const Step& step, const FlatStep& flat, std::span<const RegionOverlap> regions,
                         std::span<Vec3> forces, std::vector<Impact>& impacts) const override;

 private:
  PenaltySettings settings_;
};

}  // namespace pliant
