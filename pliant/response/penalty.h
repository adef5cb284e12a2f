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

 private:
  PenaltySettings settings_;
};

}  // namespace pliant
